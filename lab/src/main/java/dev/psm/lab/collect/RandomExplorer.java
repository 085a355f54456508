package dev.psm.lab.collect;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.Seeds;
import dev.psm.core.data.Episode;
import dev.psm.core.io.Json;
import dev.psm.core.io.TensorData;
import dev.psm.lab.RandomEpisodes;
import dev.psm.mujoco.suite.DomainFacts;
import java.util.Map;
import java.util.random.RandomGenerator;

/** Uniformly random actions. */
final class RandomExplorer implements Explorer {
  private final DomainFacts facts;
  private final long seed;
  private long calls;

  RandomExplorer(DomainFacts facts, long seed) {
    this.facts = facts;
    this.seed = seed;
  }

  @Override
  public String name() {
    return "random";
  }

  @Override
  public ObjectNode settings() {
    return Json.object();
  }

  @Override
  public float[] act(float[] observations, int count) {
    // A stream per call: then a count is all there is to save.
    RandomGenerator random = Seeds.generator(Seeds.mix(seed, calls++, "exploration"));
    float[] actions = new float[count * facts.actionSize()];
    float[] action = new float[facts.actionSize()];
    for (int i = 0; i < count; i++) {
      RandomEpisodes.draw(facts, random, action);
      System.arraycopy(action, 0, actions, i * action.length, action.length);
    }
    return actions;
  }

  @Override
  public void remember(Episode episode) {}

  @Override
  public Map<String, TensorData> state() {
    return Map.of("calls", TensorData.of(new long[] {calls}, 1));
  }

  @Override
  public void restore(Map<String, TensorData> state, String file) {
    calls = state.get("calls").longs()[0];
  }

  @Override
  public Map<String, Double> metrics() {
    return Map.of();
  }
}
