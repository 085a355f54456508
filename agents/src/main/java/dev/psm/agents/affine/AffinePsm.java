package dev.psm.agents.affine;

import dev.psm.agents.Agent;
import dev.psm.agents.Losses;
import dev.psm.agents.affine.AffinePsmSettings.Expectation;
import dev.psm.agents.affine.AffinePsmSettings.Representation;
import dev.psm.agents.finite.FiniteAgent;
import dev.psm.agents.finite.FiniteModel;
import dev.psm.agents.finite.FiniteTrainer;
import dev.psm.core.Seeds;
import dev.psm.core.env.FiniteWorld;
import dev.psm.core.env.World;
import dev.psm.core.io.TensorData;
import dev.psm.core.mdp.TransitionTable;
import dev.psm.torch.Adam;
import dev.psm.torch.Device;
import dev.psm.torch.Parameters;
import dev.psm.torch.Tensors;
import java.util.Map;
import java.util.stream.Stream;
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
 * <p>The loss of a code (equation 7, with next states and 1 − γ as in the paper's listing) is
 *
 * <pre>
 *   L = ½ E[(m(s,a,s⁺) − γ m̄(s′,π_z(s′),s⁺))²] − (1 − γ) E[m(s,a,s′)]
 * </pre>
 *
 * whose minimum over tables is m = (1 − γ) P(s⁺|s,a)/ρ(s⁺) + γ E[m̄(s′,π_z(s′),s⁺)].
 */
public final class AffinePsm implements FiniteTrainer {
  public static final Agent AGENT =
      new FiniteAgent<>("psm", "PSM", AffinePsmSettings.class, AffineShape.class) {
        @Override
        public String summary() {
          return "Proto Successor Measure: a basis and a bias that every policy's measure lies in";
        }

        @Override
        public Map<String, AffinePsmSettings> presets(World world) {
          return AffinePsmSettings.presets(((FiniteWorld) world).stateCount(), world.discount());
        }

        @Override
        protected FiniteTrainer train(
            AffinePsmSettings settings, TransitionTable data, long seed, Device device) {
          return new AffinePsm(settings, data, seed, device);
        }

        @Override
        protected double discount(AffineShape shape) {
          return shape.discount();
        }

        @Override
        protected Map<String, long[]> tensorShapes(AffineShape shape, TransitionTable data) {
          return AffineModel.tensorShapes(shape, data);
        }

        @Override
        protected FiniteModel untrained(AffineShape shape, TransitionTable data) {
          return new AffineModel(shape, data);
        }
      };

  // Of the tensors in a checkpoint, beside the model's own.
  private static final String TARGET = "target/";
  private static final String ADAM = "adam_coordinates/";
  private static final String ADAM_BASIS = "adam_basis/";
  private static final String TABLE_STEP = "table_step/";

  private final AffinePsmSettings settings;
  private final AffineModel model;
  private final Device device;

  /** Those of the model where that is trained in its place, else copies on the device. */
  private final Parameters basisParameters;

  private final Parameters coordinateParameters;
  private final AffineBasis basis;
  private final Coordinates coordinates;
  private final StepSource source;
  private final AffineInputs.Layout layout;
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
  private int[][] placedPolicies;

  /** The enriched policies on the device; null before there are any. */
  private Tensor enrichedPolicies;

  /** One number on the device, of the last step. */
  private final Tensor lastLoss;

  /** Null where the host has a part in every step. */
  private StepBlock block;

  private long step;

  public AffinePsm(AffinePsmSettings settings, TransitionTable data, long seed) {
    this(settings, data, seed, Device.CPU);
  }

  /** Trains on a device; models are on the CPU always. */
  public AffinePsm(AffinePsmSettings settings, TransitionTable data, long seed, Device device) {
    this.settings = settings;
    this.model = new AffineModel(settings.shape(seed), data);
    this.device = device;
    this.basisParameters = model.basisParameters().on(device);
    this.coordinateParameters = model.coordinateParameters().on(device);
    this.basis = model.basis().on(device);
    this.coordinates = model.coordinates().on(device);
    this.targetBasis = basisParameters.targetCopy();
    this.targetCoordinates = coordinateParameters.targetCopy();
    this.coordinateOptimiser = new Adam(coordinateParameters);
    this.tableStep =
        settings.representation() == Representation.TABLES
                && settings.expectation() == Expectation.EXACT
            ? new LeastSquaresStep(basisParameters, coordinates.length())
            : null;
    this.basisOptimiser = tableStep == null ? new Adam(basisParameters) : null;
    this.dynamics = new Dynamics(data, device);
    this.enrichment = new Enrichment(model, Seeds.generator(Seeds.mix(seed, 0, "enrichment")));
    this.source = new StepSource(data, model.codebook(), seed);
    boolean exact = settings.expectation() == Expectation.EXACT;
    this.layout =
        new AffineInputs.Layout(settings.codesPerStep(), data.stateCount(), exact, !exact);
    this.phases = phases(settings);
    try (PointerScope scope = new PointerScope()) {
      this.lastLoss =
          torch
              .zeros(new long[0], device.floats())
              .fill_(Tensors.scalar(Double.NaN))
              .retainReference();
    }
    this.block = device.isCuda() ? new StepBlock(this, device, true) : null;
  }

  /**
   * Takes steps as a GPU does, inputs drawn by the block, but one operation after the other instead
   * of from a recording: the reference that recordings are compared with, on any device. To be
   * called before the first step.
   */
  public void stepEagerly() {
    if (step > 0) {
      throw new IllegalStateException("inputs of later steps are drawn already");
    }
    if (block != null) {
      block.close();
    }
    block = new StepBlock(this, device, false);
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

  AffinePsmSettings settings() {
    return settings;
  }

  StepSource source() {
    return source;
  }

  AffineInputs.Layout layout() {
    return layout;
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
  private double decay(long step) {
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

  /** The learning rates of basis and coordinates on the device: steps × 2. */
  Tensor rates(long first, int steps) {
    double[] rates = new double[2 * steps];
    for (int i = 0; i < steps; i++) {
      double decay = decay(first + i);
      rates[2 * i] = decay * settings.basisLearningRate();
      rates[2 * i + 1] = decay * settings.coordinateLearningRate();
    }
    Tensor exact = Tensors.doubles(rates, steps, 2);
    // A GPU's Adam takes its rate in single precision.
    return device.isCuda() ? device.place(exact.to(torch.ScalarType.Float)) : exact;
  }

  @Override
  public void step() {
    if (startsRound()) {
      fetch();
      model.setEnriched(enrichment.policies());
      if (block != null) {
        block.forget();
      }
    }
    if (block != null) {
      block.step(step);
    } else {
      try (PointerScope scope = new PointerScope()) {
        long[] numbers = new long[layout.numbers()];
        source.draw(step, layout, numbers, 0);
        compute(layout.split(Tensors.longs(numbers, numbers.length)), rates(step, 1).view(2));
      }
    }
    step++;
  }

  /**
   * A step's arithmetic.
   *
   * @param rates of the basis and of the coordinates
   */
  void compute(AffineInputs inputs, Tensor rates) {
    Tensor loss;
    if (tableStep != null) {
      Exact exact = exact(inputs);
      updateTables(exact, rates);
      loss = exact.loss();
    } else {
      loss = settings.expectation() == Expectation.EXACT ? exact(inputs).loss() : meshLoss(inputs);
      update(loss, rates);
    }
    targetBasis.averageTowards(basisParameters, settings.targetRate());
    targetCoordinates.averageTowards(coordinateParameters, settings.targetRate());
    lastLoss.copy_(loss.detach());
  }

  /** Gives the model what was learned on another device than its own. */
  private void fetch() {
    if (device.isCuda()) {
      model.basisParameters().copyFrom(basisParameters);
      model.coordinateParameters().copyFrom(coordinateParameters);
    }
  }

  /**
   * Equation 7 averaged over all (s, a), s′ and s⁺ of the data, and what it was made from.
   *
   * @param hashed coordinates of the hash codes
   * @param enriched coordinates of the enriched codes, or null before there are any
   * @param measures of all these codes, codes × triples
   * @param bootstrap γ times their targets, codes × pairs × states
   */
  record Exact(Tensor hashed, Tensor enriched, Tensor measures, Tensor bootstrap, Tensor loss) {}

  /** The loss of the hash codes given and all enriched ones. */
  Exact exact(AffineInputs inputs) {
    Tensor hashed = coordinates.ofBits(coordinateParameters, inputs.bits());
    Tensor enriched = model.enriched().length > 0 ? coordinates.ofEnriched() : null;
    Tensor m = basis.everywhere(basisParameters).measures(joined(hashed, enriched));
    Tensor bootstrap;
    try (NoGradGuard noGradient = new NoGradGuard()) {
      Tensor targetW = joined(coordinates.ofBits(targetCoordinates, inputs.bits()), enriched);
      Tensor targetM = basis.everywhere(targetBasis).measures(targetW);
      bootstrap =
          dynamics
              .followed(targetM, joined(inputs.policies(), enrichedPolicies()))
              .mul(Tensors.scalar(settings.discount()));
    }
    Tensor loss = dynamics.loss(m, bootstrap, settings.discount());
    return new Exact(hashed, enriched, m, bootstrap, loss);
  }

  private static Tensor joined(Tensor hashed, Tensor enriched) {
    return enriched == null ? hashed : torch.cat(new TensorVector(hashed, enriched), 0);
  }

  private Tensor enrichedPolicies() {
    int[][] policies = model.enriched();
    if (policies != placedPolicies && policies.length > 0) {
      if (enrichedPolicies != null) {
        enrichedPolicies.close();
      }
      enrichedPolicies = device.place(Dynamics.policies(policies)).retainReference();
      placedPolicies = policies;
    }
    return enrichedPolicies;
  }

  /**
   * Equation 7 on a batch: row i has its own transition and code, column j the next state of
   * transition j.
   */
  Tensor meshLoss(AffineInputs inputs) {
    AffineInputs.Rows rows = inputs.rows();
    Tensor goals = rows.nextStates();
    Tensor m =
        basis
            .mesh(basisParameters, rows.states(), rows.actions(), goals)
            .meshMeasures(coordinates.ofBits(coordinateParameters, inputs.bits()));
    Tensor bootstrap;
    try (NoGradGuard noGradient = new NoGradGuard()) {
      bootstrap =
          basis
              .mesh(targetBasis, goals, rows.nextActions(), goals)
              .meshMeasures(coordinates.ofBits(targetCoordinates, inputs.bits()))
              .mul(Tensors.scalar(settings.discount()));
    }
    return Losses.contrastive(m, bootstrap, 1 - settings.discount());
  }

  private void updateTables(Exact exact, Tensor rates) {
    TensorVector gradients = Tensors.gradients(exact.loss(), coordinateParameters.vector());
    tableStep.apply(
        exact.hashed().detach(),
        exact.enriched(),
        dynamics.residual(exact.measures().detach(), exact.bootstrap(), settings.discount()),
        rates.get(0));
    coordinateOptimiser.step(gradients, rates.get(1));
  }

  private void update(Tensor loss, Tensor rates) {
    TensorVector[] gradients = Tensors.gradients(loss, basisParameters, coordinateParameters);
    basisOptimiser.step(gradients[0], rates.get(0));
    coordinateOptimiser.step(gradients[1], rates.get(1));
  }

  @Override
  public long stepsDone() {
    return step;
  }

  @Override
  public Map<String, Double> metrics() {
    fetch();
    return AffineMetrics.of(model, lastLoss.item_float());
  }

  /** What is learned by now; on a GPU further steps do not reach it until it is asked for again. */
  @Override
  public AffineModel model() {
    fetch();
    return model;
  }

  @Override
  public Map<String, TensorData> checkpoint() {
    fetch();
    Map<String, TensorData> tensors = model.tensors();
    targetBasis.export(TARGET, tensors);
    targetCoordinates.export(TARGET, tensors);
    coordinateOptimiser.export(ADAM, tensors);
    if (basisOptimiser != null) {
      basisOptimiser.export(ADAM_BASIS, tensors);
    } else {
      tableStep.export(TABLE_STEP, tensors);
    }
    return tensors;
  }

  @Override
  public void restore(long steps, Map<String, TensorData> tensors, String fileName) {
    model.load(tensors, fileName);
    if (device.isCuda()) {
      basisParameters.copyFrom(model.basisParameters());
      coordinateParameters.copyFrom(model.coordinateParameters());
    }
    targetBasis.load(TARGET, tensors, fileName);
    targetCoordinates.load(TARGET, tensors, fileName);
    coordinateOptimiser.load(ADAM, tensors, fileName);
    if (basisOptimiser != null) {
      basisOptimiser.load(ADAM_BASIS, tensors, fileName);
    } else {
      tableStep.load(TABLE_STEP, tensors, fileName);
    }
    if (block != null) {
      block.restart();
    }
    step = steps;
  }

  @Override
  public boolean isFinite() {
    return Stream.of(basisParameters, coordinateParameters, targetBasis, targetCoordinates)
            .flatMap(part -> part.asMap().values().stream())
            .allMatch(Tensors::isFinite)
        && coordinateOptimiser.isFinite()
        && (basisOptimiser == null || basisOptimiser.isFinite());
  }

  @Override
  public void close() {
    if (block != null) {
      block.close();
      block = null;
    }
    coordinateOptimiser.close();
    if (basisOptimiser != null) {
      basisOptimiser.close();
    } else {
      tableStep.close();
    }
    targetBasis.close();
    targetCoordinates.close();
    if (device.isCuda()) {
      basisParameters.close();
      coordinateParameters.close();
    }
    if (enrichedPolicies != null) {
      enrichedPolicies.close();
    }
    lastLoss.close();
    model.close();
  }
}
