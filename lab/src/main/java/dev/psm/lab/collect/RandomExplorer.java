package dev.psm.lab.collect;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.io.Json;
import dev.psm.lab.RandomEpisodes;
import dev.psm.mujoco.suite.DomainFacts;
import java.util.random.RandomGenerator;

/** Uniformly random actions. */
final class RandomExplorer extends BlindExplorer {
  private final DomainFacts facts;

  RandomExplorer(DomainFacts facts, long seed) {
    super(seed);
    this.facts = facts;
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
    RandomGenerator random = nextStream();
    float[] actions = new float[count * facts.actionSize()];
    float[] action = new float[facts.actionSize()];
    for (int i = 0; i < count; i++) {
      RandomEpisodes.draw(facts, random, action);
      System.arraycopy(action, 0, actions, i * action.length, action.length);
    }
    return actions;
  }
}
