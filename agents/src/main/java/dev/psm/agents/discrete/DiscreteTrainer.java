package dev.psm.agents.discrete;

import dev.psm.agents.training.Draw;
import dev.psm.agents.training.Experience;
import dev.psm.agents.training.GradientTrainer;
import dev.psm.core.env.World;
import dev.psm.core.io.TensorData;
import dev.psm.torch.ParallelMlp;
import dev.psm.torch.Parameters;
import dev.psm.torch.Slice;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/** What Forward-Backward and Laplacian have in common: two networks, and their rates. */
abstract class DiscreteTrainer extends GradientTrainer {
  private static final Set<Draw> NEEDS =
      EnumSet.of(Draw.ROWS, Draw.TASK_NOISE, Draw.MIXED, Draw.PERMUTATION);

  private final DiscreteModel.Kind kind;
  private final int actions;
  final DiscreteSettings settings;
  final ObservationCode code;
  final FeatureNetwork features;
  final SuccessorNetwork successor;

  /**
   * @param featureTargetRate null where the features need no target
   */
  DiscreteTrainer(
      DiscreteModel.Kind kind,
      DiscreteSettings settings,
      World world,
      Experience data,
      List<Long> seeds,
      Double featureTargetRate) {
    super(data, seeds, settings.draws());
    this.kind = kind;
    this.settings = settings;
    this.actions = DiscreteAgent.actionCount(world);
    this.code = ObservationCode.of(data.dataset(), world.achievedGoal(), device());
    DiscreteModel.Shape shape = settings.shape(kind);
    ParallelMlp ofFeatures = shape.features(code.enteredSize());
    features =
        train(
            new FeatureNetwork(
                ofFeatures, initial(ofFeatures, FeatureNetwork.NAME), featureTargetRate));
    SuccessorNetwork.Layout layout = shape.successor(data.observationSize(), actions);
    successor =
        train(
            new SuccessorNetwork(
                layout, initial(layout.shape(), SuccessorNetwork.NAME), settings.targetRate()));
  }

  private Parameters initial(ParallelMlp shape, String name) {
    Parameters parameters = new Parameters(device());
    shape.initialise(parameters, generators(name));
    return parameters;
  }

  @Override
  protected final double rate(long step) {
    return decay(step) * settings.learningRate();
  }

  @Override
  protected final double featureRate(long step) {
    return decay(step) * settings.featureLearningRate();
  }

  private double decay(long step) {
    return settings.decay().at(Math.min(1, (double) step / settings.gradientSteps()));
  }

  @Override
  public final Set<Draw> needs(long step) {
    return NEEDS;
  }

  /** Whether goals are entered states of a kind of their own. */
  final boolean hasTwoKinds() {
    return settings.featureScope() == FeatureScope.BOTH && code.isPartial();
  }

  /** Codes of entered states, of which features are those of rewards: seeds × rows × entered. */
  final Tensor entered(Tensor observations) {
    return settings.featureScope() == FeatureScope.GOALS
        ? code.goals(observations)
        : code.wholes(observations);
  }

  /** Of all kinds, goals below whole states where there are two: seeds × rows or 2·rows × …. */
  final Tensor allKinds(Tensor observations) {
    return hasTwoKinds()
        ? torch.cat(new TensorVector(entered(observations), code.goals(observations)), 1)
        : entered(observations);
  }

  /** The actions that were taken: seeds × rows. */
  static Tensor taken(Experience.Batch batch) {
    return batch.actions().squeeze(2).to(torch.ScalarType.Long);
  }

  @Override
  protected final void measure(Tensor rows, Map<String, double[]> metrics) {
    measureFeatures(features.of(entered(data().observations(rows))), metrics);
  }

  @Override
  public final DiscreteModel model(long seed) {
    Map<String, TensorData> tensors = new LinkedHashMap<>();
    Slice slice = slice(seed);
    code.export(tensors);
    features.weights().export("", tensors, slice);
    successor.weights().export("", tensors, slice);
    return new DiscreteModel(
        settings.shape(kind), data().observationSize(), actions, tensors, "the trainer");
  }

  @Override
  public final void close() {
    super.close();
    code.close();
  }
}
