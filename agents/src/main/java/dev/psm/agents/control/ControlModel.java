package dev.psm.agents.control;

import dev.psm.agents.Model;
import dev.psm.agents.TaskRule;
import dev.psm.core.UserError;
import dev.psm.core.io.TensorData;
import dev.psm.torch.Parameters;
import dev.psm.torch.Tensors;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * What pretraining leaves behind: features in which a reward becomes a task vector, and an actor
 * that pursues any task vector. Neither optimisers nor successor features are needed to act.
 */
public final class ControlModel implements Model {
  static final String CENTRE = "features.centre";

  /**
   * A layer norm sums the squares of the first layer's outputs in single precision, which ends at
   * 3.4e38: beyond that it divides by infinity, and every observation looks alike. Of a thousand
   * outputs this leaves room for weights that add up to 500 for each.
   */
  private static final float LARGEST_INPUT = (float) 1e15;

  private final Shape shape;
  private final int observationSize;
  private final int actionSize;
  private final NetworkShapes networks;
  private final Parameters features;
  private final Parameters actor;
  private final Parameters centre = new Parameters();

  /** Where methods differ once they have learned. */
  public enum Kind {
    /** Orthonormal features on the √d sphere; the task vector of a reward is E[rφ]. */
    MEASURE(true, TaskRule.CORRELATION),

    /** Features on the √d sphere; the task vector is the reward's least-squares fit. */
    SPHERICAL_FEATURES(true, TaskRule.LEAST_SQUARES),

    /** Features without a head, centred; the task vector is the reward's least-squares fit. */
    CENTRED_FEATURES(false, TaskRule.LEAST_SQUARES);

    private final boolean onSphere;
    private final TaskRule rule;

    Kind(boolean onSphere, TaskRule rule) {
      this.onSphere = onSphere;
      this.rule = rule;
    }

    /** Whether features are scaled to length √d. */
    public boolean onSphere() {
      return onSphere;
    }

    /**
     * Whether features are distances, so that the way to a goal is the straight one there: see
     * {@link ControlModel#direction}.
     */
    public boolean goalsAreDirections() {
      return this == CENTRED_FEATURES;
    }
  }

  /** What a model is, whatever trained it. */
  public record Shape(Kind kind, NetworkSizes networks) {}

  /** A model without values, to {@link #load} some into. */
  public ControlModel(Shape shape, int observationSize, int actionSize) {
    this.shape = shape;
    this.observationSize = observationSize;
    this.actionSize = actionSize;
    this.networks = NetworkShapes.of(shape.networks, observationSize, actionSize, 1);
    this.features = networks.blankFeatures();
    this.actor = networks.actor().blank();
    centre.add(CENTRE, torch.zeros(1, 1, featureDimension()));
  }

  /**
   * The model of a file, whose tensors are compared with the shape before anything of the shape's
   * sizes is allocated.
   */
  public static ControlModel of(
      Shape shape,
      int observationSize,
      int actionSize,
      Map<String, TensorData> tensors,
      String fileName) {
    Map<String, long[]> shapes =
        NetworkShapes.of(shape.networks, observationSize, actionSize, 1).weights();
    shapes.put(CENTRE, new long[] {1, 1, shape.networks.featureDimension()});
    Parameters.require(shapes, tensors, fileName);
    ControlModel model = new ControlModel(shape, observationSize, actionSize);
    try {
      model.load(tensors, fileName);
      return model;
    } catch (RuntimeException e) {
      model.close();
      throw e;
    }
  }

  @Override
  public Shape shape() {
    return shape;
  }

  public Kind kind() {
    return shape.kind;
  }

  @Override
  public int observationSize() {
    return observationSize;
  }

  public int actionSize() {
    return actionSize;
  }

  @Override
  public float largestInput() {
    return LARGEST_INPUT;
  }

  @Override
  public int featureDimension() {
    return shape.networks.featureDimension();
  }

  /** A task vector has as many numbers as the features. */
  @Override
  public int taskSize() {
    return featureDimension();
  }

  @Override
  public float[] features(float[] observations) {
    try (PointerScope scope = new PointerScope();
        NoGradGuard noGradient = new NoGradGuard()) {
      long count = count(observations);
      Tensor x = Tensors.floats(observations, 1, count, observationSize);
      Tensor phi = networks.features().forward(features, x).sub(centre.get(CENTRE));
      return Tensors.toFloats(shape.kind.onSphere ? Tensors.onSphere(phi) : phi);
    }
  }

  @Override
  public Optional<TaskRule> taskRule() {
    return Optional.of(shape.kind.rule);
  }

  @Override
  public float[] taskVector(float[] phi, double[] rewards) {
    return shape.kind.rule.ofReward(phi, rewards);
  }

  @Override
  public float[] goalVectors(float[] phi, float[] goals) {
    return shape.kind.rule.ofGoals(phi, goals, featureDimension());
  }

  /**
   * The task vector of going from where one is to a state, φ(g) − φ(s): HILP's own rule for goals.
   *
   * @param goal features of the state
   * @param observation where one is
   */
  @Override
  public float[] direction(float[] goal, float[] observation) {
    float[] here = features(observation);
    double square = 0;
    for (int i = 0; i < here.length; i++) {
      here[i] = goal[i] - here[i];
      square += (double) here[i] * here[i];
    }
    double scale = Math.sqrt(here.length) / Math.max(Math.sqrt(square), 1e-12);
    for (int i = 0; i < here.length; i++) {
      here[i] = (float) (here[i] * scale);
    }
    return here;
  }

  @Override
  public boolean goalsAreDirections() {
    return shape.kind.goalsAreDirections();
  }

  /** The actor's mean actions. */
  @Override
  public float[] act(float[] observations, float[] tasks) {
    try (PointerScope scope = new PointerScope();
        NoGradGuard noGradient = new NoGradGuard()) {
      long count = count(observations);
      return Tensors.toFloats(
          networks.meanAction(
              actor,
              Tensors.floats(observations, 1, count, observationSize),
              Tensors.floats(tasks, 1, count, featureDimension())));
    }
  }

  private long count(float[] observations) {
    if (observations.length % observationSize != 0) {
      throw new IllegalArgumentException(
          "%d numbers are not a whole number of observations of %d"
              .formatted(observations.length, observationSize));
    }
    return observations.length / observationSize;
  }

  @Override
  public Map<String, TensorData> tensors() {
    Map<String, TensorData> tensors = new LinkedHashMap<>();
    features.export("", tensors);
    actor.export("", tensors);
    centre.export("", tensors);
    return tensors;
  }

  /** Takes every tensor from a file's; a missing one or another shape is refused by name. */
  public void load(Map<String, TensorData> tensors, String fileName) {
    features.load("", tensors, fileName);
    actor.load("", tensors, fileName);
    centre.load("", tensors, fileName);
  }

  @Override
  public void close() {
    features.close();
    actor.close();
    centre.close();
  }

  static TensorData required(Map<String, TensorData> tensors, String name, String fileName) {
    TensorData tensor = tensors.get(name);
    if (tensor == null) {
      throw UserError.invalid("%s: tensor '%s' is missing", fileName, name);
    }
    return tensor;
  }
}
