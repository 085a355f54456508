package dev.psm.agents.rnd;

import dev.psm.core.Seeds;
import dev.psm.core.env.Space;
import dev.psm.torch.Device;
import dev.psm.torch.Tensors;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.bytedeco.javacpp.PointerScope;

/**
 * {@link Ddpg}, or {@link Dqn} where actions are numbered, on the reward of one task: what a
 * zero-shot agent is compared with. Unlike {@link RndExplorer} it sums the rewards of all n steps.
 * Of the settings it leaves {@code representation} alone.
 *
 * <p>The environment stays outside: a loop asks {@link #act}, appends finished episodes to an
 * {@link NStepReplay} and calls {@link #learn}. Not for several threads.
 */
public final class SingleTaskAgent {
  private final ExplorerSettings settings;
  private final int observationSize;
  private final int actionSize;
  private final long seed;
  final Learner learner;
  private long environmentSteps;
  private long updates;

  public SingleTaskAgent(ExplorerSettings settings, int observationSize, Space actions, long seed) {
    this.settings = settings;
    this.observationSize = observationSize;
    this.actionSize = Learner.actionSize(actions);
    this.seed = seed;
    RandomGenerator random = Seeds.generator(Seeds.mix(seed, 0, settings.algorithm() + " weights"));
    learner = Learner.of(settings, observationSize, actions, random, Device.CPU);
  }

  /** An action for the next environment step: uniform at first, then the policy's with noise. */
  public float[] act(float[] observation) {
    RandomGenerator random = Seeds.generator(Seeds.mix(seed, environmentSteps, "act"));
    float[] action = learner.act(observation, 1, environmentSteps, random);
    environmentSteps++;
    return action;
  }

  /** The policy's actions without noise, one row per observation. */
  public float[] greedy(float[] observations) {
    return learner.greedy(observations, observations.length / observationSize);
  }

  /** Makes the updates that the steps taken so far call for, as soon as there is an episode. */
  public void learn(NStepReplay replay) {
    while (replay.size() > 0 && updates < settings.updatesAfter(environmentSteps)) {
      RandomGenerator random = Seeds.generator(Seeds.mix(seed, updates, "batch"));
      update(replay.sample(settings.batchSize(), random));
    }
  }

  /** One update of the learner. */
  void update(NStepReplay.Batch batch) {
    RandomGenerator random = Seeds.generator(Seeds.mix(seed, updates, "update"));
    try (PointerScope scope = new PointerScope()) {
      learner.learn(
          UpdateInputs.of(batch, observationSize, actionSize, random, Device.CPU),
          Tensors.floats(batch.rewards(), batch.size(), 1));
    }
    updates++;
  }

  public long environmentSteps() {
    return environmentSteps;
  }

  public long updates() {
    return updates;
  }

  /** What the last update measured; not a number before the first. */
  public Map<String, Double> metrics() {
    Map<String, Double> metrics = new LinkedHashMap<>();
    learner.metrics(metrics);
    return metrics;
  }
}
