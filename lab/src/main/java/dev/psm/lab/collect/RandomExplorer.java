package dev.psm.lab.collect;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.env.World;
import dev.psm.core.io.Json;
import dev.psm.lab.RandomEpisodes;
import java.util.random.RandomGenerator;

/** Uniformly random actions. */
final class RandomExplorer extends BlindExplorer {
  private final World world;

  RandomExplorer(World world, long seed) {
    super(seed);
    this.world = world;
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
    float[] actions = new float[count * world.actionSize()];
    float[] action = new float[world.actionSize()];
    for (int i = 0; i < count; i++) {
      RandomEpisodes.draw(world, random, action);
      System.arraycopy(action, 0, actions, i * action.length, action.length);
    }
    return actions;
  }
}
