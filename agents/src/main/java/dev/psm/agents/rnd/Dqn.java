package dev.psm.agents.rnd;

import dev.psm.core.io.TensorData;
import dev.psm.torch.Adam;
import dev.psm.torch.Device;
import dev.psm.torch.Mlp;
import dev.psm.torch.Parameters;
import dev.psm.torch.Tensors;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.LongOptional;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * Double DQN (van Hasselt et al. 2016): one action value per numbered action, and a policy that
 * takes the largest but for a share ε of random actions.
 *
 * <p>Episodes that end for lack of time are bootstrapped like all others; only the environment's
 * own discount of 0 ends a value.
 */
final class Dqn implements Learner {
  private final DqnSettings settings;
  private final int observationSize;
  private final int actionCount;
  private final Device device;
  private final Mlp network;
  final Parameters online;
  final Parameters target;
  final ObservationScale scale;
  private final Adam optimiser;
  private final DeviceMetrics readings;

  Dqn(
      DqnSettings settings,
      int observationSize,
      int actionCount,
      RandomGenerator random,
      Device device) {
    this.settings = settings;
    this.observationSize = observationSize;
    this.actionCount = actionCount;
    this.device = device;
    int width = settings.width();
    network =
        new Mlp("q", new int[] {observationSize, width, width, width, actionCount}, false, false);
    online = new Parameters(device);
    network.initialise(online, random);
    target = online.targetCopy();
    scale = new ObservationScale(device, observationSize);
    optimiser = new Adam(online);
    readings = new DeviceMetrics(device, 3);
  }

  /** Q(s, ·): rows × actions. */
  Tensor values(Parameters parameters, Tensor observations) {
    return network.forward(parameters, scale.scaled(observations));
  }

  /** The action of the largest value of each row, as rows × 1 whole numbers. */
  private static Tensor best(Tensor values) {
    return values.argmax(new LongOptional(1), true);
  }

  @Override
  public float[] greedy(float[] observations, int count) {
    try (PointerScope scope = new PointerScope();
        NoGradGuard noGradient = new NoGradGuard()) {
      Tensor placed = device.place(Tensors.floats(observations, count, observationSize));
      return Tensors.toFloats(best(values(online, placed)).to(torch.ScalarType.Float));
    }
  }

  @Override
  public float[] act(
      float[] observations, int count, long environmentSteps, RandomGenerator random) {
    int uniformRows = (int) Math.max(0, Math.min(count, settings.seedSteps() - environmentSteps));
    float[] actions = uniformRows < count ? greedy(observations, count) : new float[count];
    for (int i = 0; i < count; i++) {
      if (i < uniformRows || random.nextDouble() < settings.epsilon()) {
        actions[i] = random.nextInt(actionCount);
      }
    }
    return actions;
  }

  /**
   * y = r + γⁿ · discount · Q̄(s′, argmax_a Q(s′, a)): the network chooses, its target evaluates;
   * no gradient.
   *
   * @param discounts γⁿ with the environment's own
   */
  Tensor targets(Tensor rewards, Tensor discounts, Tensor nextObservations) {
    try (NoGradGuard noGradient = new NoGradGuard()) {
      Tensor chosen = best(values(online, nextObservations));
      Tensor values = values(target, nextObservations).gather(1, chosen);
      return rewards.add(discounts.mul(values));
    }
  }

  /** E[(Q(s, a) − y)²]. */
  static Tensor loss(Tensor taken, Tensor targets) {
    return taken.sub(targets).square().mean();
  }

  /** One step of the network, then of its target. */
  @Override
  public void learn(UpdateInputs inputs, Tensor rewards) {
    scale.add(inputs.observations());
    Tensor targets = targets(rewards, inputs.discounts(), inputs.nextObservations());
    Tensor values = values(online, inputs.observations());
    Tensor taken = values.gather(1, inputs.actions().to(torch.ScalarType.Long));
    Tensor loss = loss(taken, targets);
    optimiser.step(Tensors.gradients(loss, online.vector()), settings.learningRate());
    target.averageTowards(online, settings.targetRate());

    Tensor gap = values.amax(new long[] {1}, false).sub(values.mean(1)).mean();
    readings.set(loss, taken.mean(), gap);
  }

  @Override
  public void metrics(Map<String, Double> into) {
    float[] figures = readings.get();
    into.put("q_loss", (double) figures[0]);
    into.put("q_mean", (double) figures[1]);
    into.put("action_gap", (double) figures[2]);
  }

  @Override
  public void export(String prefix, Map<String, TensorData> into) {
    online.export(prefix + "online.", into);
    target.export(prefix + "target.", into);
    optimiser.export(prefix + "adam.", into);
    scale.export(prefix + "observations", into);
  }

  @Override
  public void load(String prefix, Map<String, TensorData> from, String fileName) {
    online.load(prefix + "online.", from, fileName);
    target.load(prefix + "target.", from, fileName);
    optimiser.load(prefix + "adam.", from, fileName);
    scale.load(prefix + "observations", from, fileName);
  }
}
