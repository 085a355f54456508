package dev.psm.agents.discrete;

import dev.psm.agents.TaskRule;
import dev.psm.core.io.TensorData;
import dev.psm.core.settings.Limits;
import dev.psm.torch.ParallelMlp;
import dev.psm.torch.Parameters;
import dev.psm.torch.Tensors;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;

/**
 * What Forward-Backward or Laplacian leaves behind: features in which a reward becomes a task
 * vector z, and a network whose values ψᵀz say which action is best for it.
 */
public final class DiscreteModel extends CodedModel {
  private final Shape shape;
  private final SuccessorNetwork.Layout layout;
  private final Parameters features;
  private final Parameters successor;

  /** How a reward becomes a task vector. */
  public enum Kind {
    /** E[rB]: B is orthonormal. */
    MEASURE(TaskRule.CORRELATION),

    /** The reward's least-squares fit in the features. */
    FEATURES(TaskRule.LEAST_SQUARES);

    private final TaskRule rule;

    Kind(TaskRule rule) {
      this.rule = rule;
    }
  }

  /** What a model is, whatever trained it. */
  public record Shape(
      Kind kind, FeatureScope featureScope, int featureDimension, int width, int featureWidth) {
    public Shape {
      Limits.requireSize(1, "featureDimension", featureDimension);
      Limits.requireSize(1, "width", width);
      Limits.requireSize(1, "featureWidth", featureWidth);
    }

    ParallelMlp features(int entered) {
      return FeatureNetwork.shape(entered, featureWidth, featureDimension);
    }

    SuccessorNetwork.Layout successor(int state, int actions) {
      return new SuccessorNetwork.Layout(state, actions, featureDimension, width);
    }
  }

  /**
   * @param tensors whose shapes are {@link #tensorShapes}
   */
  DiscreteModel(
      Shape shape,
      int observationSize,
      int actionCount,
      Map<String, TensorData> tensors,
      String fileName) {
    super(ObservationCode.of(observationSize, tensors, fileName));
    this.shape = shape;
    this.layout = shape.successor(observationSize, actionCount);
    this.features = new Parameters();
    shape.features(code().enteredSize()).blank(features, 1);
    features.load("", tensors, fileName);
    this.successor = new Parameters();
    layout.shape().blank(successor, 1);
    successor.load("", tensors, fileName);
  }

  static Map<String, long[]> tensorShapes(Shape shape, int observationSize, int actionCount) {
    Map<String, long[]> shapes = new LinkedHashMap<>(ObservationCode.shapes(observationSize));
    shapes.putAll(shape.features(observationSize + 1).shapes(1));
    shapes.putAll(shape.successor(observationSize, actionCount).shape().shapes(1));
    return shapes;
  }

  @Override
  public Shape shape() {
    return shape;
  }

  @Override
  public int featureDimension() {
    return shape.featureDimension;
  }

  /** A task vector has as many numbers as the features. */
  @Override
  public int taskSize() {
    return featureDimension();
  }

  @Override
  Tensor features(Tensor observations, boolean asGoals) {
    boolean goalsAlone = asGoals || shape.featureScope == FeatureScope.GOALS;
    Tensor entered = goalsAlone ? code().goals(observations) : code().wholes(observations);
    return Tensors.onSphere(shape.features(code().enteredSize()).forward(features, entered));
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
  public float[] goalVectors(float[] phi, float[] wanted) {
    return shape.kind.rule.ofGoals(phi, wanted, featureDimension());
  }

  @Override
  public float[] act(float[] observations, float[] tasks) {
    try (PointerScope scope = new PointerScope();
        NoGradGuard noGradient = new NoGradGuard()) {
      Tensor states = code().states(Tensors.floats(observations, 1, -1, observationSize()));
      Tensor z = Tensors.floats(tasks, 1, -1, featureDimension());
      Tensor q = SuccessorNetwork.values(layout.forward(successor, states, z), z).squeeze(0);
      return greedy(q);
    }
  }

  @Override
  public Map<String, TensorData> tensors() {
    Map<String, TensorData> tensors = new LinkedHashMap<>();
    code().export(tensors);
    features.export("", tensors);
    successor.export("", tensors);
    return tensors;
  }

  @Override
  public void close() {
    code().close();
    features.close();
    successor.close();
  }
}
