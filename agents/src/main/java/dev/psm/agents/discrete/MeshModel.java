package dev.psm.agents.discrete;

import static dev.psm.torch.Tensors.scalar;

import dev.psm.agents.SolveMethod;
import dev.psm.agents.affine.AffineSolving;
import dev.psm.agents.training.ActionCodebook;
import dev.psm.core.Seeds;
import dev.psm.core.UserError;
import dev.psm.core.io.TensorData;
import dev.psm.core.settings.Limits;
import dev.psm.torch.ParallelMlp;
import dev.psm.torch.Parameters;
import dev.psm.torch.Tensors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * The learned measure m(s, a, s⁺) = Φ(s, a, s⁺)·w + b(s, a, s⁺), and the ways to solve a reward
 * with it. A reward is what it pays in some states s⁺_k of the data, its <em>supports</em>, and
 *
 * <pre>
 *   Q_w(s, a) = Σ_k r_k m(s, a, s⁺_k)
 * </pre>
 *
 * is linear in w. Features of a state are its code, a task is supports and, unless the best of all
 * codes is looked for in every state anew (GPI), coordinates w. Acting is greedy.
 */
public final class MeshModel extends CodedModel {
  static final String STATES = "solve.states";

  private static final List<SolveMethod> METHODS =
      List.of(SolveMethod.GPI, SolveMethod.BEST, SolveMethod.DUAL);

  /** Prompts that are solved at once. */
  private static final int PROMPTS_AT_ONCE = 256;

  private final Shape shape;
  private final SolveMethod method;
  private final Parameters measure;
  private final Parameters coordinates;
  private final SupportedTasks tasks;
  private final SupportSums sums;

  /** Observations that solving averages over: states × observation. */
  private final TensorData states;

  /** Coordinates of all codes that are looked at, each with the bias's 1: codes × (d + 1). */
  private final Tensor candidates;

  /**
   * What a model is, whatever trained it.
   *
   * @param basisDimension d
   * @param supports the most states that a task reads a reward in
   * @param seed of the codes that solving looks at
   */
  public record Shape(
      int basisDimension,
      int width,
      int layers,
      int coordinateWidth,
      int coordinateLayers,
      int enrichedCodes,
      int solveCodes,
      int solveStates,
      int supports,
      SolveMethod solve,
      int dualSteps,
      double dualLearningRate,
      long seed) {
    private static final int MAX_CODES = 1 << 16;
    private static final int MAX_STATES = 1 << 10;
    private static final int MAX_SUPPORTS = 1 << 14;
    private static final long MAX_ACTIVATIONS = 1L << 28;
    private static final int MAX_DUAL_STEPS = 10_000_000;

    public Shape {
      Limits.requireSize(1, "basisDimension", basisDimension);
      Limits.requireSize(1, "width", width);
      Limits.requireAtLeast(1, "layers", layers);
      Limits.requireLayers("layers", layers);
      Limits.requireSize(1, "coordinateWidth", coordinateWidth);
      Limits.requireLayers("coordinateLayers", coordinateLayers);
      Limits.requireSize(0, "enrichedCodes", enrichedCodes);
      Limits.requireAtLeast(1, "solveCodes", solveCodes);
      Limits.requireAtMost(MAX_CODES, "solveCodes", solveCodes);
      Limits.requireAtLeast(1, "solveStates", solveStates);
      Limits.requireAtMost(MAX_STATES, "solveStates", solveStates);
      Limits.requireAtLeast(1, "supports", supports);
      Limits.requireAtMost(MAX_SUPPORTS, "supports", supports);
      Limits.requireAtLeast(1, "dualSteps", dualSteps);
      Limits.requireAtMost(MAX_DUAL_STEPS, "dualSteps", dualSteps);
      Limits.requirePositive("dualLearningRate", dualLearningRate);
      requireMethod(solve);
      // What solving makes of these must fit into memory too, whoever wrote them down.
      long widest = Math.max(coordinateWidth, basisDimension);
      if (solveCodes * widest > MAX_ACTIVATIONS) {
        throw UserError.invalid(
            "solveCodes=%d times a width of %d are more than %d numbers; lower one of them",
            solveCodes, widest, MAX_ACTIVATIONS);
      }
    }

    MeasureNetwork.Layout layout(int state, int entered, int actions) {
      MeasureNetwork.Layout layout =
          new MeasureNetwork.Layout(state, entered, actions, basisDimension, width, layers);
      layout.check();
      return layout;
    }

    ParallelMlp coordinateShape() {
      return CoordinateNetwork.shape(basisDimension, coordinateWidth, coordinateLayers);
    }
  }

  private static void requireMethod(SolveMethod method) {
    if (!METHODS.contains(method)) {
      throw UserError.invalid(
          "affine PSM on meshes solves by gpi, best or dual, found %s; on sampled states there is"
              + " no linear programme",
          method);
    }
  }

  /**
   * @param tensors whose shapes are {@link #tensorShapes}
   */
  MeshModel(
      Shape shape,
      int observationSize,
      int actionCount,
      Map<String, TensorData> tensors,
      String fileName) {
    super(ObservationCode.of(observationSize, tensors, fileName));
    this.shape = shape;
    this.method = shape.solve;
    this.tasks = new SupportedTasks(shape.basisDimension, code().enteredSize(), shape.supports);
    MeasureNetwork.Layout layout = shape.layout(observationSize, code().enteredSize(), actionCount);
    this.measure = layout.blank();
    measure.load("", tensors, fileName);
    this.sums = new SupportSums(layout, measure, code(), tasks);
    this.coordinates = new Parameters();
    shape.coordinateShape().blank(coordinates, 1);
    if (shape.enrichedCodes > 0) {
      coordinates.add(
          EnrichedCodes.COORDINATES, torch.zeros(1, shape.enrichedCodes, shape.basisDimension));
    }
    coordinates.load("", tensors, fileName);
    this.states = tensors.get(STATES);
    states.finiteFloats(STATES, fileName);
    this.candidates = candidates();
  }

  /** The same model, which answers prompts by another method. */
  private MeshModel(MeshModel other, SolveMethod method) {
    super(other.code());
    this.shape = other.shape;
    this.method = method;
    this.tasks = other.tasks;
    this.sums = other.sums;
    this.measure = other.measure;
    this.coordinates = other.coordinates;
    this.states = other.states;
    this.candidates = other.candidates;
  }

  static Map<String, long[]> tensorShapes(Shape shape, int observationSize, int actionCount) {
    Map<String, long[]> shapes = new LinkedHashMap<>(ObservationCode.shapes(observationSize));
    shapes.putAll(
        shape
            .layout(observationSize, ObservationCode.enteredSize(observationSize), actionCount)
            .shapes());
    shapes.putAll(shape.coordinateShape().shapes(1));
    if (shape.enrichedCodes > 0) {
      shapes.put(
          EnrichedCodes.COORDINATES, new long[] {1, shape.enrichedCodes, shape.basisDimension});
    }
    shapes.put(STATES, new long[] {shape.solveStates, observationSize});
    return shapes;
  }

  /** The codebook's, drawn by the seed, then the enriched ones. */
  private Tensor candidates() {
    try (PointerScope scope = new PointerScope();
        NoGradGuard noGradient = new NoGradGuard()) {
      RandomGenerator random = Seeds.generator(Seeds.mix(shape.seed, 0, "solve codes"));
      float[] bits = new float[shape.solveCodes * ActionCodebook.CODE_BITS];
      for (int i = 0; i < bits.length; i++) {
        bits[i] = random.nextInt(2);
      }
      Tensor w =
          Tensors.onSphere(
              shape
                  .coordinateShape()
                  .forward(
                      coordinates,
                      Tensors.floats(bits, 1, shape.solveCodes, ActionCodebook.CODE_BITS)));
      if (shape.enrichedCodes > 0) {
        Tensor enriched = Tensors.onSphere(coordinates.get(EnrichedCodes.COORDINATES));
        w = torch.cat(new TensorVector(w, enriched), 1);
      }
      return withBias(w.squeeze(0)).retainReference();
    }
  }

  private static Tensor withBias(Tensor w) {
    return torch.cat(new TensorVector(w, torch.ones_like(w.narrow(1, 0, 1))), 1);
  }

  @Override
  public Shape shape() {
    return shape;
  }

  @Override
  public List<SolveMethod> methods() {
    List<SolveMethod> methods = new ArrayList<>(METHODS);
    methods.remove(method);
    methods.add(0, method);
    return methods;
  }

  @Override
  public MeshModel solvingBy(SolveMethod other) {
    requireMethod(other);
    return new MeshModel(this, other);
  }

  /** Features are codes of entered states. */
  @Override
  public int featureDimension() {
    return code().enteredSize();
  }

  @Override
  Tensor features(Tensor observations, boolean asGoals) {
    return asGoals ? code().goals(observations) : code().wholes(observations);
  }

  @Override
  public int taskSize() {
    return tasks.size();
  }

  @Override
  public float[] taskVector(float[] phi, double[] rewards) {
    return solved(tasks.paying(phi, rewards));
  }

  @Override
  public float[] goalVectors(float[] phi, float[] wanted) {
    int count = wanted.length / featureDimension();
    float[] pursued = new float[count * taskSize()];
    for (int i = 0; i < count; i++) {
      System.arraycopy(tasks.paidIn(wanted, i), 0, pursued, i * taskSize(), taskSize());
    }
    return solved(pursued);
  }

  /** Finds w of tasks that have none yet, all at once. */
  private float[] solved(float[] prompts) {
    if (method == SolveMethod.GPI) {
      return prompts;
    }
    float[] solved = prompts.clone();
    int count = prompts.length / taskSize();
    for (int from = 0; from < count; from += PROMPTS_AT_ONCE) {
      int to = Math.min(count, from + PROMPTS_AT_ONCE);
      float[] found = coordinates(Arrays.copyOfRange(prompts, from * taskSize(), to * taskSize()));
      for (int i = from; i < to; i++) {
        tasks.mean(solved, i, found, i - from);
      }
    }
    return solved;
  }

  /** w of tasks, one after the other. */
  private float[] coordinates(float[] prompts) {
    try (PointerScope scope = new PointerScope();
        NoGradGuard noGradient = new NoGradGuard()) {
      int count = prompts.length / taskSize();
      Tensor basis = sums.everywhere(states.floats(), prompts, count);
      Tensor w = AffineSolving.best(basis, candidates);
      return Tensors.toFloats(
          method == SolveMethod.DUAL
              ? AffineSolving.dual(
                  sums.between(states.floats()), basis, w, shape.dualSteps, shape.dualLearningRate)
              : w);
    }
  }

  @Override
  public float[] act(float[] observations, float[] pursued) {
    try (PointerScope scope = new PointerScope();
        NoGradGuard noGradient = new NoGradGuard()) {
      return greedy(actionValues(observations, pursued));
    }
  }

  /** Q of every action: rows × actions. */
  private Tensor actionValues(float[] observations, float[] prompts) {
    Tensor basis = sums.of(observations, prompts);
    long rows = basis.size(0);
    float[] own = new float[(int) rows * shape.basisDimension];
    float[] isMeant = new float[(int) rows];
    boolean allMeant = true;
    for (int row = 0; row < rows; row++) {
      isMeant[row] = tasks.isMeant(prompts, row) ? 1 : 0;
      allMeant &= isMeant[row] > 0;
      tasks.coordinates(prompts, row, own);
    }
    Tensor byOwn =
        basis.matmul(withBias(Tensors.floats(own, rows, shape.basisDimension)).unsqueeze(2));
    if (allMeant) {
      return byOwn.squeeze(2);
    }
    Tensor byAll = basis.matmul(candidates.t()).amax(new long[] {2}, false);
    Tensor meant = Tensors.floats(isMeant, rows, 1).gt(scalar(0));
    return torch.where(meant, byOwn.squeeze(2), byAll);
  }

  /** m of every action between two states, of the codebook's first code. */
  double[] densities(float[] observation, float[] entered) {
    try (PointerScope scope = new PointerScope();
        NoGradGuard noGradient = new NoGradGuard()) {
      Tensor basis = sums.of(observation, tasks.paidIn(features(entered), 0));
      return Tensors.toDoubles(basis.matmul(candidates.narrow(0, 0, 1).t()).view(-1));
    }
  }

  @Override
  public Map<String, TensorData> tensors() {
    Map<String, TensorData> tensors = new LinkedHashMap<>();
    code().export(tensors);
    measure.export("", tensors);
    coordinates.export("", tensors);
    tensors.put(STATES, states);
    return tensors;
  }

  @Override
  public void close() {
    code().close();
    measure.close();
    coordinates.close();
    candidates.close();
  }
}
