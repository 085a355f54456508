package dev.psm.agents.rnd;

import static dev.psm.torch.Tensors.scalar;

import dev.psm.core.io.TensorData;
import dev.psm.torch.Adam;
import dev.psm.torch.Device;
import dev.psm.torch.Mlp;
import dev.psm.torch.Parameters;
import dev.psm.torch.Tensors;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.ScalarOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.global.torch;

/**
 * Random network distillation (Burda et al. 2018): a predictor learns the outputs of a frozen
 * random network, and is wrong where it has seen little.
 *
 * <p>Observations are normalised by the batch they come in, always: the benchmark keeps its batch
 * norm in training mode, so the running statistics that such a layer also gathers are never read,
 * and none exist here.
 */
final class Rnd {
  private static final double BATCH_NORM_EPSILON = 1e-5;
  private static final double LARGEST_INPUT = 5;

  private final Mlp network;
  final Parameters predictor;
  final Parameters target;
  private final Adam optimiser;
  private final double learningRate;
  private final Moments moments;
  private final DeviceMetrics loss;

  Rnd(ExplorerSettings settings, int observationSize, RandomGenerator random) {
    this(settings, observationSize, random, Device.CPU, new RunningMoments());
  }

  Rnd(
      ExplorerSettings settings,
      int observationSize,
      RandomGenerator random,
      Device device,
      Moments moments) {
    this.moments = moments;
    loss = new DeviceMetrics(device, 1);
    predictor = new Parameters(device);
    int width = settings.width();
    network =
        new Mlp(
            "rnd",
            new int[] {observationSize, width, width, settings.representation()},
            false,
            false);
    network.initialise(predictor, random);
    Parameters drawn = new Parameters(device);
    network.initialise(drawn, random);
    target = drawn.targetCopy();
    optimiser = new Adam(predictor);
    learningRate = settings.learningRate();
  }

  /**
   * Takes one step of the predictor and then rewards the same observations by what is still wrong:
   * error / (√variance of all errors so far + 1e-8), rows × 1, without gradient.
   */
  Tensor learn(Tensor observations) {
    Tensor inputs;
    Tensor answers;
    try (NoGradGuard noGradient = new NoGradGuard()) {
      inputs = normalised(observations);
      answers = network.forward(target, inputs);
    }
    Tensor mean = errors(inputs, answers).mean();
    loss.set(mean);
    optimiser.step(Tensors.gradients(mean, predictor.vector()), learningRate);
    try (NoGradGuard noGradient = new NoGradGuard()) {
      return moments.scaled(errors(inputs, answers));
    }
  }

  /** Each row's squared error, a mean over the outputs: rows × 1. */
  private Tensor errors(Tensor inputs, Tensor answers) {
    return network.forward(predictor, inputs).sub(answers).square().mean(1).unsqueeze(1);
  }

  /** (x − mean) / √(biased variance + 1e-5) of each column over the batch, within ±5. */
  static Tensor normalised(Tensor observations) {
    TensorOptional none = new TensorOptional();
    return torch
        .batch_norm(observations, none, none, none, none, true, 0, BATCH_NORM_EPSILON, false)
        .clamp(
            new ScalarOptional(scalar(-LARGEST_INPUT)), new ScalarOptional(scalar(LARGEST_INPUT)));
  }

  /** Standard deviation of all errors so far, by which rewards are divided. */
  double errorScale() {
    return Math.sqrt(moments.variance());
  }

  double lastLoss() {
    return loss.get()[0];
  }

  void export(String prefix, Map<String, TensorData> into) {
    predictor.export(prefix + "predictor.", into);
    target.export(prefix + "target.", into);
    optimiser.export(prefix + "adam.", into);
    moments.export(prefix + "errors", into);
  }

  void load(String prefix, Map<String, TensorData> from, String fileName) {
    predictor.load(prefix + "predictor.", from, fileName);
    target.load(prefix + "target.", from, fileName);
    optimiser.load(prefix + "adam.", from, fileName);
    moments.load(prefix + "errors", from, fileName);
  }
}
