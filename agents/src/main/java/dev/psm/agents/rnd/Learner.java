package dev.psm.agents.rnd;

import dev.psm.core.env.Space;
import dev.psm.core.io.TensorData;
import dev.psm.torch.Device;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.bytedeco.pytorch.Tensor;

/**
 * Action values and the policy that follows from them, learned from a replay's transitions and
 * rewards that come from elsewhere.
 *
 * <p>Random numbers come in from outside, so that whoever owns the seed owns the noise.
 */
interface Learner {
  /** The learner that those settings are of, with random weights. */
  static Learner of(
      ExplorerSettings settings,
      int observationSize,
      Space actions,
      RandomGenerator random,
      Device device) {
    if (settings instanceof DqnSettings dqn && actions instanceof Space.Discrete numbered) {
      return new Dqn(dqn, observationSize, numbered.count(), random, device);
    }
    if (settings instanceof RndSettings rnd && actions instanceof Space.Box vectors) {
      return new Ddpg(rnd, observationSize, vectors.size(), random, device);
    }
    throw new IllegalArgumentException(settings.algorithm() + " has no actions of " + actions);
  }

  /** Numbers in an action: 1 where actions are numbered. */
  static int actionSize(Space actions) {
    return actions instanceof Space.Box vectors ? vectors.size() : 1;
  }

  /**
   * Actions for one step of many environments: uniform for the first {@code seedSteps} steps
   * counted over all environments, then the policy's with some noise.
   *
   * @param environmentSteps taken before this one
   */
  float[] act(float[] observations, int count, long environmentSteps, RandomGenerator random);

  /** The policy's actions without noise, one row per observation. */
  float[] greedy(float[] observations, int count);

  /** One update. The host must not read anything in here: a GPU records it. */
  void learn(UpdateInputs inputs, Tensor rewards);

  /** What the last update measured; waits for the device. */
  void metrics(Map<String, Double> into);

  void export(String prefix, Map<String, TensorData> into);

  void load(String prefix, Map<String, TensorData> from, String fileName);
}
