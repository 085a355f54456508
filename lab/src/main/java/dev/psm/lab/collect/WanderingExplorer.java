package dev.psm.lab.collect;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.Seeds;
import dev.psm.core.data.Episode;
import dev.psm.core.io.TensorData;
import dev.psm.core.settings.Settings;
import dev.psm.mujoco.suite.DomainFacts;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Random actions that change slowly: an Ornstein-Uhlenbeck process for every number of every
 * environment's action, with independent noise, clipped to [−1, 1].
 *
 * <p>Independent actions cancel each other and lead nowhere; slow ones lead far. But a body's speed
 * follows slow actions, so that each would tell the other: the noise is there for learners to see
 * what an action does by itself.
 */
final class WanderingExplorer implements Explorer {
  private static final String SLOW = "wander.slow";
  private static final String CALLS = "calls";

  private final WanderSettings settings;
  private final int actionSize;
  private final long seed;
  private long calls;

  /** The slow part, before noise and clipping; empty until the first call. */
  private double[] slow = {};

  WanderingExplorer(DomainFacts facts, WanderSettings settings, long seed) {
    this.settings = settings;
    this.actionSize = facts.actionSize();
    this.seed = seed;
  }

  @Override
  public String name() {
    return "wander";
  }

  @Override
  public ObjectNode settings() {
    return Settings.toJson(settings);
  }

  @Override
  public float[] act(float[] observations, int count) {
    boolean first = slow.length == 0;
    if (first) {
      slow = new double[count * actionSize];
    }
    // The first action is drawn as all later ones are distributed.
    double kept = first ? 0 : Math.exp(-1 / settings.memory());
    double fresh = settings.scale() * Math.sqrt(1 - kept * kept);
    RandomGenerator random = Seeds.generator(Seeds.mix(seed, calls++, "exploration"));
    float[] actions = new float[slow.length];
    for (int i = 0; i < slow.length; i++) {
      slow[i] = kept * slow[i] + fresh * random.nextGaussian();
      double action = slow[i] + settings.noise() * random.nextGaussian();
      actions[i] = (float) Math.max(-1, Math.min(1, action));
    }
    return actions;
  }

  @Override
  public void remember(Episode episode) {}

  @Override
  public Map<String, TensorData> state() {
    return Map.of(
        CALLS, TensorData.of(new long[] {calls}, 1),
        SLOW, TensorData.of(slow, slow.length));
  }

  @Override
  public void restore(Map<String, TensorData> state, String file) {
    calls = state.get(CALLS).longs()[0];
    slow = state.get(SLOW).doubles();
  }

  @Override
  public Map<String, Double> metrics() {
    return Map.of();
  }
}
