package dev.psm.agents.finite;

import dev.psm.core.Seeds;
import dev.psm.core.io.TensorData;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.bytedeco.javacpp.PointerScope;

/** What the training of both baselines has in common: two networks, their rates and their steps. */
abstract class BaselineTrainer implements FiniteTrainer {
  final BaselineSettings settings;
  final BaselineNetwork forward;
  final BaselineNetwork features;
  private final BaselineModel model;
  private final long seed;
  private long step;

  /**
   * @param featureTargetRate null where the features need no target
   */
  BaselineTrainer(
      BaselineSettings settings, BaselineModel model, long seed, Double featureTargetRate) {
    this.settings = settings;
    this.model = model;
    this.seed = seed;
    this.forward = new BaselineNetwork("forward", model.forwardParameters(), settings.targetRate());
    this.features = new BaselineNetwork("features", model.featureParameters(), featureTargetRate);
  }

  /** The losses and their steps, in the algorithm's order. */
  abstract void update(Batch batch, RandomGenerator random);

  @Override
  public final void step() {
    RandomGenerator random = Seeds.generator(Seeds.mix(seed, step, "gradient step"));
    try (PointerScope scope = new PointerScope()) {
      update(Batch.sample(model.data(), settings.batchSize(), random), random);
    }
    step++;
  }

  final double rate() {
    return decay() * settings.learningRate();
  }

  final double featureRate() {
    return decay() * settings.featureLearningRate();
  }

  private double decay() {
    return settings.decay().at((double) step / settings.gradientSteps());
  }

  @Override
  public final long stepsDone() {
    return step;
  }

  @Override
  public FiniteModel model() {
    return model;
  }

  @Override
  public final Map<String, TensorData> checkpoint() {
    Map<String, TensorData> tensors = new LinkedHashMap<>();
    forward.export(tensors);
    features.export(tensors);
    return tensors;
  }

  @Override
  public final void restore(long steps, Map<String, TensorData> tensors, String fileName) {
    forward.load(tensors, fileName);
    features.load(tensors, fileName);
    step = steps;
  }

  @Override
  public final boolean isFinite() {
    return forward.isFinite() && features.isFinite();
  }

  /** The networks' weights are the model's. */
  @Override
  public final void close() {
    forward.close();
    features.close();
    model.close();
  }
}
