package dev.psm.lab.collect;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.env.World;
import dev.psm.core.settings.Settings;
import java.util.random.RandomGenerator;

/**
 * Random actions that change slowly: an Ornstein-Uhlenbeck process for every number of every
 * environment's action, anew in every episode, with independent noise, clipped to [−1, 1].
 *
 * <p>Independent actions cancel each other and lead nowhere; slow ones lead far. But a body's speed
 * follows slow actions, so that each would tell the other: the noise is there for learners to see
 * what an action does by itself.
 */
final class WanderingExplorer extends BlindExplorer {
  private final World world;
  private final WanderSettings settings;

  /** The slow part of this episode's actions, before noise and clipping. */
  private double[] slow = {};

  WanderingExplorer(World world, WanderSettings settings, long seed) {
    super(seed);
    this.world = world;
    this.settings = settings;
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
    boolean begins = calls() % world.episodeSteps() == 0;
    if (begins) {
      slow = new double[count * world.actionSize()];
    }
    // An episode's first action is drawn as all later ones are distributed.
    double kept = begins ? 0 : Math.exp(-1 / settings.memory());
    double fresh = settings.scale() * Math.sqrt(1 - kept * kept);
    RandomGenerator random = nextStream();
    float[] actions = new float[slow.length];
    for (int i = 0; i < slow.length; i++) {
      slow[i] = kept * slow[i] + fresh * random.nextGaussian();
      double action = slow[i] + settings.noise() * random.nextGaussian();
      actions[i] = (float) Math.max(-1, Math.min(1, action));
    }
    return actions;
  }
}
