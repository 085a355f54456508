package dev.psm.agents.affine;

import dev.psm.agents.FiniteTrainer;
import dev.psm.agents.Losses;
import dev.psm.agents.affine.AffinePsmSettings.Expectation;
import dev.psm.agents.affine.AffinePsmSettings.Representation;
import dev.psm.core.Seeds;
import dev.psm.core.data.TransitionTable;
import dev.psm.torch.Adam;
import dev.psm.torch.Parameters;
import dev.psm.torch.Tensors;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * Pretrains an affine Proto Successor Measure (the paper's section 5): learns Φ, b and w(z) such
 * that Φw(z) + b is the successor measure of π_z for every code z of a codebook. Rewards play no
 * part.
 *
 * <p>The loss of a code (equation 6, with next states and 1 − γ as in the paper's listing) is
 *
 * <pre>
 *   L = ½ E[(m(s,a,s⁺) − γ m̄(s′,π_z(s′),s⁺))²] − (1 − γ) E[m(s,a,s′)]
 * </pre>
 *
 * whose minimum over tables is m = (1 − γ) P(s⁺|s,a)/ρ(s⁺) + γ E[m̄(s′,π_z(s′),s⁺)].
 */
public final class AffinePsm implements FiniteTrainer {
  private final AffinePsmSettings settings;
  private final TransitionTable data;
  private final AffineModel model;
  private final RandomGenerator random;
  final Parameters targetBasis;
  final Parameters targetCoordinates;

  /** Null for tables under the exact loss, which {@link #tableStep} moves. */
  private final Adam basisOptimiser;

  private final Adam coordinateOptimiser;

  /** Null wherever {@link #basisOptimiser} is not. */
  private final LeastSquaresStep tableStep;

  private final Dynamics dynamics;
  private final Enrichment enrichment;
  private final int[] phases;
  private int step;
  private float lastLoss = Float.NaN;

  public AffinePsm(AffinePsmSettings settings, TransitionTable data, long seed) {
    this.settings = settings;
    this.data = data;
    this.model = new AffineModel(settings, data, seed);
    this.random = Seeds.generator(seed + 1);
    this.targetBasis = model.basisParameters().targetCopy();
    this.targetCoordinates = model.coordinateParameters().targetCopy();
    this.coordinateOptimiser = new Adam(model.coordinateParameters());
    this.tableStep =
        settings.representation() == Representation.TABLES
                && settings.expectation() == Expectation.EXACT
            ? new LeastSquaresStep(model.basisParameters(), model.coordinates().length())
            : null;
    this.basisOptimiser = tableStep == null ? new Adam(model.basisParameters()) : null;
    this.dynamics = new Dynamics(data);
    this.enrichment = new Enrichment(model, random);
    this.phases = phases(settings);
  }

  /**
   * The first steps of the phases of training: the plain codebook, then each round of enrichment.
   */
  private static int[] phases(AffinePsmSettings settings) {
    if (settings.enrichedCodes() == 0) {
      return new int[] {0};
    }
    int[] starts = new int[1 + settings.enrichmentRounds()];
    double first = settings.enrichmentStart();
    for (int round = 0; round < settings.enrichmentRounds(); round++) {
      double share = first + (1 - first) * round / settings.enrichmentRounds();
      starts[1 + round] = (int) (share * settings.gradientSteps());
    }
    return starts;
  }

  private boolean startsRound() {
    for (int round = 1; round < phases.length; round++) {
      if (phases[round] == step) {
        return true;
      }
    }
    return false;
  }

  /**
   * The factor on the learning rates. They decay within each phase: a round must begin from
   * measures that have settled.
   */
  private double decay() {
    int start = 0;
    int end = settings.gradientSteps();
    for (int phase : phases) {
      if (phase <= step) {
        start = phase;
      } else {
        end = Math.min(end, phase);
      }
    }
    return settings.decay().at((double) (step - start) / (end - start));
  }

  @Override
  public void step() {
    if (startsRound()) {
      model.setEnriched(enrichment.policies());
    }
    try (PointerScope scope = new PointerScope()) {
      int[] codes = random.ints(settings.codesPerStep(), 0, Codebook.CODE_COUNT).toArray();
      if (tableStep != null) {
        lastLoss = updateTables(exact(codes));
      } else {
        lastLoss =
            update(
                settings.expectation() == Expectation.EXACT
                    ? exact(codes).loss()
                    : meshLoss(codes));
      }
      targetBasis.averageTowards(model.basisParameters(), settings.targetRate());
      targetCoordinates.averageTowards(model.coordinateParameters(), settings.targetRate());
    }
    step++;
  }

  /**
   * Equation 6 averaged over all (s, a), s′ and s⁺ of the data, and what it was made from.
   *
   * @param hashed coordinates of the hash codes
   * @param enriched coordinates of the enriched codes, or null before there are any
   * @param measures of all these codes, codes × triples
   * @param bootstrap γ times their targets, codes × pairs × states
   */
  record Exact(Tensor hashed, Tensor enriched, Tensor measures, Tensor bootstrap, Tensor loss) {}

  /** The loss of the hash codes given and all enriched ones. */
  Exact exact(int[] codes) {
    Tensor hashed = model.coordinates().ofCodes(model.coordinateParameters(), codes);
    Tensor enriched = model.enriched().length > 0 ? model.coordinates().ofEnriched() : null;
    Tensor m = model.basis().everywhere(model.basisParameters()).measures(joined(hashed, enriched));
    Tensor bootstrap;
    try (NoGradGuard noGradient = new NoGradGuard()) {
      Tensor targetW = joined(model.coordinates().ofCodes(targetCoordinates, codes), enriched);
      Tensor targetM = model.basis().everywhere(targetBasis).measures(targetW);
      bootstrap =
          dynamics.followed(targetM, policies(codes)).mul(Tensors.scalar(settings.discount()));
    }
    Tensor loss = dynamics.loss(m, bootstrap, settings.discount());
    return new Exact(hashed, enriched, m, bootstrap, loss);
  }

  private static Tensor joined(Tensor hashed, Tensor enriched) {
    return enriched == null ? hashed : torch.cat(new TensorVector(hashed, enriched), 0);
  }

  /** One action per code and state: hash codes, then enriched ones. */
  private int[][] policies(int[] codes) {
    int[][] enriched = model.enriched();
    int[][] policies = new int[codes.length + enriched.length][];
    for (int i = 0; i < codes.length; i++) {
      policies[i] = model.codebook().policy(codes[i]);
    }
    System.arraycopy(enriched, 0, policies, codes.length, enriched.length);
    return policies;
  }

  /**
   * Equation 6 on a batch: row i has its own transition and code, column j the next state of
   * transition j.
   */
  Tensor meshLoss(int[] codes) {
    int batch = codes.length;
    int[] states = new int[batch];
    int[] actions = new int[batch];
    int[] nextStates = new int[batch];
    int[] nextActions = new int[batch];
    for (int i = 0; i < batch; i++) {
      int pair = data.samplePair(random);
      states[i] = pair / data.actionCount();
      actions[i] = pair % data.actionCount();
      nextStates[i] = data.sampleNext(pair, random);
      nextActions[i] = model.codebook().action(codes[i], nextStates[i]);
    }
    Tensor goals = Tensors.longs(nextStates, batch);
    Tensor m =
        model
            .basis()
            .mesh(
                model.basisParameters(),
                Tensors.longs(states, batch),
                Tensors.longs(actions, batch),
                goals)
            .meshMeasures(model.coordinates().ofCodes(model.coordinateParameters(), codes));
    Tensor bootstrap;
    try (NoGradGuard noGradient = new NoGradGuard()) {
      bootstrap =
          model
              .basis()
              .mesh(targetBasis, goals, Tensors.longs(nextActions, batch), goals)
              .meshMeasures(model.coordinates().ofCodes(targetCoordinates, codes))
              .mul(Tensors.scalar(settings.discount()));
    }
    return Losses.contrastive(m, bootstrap, 1 - settings.discount());
  }

  private float updateTables(Exact exact) {
    TensorVector gradients = Tensors.gradients(exact.loss(), model.coordinateParameters().vector());
    double decay = decay();
    tableStep.apply(
        exact.hashed().detach(),
        exact.enriched(),
        dynamics.residual(exact.measures().detach(), exact.bootstrap(), settings.discount()),
        decay * settings.basisLearningRate());
    coordinateOptimiser.step(gradients, decay * settings.coordinateLearningRate());
    return exact.loss().item_float();
  }

  private float update(Tensor loss) {
    TensorVector[] gradients =
        Tensors.gradients(loss, model.basisParameters(), model.coordinateParameters());
    double decay = decay();
    basisOptimiser.step(gradients[0], decay * settings.basisLearningRate());
    coordinateOptimiser.step(gradients[1], decay * settings.coordinateLearningRate());
    return loss.item_float();
  }

  @Override
  public int stepsDone() {
    return step;
  }

  @Override
  public int gradientSteps() {
    return settings.gradientSteps();
  }

  @Override
  public Map<String, Double> metrics() {
    return AffineMetrics.of(model, lastLoss);
  }

  @Override
  public double[][][] watchedActionValues(double[][] rewards) {
    return model.actionValues(rewards, SolveMethod.GPI);
  }

  @Override
  public AffineModel model() {
    return model;
  }
}
