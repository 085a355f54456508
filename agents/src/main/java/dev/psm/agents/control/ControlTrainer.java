package dev.psm.agents.control;

import dev.psm.agents.training.Draw;
import dev.psm.agents.training.Experience;
import dev.psm.agents.training.GradientTrainer;
import dev.psm.core.io.TensorData;
import dev.psm.torch.Device;
import dev.psm.torch.Parameters;
import dev.psm.torch.Slice;
import dev.psm.torch.Tensors;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;

/**
 * What the training of all agents for continuous actions has in common: features, successor
 * features, an actor, and their rates. What a step learns is its subclasses' and {@link
 * PolicyLearner}'s.
 */
public abstract class ControlTrainer extends GradientTrainer {
  private final ControlSettings settings;

  final StepMath math;
  final NetworkShapes shapes;
  final Networks.Features features;
  final Networks.Successor successor;
  final Networks.Actor actor;
  final PolicyLearner policies;

  ControlTrainer(
      ControlSettings settings,
      Experience data,
      List<Long> seeds,
      int featureMembers,
      Double featureTargetRate) {
    this(settings, data, seeds, featureMembers, featureTargetRate, 1);
  }

  /**
   * @param featureMembers feature networks per seed
   * @param featureTargetRate at which the features' target follows; null for no target
   * @param window transitions of {@link Draw#WINDOWS}
   */
  ControlTrainer(
      ControlSettings settings,
      Experience data,
      List<Long> seeds,
      int featureMembers,
      Double featureTargetRate,
      int window) {
    super(data, seeds, settings.draws(data.actionSize(), window));
    if (data.stride() != settings.stride()) {
      throw new IllegalArgumentException(
          "settings of stride %d for transitions of stride %d"
              .formatted(settings.stride(), data.stride()));
    }
    this.settings = settings;
    this.shapes =
        NetworkShapes.of(
            settings.sizes(), data.observationSize(), data.actionSize(), featureMembers);
    Device device = data.device();
    this.math = StepMath.on(device);
    Parameters initial = shapes.initialiseFeatures(device, generators("features"));
    features = train(new Networks.Features(shapes.features(), initial, featureTargetRate));
    successor = successorNetwork("successor", settings.featureDimension());
    initial = shapes.actor().initialise(device, generators("actor"));
    actor = train(new Networks.Actor(shapes.actor(), initial));
    policies = new PolicyLearner(settings, device, math, successor, actor, rate);
  }

  /** ψ(s, a, c) for conditions c of that size, with a target. */
  final Networks.Successor successorNetwork(String name, int conditionSize) {
    Towers shape =
        NetworkShapes.successor(
            name, settings.sizes(), data().observationSize(), conditionSize, data().actionSize());
    Parameters initial = shape.initialise(device(), generators(name));
    return train(new Networks.Successor(name, shape, initial, settings.targetRate()));
  }

  public final ControlSettings settings() {
    return settings;
  }

  @Override
  protected final double rate(long step) {
    return settings.decay().at(progress(step)) * settings.learningRate();
  }

  @Override
  protected final double featureRate(long step) {
    return settings.decay().at(progress(step)) * settings.featureLearningRate();
  }

  /** How far training is at a step, from 0 to 1, as the decay of the rates counts it. */
  double progress(long step) {
    return Math.min(1, (double) step / settings.gradientSteps());
  }

  /** φ as tasks are expressed in it, of observations: seeds × rows × d. */
  abstract Tensor taskFeatures(Tensor observations);

  /** How a model turns a reward into a task vector. */
  abstract ControlModel.Kind kind();

  /** What {@link ControlModel} subtracts from features: seeds × 1 × d; absent where nothing. */
  Optional<Tensor> centre() {
    return Optional.empty();
  }

  @Override
  protected final void measure(Tensor rows, Map<String, double[]> metrics) {
    measureFeatures(taskFeatures(data().observations(rows)), metrics);
  }

  @Override
  public final ControlModel model(long seed) {
    Map<String, TensorData> tensors = new LinkedHashMap<>();
    Slice slice = slice(seed);
    int members = shapes.features().members();
    Slice first = new Slice(slice.index() * members, seeds().size() * members);
    features.weights().export("", tensors, first);
    actor.weights().export("", tensors, slice);
    int d = settings.featureDimension();
    try (PointerScope scope = new PointerScope()) {
      float[] centre =
          centre().map(tensor -> Tensors.toFloats(slice.of(tensor))).orElse(new float[d]);
      tensors.put(ControlModel.CENTRE, TensorData.of(centre, 1, 1, d));
    }
    ControlModel model =
        new ControlModel(
            new ControlModel.Shape(kind(), settings.sizes()),
            data().observationSize(),
            data().actionSize());
    model.load(tensors, "the trainer");
    return model;
  }
}
