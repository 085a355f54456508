package dev.psm.agents.rnd;

import dev.psm.core.Seeds;
import dev.psm.torch.Device;
import dev.psm.torch.Tensors;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.bytedeco.javacpp.PointerScope;

/**
 * {@link Ddpg} on the reward of one task: what a zero-shot agent is compared with. Unlike {@link
 * RndExplorer} it sums the rewards of all n steps. Of the settings it leaves {@code representation}
 * alone.
 *
 * <p>The environment stays outside: a loop asks {@link #act}, appends finished episodes to an
 * {@link NStepReplay} and calls {@link #learn}. Not for several threads.
 */
public final class SingleTaskAgent {
  private final RndSettings settings;
  private final int observationSize;
  private final int actionSize;
  private final long seed;
  final Ddpg ddpg;
  private long environmentSteps;
  private long updates;

  public SingleTaskAgent(RndSettings settings, int observationSize, int actionSize, long seed) {
    this.settings = settings;
    this.observationSize = observationSize;
    this.actionSize = actionSize;
    this.seed = seed;
    RandomGenerator random = Seeds.generator(Seeds.mix(seed, 0, "ddpg weights"));
    ddpg = new Ddpg(settings, observationSize, actionSize, random);
  }

  /** An action for the next environment step: uniform at first, then the actor's with noise. */
  public float[] act(float[] observation) {
    RandomGenerator random = Seeds.generator(Seeds.mix(seed, environmentSteps, "act"));
    float[] action = ddpg.act(observation, 1, environmentSteps, random);
    environmentSteps++;
    return action;
  }

  /** The actor's actions without noise, one row per observation. */
  public float[] means(float[] observations) {
    return ddpg.means(observations, observations.length / observationSize);
  }

  /** Makes the updates that the steps taken so far call for, as soon as there is an episode. */
  public void learn(NStepReplay replay) {
    while (replay.size() > 0 && updates < settings.updatesAfter(environmentSteps)) {
      RandomGenerator random = Seeds.generator(Seeds.mix(seed, updates, "batch"));
      update(replay.sample(settings.batchSize(), random));
    }
  }

  /** One step of critic, actor and target critic. */
  void update(NStepReplay.Batch batch) {
    RandomGenerator random = Seeds.generator(Seeds.mix(seed, updates, "update"));
    try (PointerScope scope = new PointerScope()) {
      ddpg.learn(
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
    ddpg.metrics(metrics);
    return metrics;
  }
}
