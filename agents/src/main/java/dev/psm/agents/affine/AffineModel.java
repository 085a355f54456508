package dev.psm.agents.affine;

import dev.psm.agents.SolveMethod;
import dev.psm.agents.affine.AffineBasis.Evaluated;
import dev.psm.agents.affine.AffinePsmSettings.Representation;
import dev.psm.agents.finite.FiniteModel;
import dev.psm.core.Seeds;
import dev.psm.core.UserError;
import dev.psm.core.io.DType;
import dev.psm.core.io.TensorData;
import dev.psm.core.mdp.TransitionTable;
import dev.psm.core.reward.CanonicalReward;
import dev.psm.torch.Parameters;
import dev.psm.torch.Tensors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.LongOptional;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * The learned basis Φ, bias b and codebook, and the four ways to solve a reward with them. No
 * optimiser of them here.
 */
public final class AffineModel extends FiniteModel {
  private final AffineShape shape;
  private final TransitionTable data;
  private final Codebook codebook;
  private final AffineBasis basis;
  private final Coordinates coordinates;
  private final Parameters basisParameters;
  private final Parameters coordinateParameters;
  private final float[] rho;
  private final int[] solveCodes;
  private final SolveMethod method;
  private int[][] enriched = new int[0][];

  /** A fresh model; the shape's seed decides initial values and the codebook. */
  public AffineModel(AffineShape shape, TransitionTable data) {
    super(data);
    this.shape = shape;
    this.data = data;
    this.codebook = new Codebook(data.stateCount(), data.actionCount(), shape.seed());
    RandomGenerator random = Seeds.generator(shape.seed());
    this.coordinates = new Coordinates(shape, random);
    int length = coordinates.length();
    this.basis =
        switch (shape.representation()) {
          case TABLES -> new TableBasis(data.stateCount(), data.actionCount(), length);
          case NETWORKS ->
              new NetworkBasis(
                  observations(), data.actionCount(), length, shape.basisWidth(), random);
        };
    this.basisParameters = basis.parameters();
    this.coordinateParameters = coordinates.parameters();
    double[] distribution = data.nextStateDistribution();
    this.rho = new float[distribution.length];
    for (int state = 0; state < rho.length; state++) {
      rho[state] = (float) distribution[state];
    }
    this.solveCodes = random.ints(shape.solveCodes(), 0, Codebook.CODE_COUNT).toArray();
    this.method = shape.solve();
  }

  /** A view that solves by another method. */
  private AffineModel(AffineModel model, SolveMethod method) {
    super(model.data);
    this.shape = model.shape;
    this.data = model.data;
    this.codebook = model.codebook;
    this.basis = model.basis;
    this.coordinates = model.coordinates;
    this.basisParameters = model.basisParameters;
    this.coordinateParameters = model.coordinateParameters;
    this.rho = model.rho;
    this.solveCodes = model.solveCodes;
    this.method = method;
    this.enriched = model.enriched;
  }

  /** The shapes of the networks' or tables' tensors of a model that need not exist. */
  static Map<String, long[]> tensorShapes(AffineShape shape, TransitionTable data) {
    int actions = data.actionCount();
    int length = shape.coordinateLength();
    Map<String, long[]> shapes =
        switch (shape.representation()) {
          case TABLES -> TableBasis.shapes(data.stateCount(), actions, length);
          case NETWORKS ->
              NetworkBasis.shapes(
                  data.observations()[0].length, actions, length, shape.basisWidth());
        };
    shapes.putAll(Coordinates.shapes(shape));
    return shapes;
  }

  @Override
  public AffineShape shape() {
    return shape;
  }

  TransitionTable data() {
    return data;
  }

  Codebook codebook() {
    return codebook;
  }

  AffineBasis basis() {
    return basis;
  }

  Coordinates coordinates() {
    return coordinates;
  }

  /** Φ's and b's tensors. */
  public Parameters basisParameters() {
    return basisParameters;
  }

  /** The coordinate network's tensors. */
  public Parameters coordinateParameters() {
    return coordinateParameters;
  }

  /** Enriched policies, one action per state; empty before enrichment. */
  int[][] enriched() {
    return enriched;
  }

  void setEnriched(int[][] policies) {
    enriched = policies;
  }

  /** ρ as a vector over states. */
  Tensor rho() {
    return Tensors.floats(rho, rho.length);
  }

  /** Φ and b on every triple, without gradient. */
  Evaluated evaluated() {
    return basis.everywhere(basisParameters);
  }

  /** Coordinates of the codes that solving looks at: the hash codes, then the enriched ones. */
  Tensor candidateCoordinates() {
    Tensor hashed = coordinates.ofCodes(coordinateParameters, solveCodes);
    return enriched.length == 0
        ? hashed
        : torch.cat(new TensorVector(hashed, coordinates.ofEnriched()), 0);
  }

  @Override
  public double[][][] actionValues(double[][] rewards) {
    return actionValues(rewards, method);
  }

  @Override
  public List<SolveMethod> methods() {
    List<SolveMethod> methods = new ArrayList<>(List.of(SolveMethod.values()));
    methods.remove(method);
    methods.add(0, method);
    return methods;
  }

  @Override
  public AffineModel solvingBy(SolveMethod other) {
    return other == method ? this : new AffineModel(this, other);
  }

  @Override
  public double[][][] quickActionValues(double[][] rewards) {
    return actionValues(rewards, SolveMethod.GPI);
  }

  /** Solves by a named method; see {@link SolveMethod}. */
  public double[][][] actionValues(double[][] rewards, SolveMethod method) {
    List<CanonicalReward> canonical = CanonicalReward.ofAll(rewards, data.stateCount());
    if (rewards.length == 0) {
      return new double[0][][];
    }
    try (PointerScope scope = new PointerScope();
        NoGradGuard noGradient = new NoGradGuard()) {
      Evaluated evaluated = evaluated();
      // ρ turns densities into measures: Q(s,a) = Σ r(s⁺) ρ(s⁺) m(s,a,s⁺).
      Tensor weighted = Tensors.matrix(CanonicalReward.values(canonical)).mul(rho());
      Projected projected = project(evaluated, weighted);
      Tensor q =
          switch (method) {
            case GPI -> projected.gpi(candidateCoordinates());
            case BEST -> projected.at(projected.bestCoordinates(candidateCoordinates()));
            case DUAL -> projected.at(dual(evaluated, projected, weighted));
            case LP -> projected.at(BoxProgram.solve(evaluated, projected));
          };
      return finite(unpack(Tensors.toFloats(q), canonical));
    }
  }

  @Override
  public double[][] basis(int pair) {
    try (PointerScope scope = new PointerScope();
        NoGradGuard noGradient = new NoGradGuard()) {
      return rows(evaluated().basis().narrow(0, firstTriple(pair), data.stateCount()).t());
    }
  }

  /**
   * By GPI the measure of the code that is best at this very pair, by BEST that of the one code; by
   * the other methods it is of no code, so its policy is the greedy one.
   */
  @Override
  public LearnedMeasure measure(int pair, double[] reward) {
    double[] canonical = CanonicalReward.of(reward).values();
    try (PointerScope scope = new PointerScope();
        NoGradGuard noGradient = new NoGradGuard()) {
      Evaluated evaluated = evaluated();
      Tensor weighted = Tensors.matrix(new double[][] {canonical}).mul(rho());
      Projected projected = project(evaluated, weighted);
      Tensor candidates = candidateCoordinates();
      Tensor w;
      int[] policy;
      if (method == SolveMethod.GPI || method == SolveMethod.BEST) {
        Tensor scores =
            method == SolveMethod.BEST
                ? projected.meanQ(candidates)
                : projected.basis().select(1, pair).matmul(candidates.t());
        int code = (int) scores.argmax(new LongOptional(1), false).item_long();
        w = candidates.select(0, code);
        policy =
            code < solveCodes.length
                ? codebook.policy(solveCodes[code])
                : enriched[code - solveCodes.length].clone();
      } else {
        w =
            (method == SolveMethod.DUAL
                    ? dual(evaluated, projected, weighted)
                    : BoxProgram.solve(evaluated, projected))
                .select(0, 0);
        policy = greedy(actionValues(new double[][] {reward})[0]);
      }
      long first = firstTriple(pair);
      long states = data.stateCount();
      Tensor density =
          evaluated
              .basis()
              .narrow(0, first, states)
              .matmul(w)
              .add(evaluated.bias().narrow(0, first, states));
      return new LearnedMeasure(rows(density.mul(rho()).unsqueeze(0))[0], policy);
    }
  }

  private long firstTriple(int pair) {
    return (long) pair * data.stateCount();
  }

  private Tensor dual(Evaluated evaluated, Projected projected, Tensor weightedRewards) {
    if (shape.representation() == Representation.NETWORKS) {
      return new LagrangeNetwork(shape, evaluated, observations(), data.actionCount())
          // The published objective is the density m(s, a, g), which for a goal is Q over ρ(g).
          .solve(
              projected.dividedBy(weightedRewards.abs().sum(1).clamp_min(Tensors.scalar(1e-12))),
              Seeds.generator(solveCodes[0]));
    }
    return new DualDescent(shape.dualSteps(), shape.dualLearningRate(), evaluated)
        .solve(projected, projected.bestCoordinates(candidateCoordinates()));
  }

  private Tensor observations() {
    return Tensors.floats(
        data.flatObservations(), data.stateCount(), data.observations()[0].length);
  }

  /** Contracts s⁺ with each reward: what is left is linear in w, Q = (Φr)w + br. */
  private Projected project(Evaluated evaluated, Tensor weightedRewards) {
    long pairs = data.pairCount();
    long states = data.stateCount();
    long length = evaluated.basis().size(1);
    Tensor phi = evaluated.basis().view(pairs, states, length).permute(1, 0, 2);
    Tensor basisReward =
        weightedRewards
            .matmul(phi.reshape(states, pairs * length))
            .view(weightedRewards.size(0), pairs, length);
    Tensor biasReward = weightedRewards.matmul(evaluated.bias().view(pairs, states).t());
    return new Projected(basisReward, biasReward);
  }

  /**
   * Q of every prompt as a function of w.
   *
   * @param basis prompts × pairs × length
   * @param bias prompts × pairs
   */
  record Projected(Tensor basis, Tensor bias) {

    /** Each prompt's Q over a number of its own. */
    Projected dividedBy(Tensor perPrompt) {
      return new Projected(basis.div(perPrompt.view(-1, 1, 1)), bias.div(perPrompt.view(-1, 1)));
    }

    /** Q for one w per prompt: prompts × pairs. */
    Tensor at(Tensor w) {
      return basis.matmul(w.unsqueeze(2)).squeeze(2).add(bias);
    }

    /** The candidate with the highest mean Q, per prompt: prompts × length. */
    Tensor bestCoordinates(Tensor candidates) {
      return candidates.index_select(0, meanQ(candidates).argmax(new LongOptional(1), false));
    }

    /** What every candidate earns on average, but for the bias: prompts × candidates. */
    Tensor meanQ(Tensor candidates) {
      return basis.mean(1).matmul(candidates.t());
    }

    /** max over candidates of Q, per prompt and pair. */
    Tensor gpi(Tensor candidates) {
      TensorVector rows = new TensorVector();
      for (long prompt = 0; prompt < basis.size(0); prompt++) {
        Tensor q = basis.select(0, prompt).matmul(candidates.t());
        rows.push_back(q.amax(new long[] {1}, false).add(bias.select(0, prompt)));
      }
      return torch.stack(rows);
    }
  }

  private double[][][] unpack(float[] flat, List<CanonicalReward> rewards) {
    int states = data.stateCount();
    int actions = data.actionCount();
    double[][][] q = new double[rewards.size()][states][actions];
    int next = 0;
    for (int prompt = 0; prompt < q.length; prompt++) {
      double scale = rewards.get(prompt).scale();
      for (double[] row : q[prompt]) {
        for (int action = 0; action < actions; action++) {
          row[action] = scale * flat[next++];
        }
      }
    }
    return q;
  }

  @Override
  public Map<String, TensorData> tensors() {
    Map<String, TensorData> tensors = new LinkedHashMap<>();
    basisParameters.export("", tensors);
    coordinateParameters.export("", tensors);
    if (enriched.length > 0) {
      long[] flat = new long[enriched.length * data.stateCount()];
      for (int i = 0; i < flat.length; i++) {
        flat[i] = enriched[i / data.stateCount()][i % data.stateCount()];
      }
      tensors.put("codebook.enriched", TensorData.of(flat, enriched.length, data.stateCount()));
    }
    return tensors;
  }

  /** A model from before its enrichment, as a young run saves it, has no enriched policies. */
  @Override
  public void load(Map<String, TensorData> tensors, String fileName) {
    basisParameters.load("", tensors, fileName);
    coordinateParameters.load("", tensors, fileName);
    TensorData policies = tensors.get("codebook.enriched");
    if (policies == null) {
      enriched = new int[0][];
      return;
    }
    long[] found = policies.shape();
    if (found.length != 2 || found[0] != shape.enrichedCodes() || found[1] != data.stateCount()) {
      throw UserError.invalid(
          "%s: tensor 'codebook.enriched' has shape %s, expected [%d, %d]",
          fileName, Arrays.toString(found), shape.enrichedCodes(), data.stateCount());
    }
    if (policies.dtype() != DType.I64) {
      throw UserError.invalid(
          "%s: tensor 'codebook.enriched' has type %s, expected I64", fileName, policies.dtype());
    }
    long[] flat = policies.longs();
    enriched = new int[shape.enrichedCodes()][data.stateCount()];
    for (int i = 0; i < flat.length; i++) {
      if (flat[i] < 0 || flat[i] >= data.actionCount()) {
        throw UserError.invalid(
            "%s: tensor 'codebook.enriched' holds %d, expected an action from 0 to %d",
            fileName, flat[i], data.actionCount() - 1);
      }
      enriched[i / data.stateCount()][i % data.stateCount()] = (int) flat[i];
    }
  }

  @Override
  public void close() {
    basisParameters.close();
    coordinateParameters.close();
  }
}
