package dev.psm.lab.collect;

import dev.psm.core.settings.Limits;
import dev.psm.core.settings.Setting;

/** Complete settings of actions that change slowly. */
public record WanderSettings(
    @Setting("steps after which the slow part of actions keeps 1/e of itself") double memory,
    @Setting("standard deviation of the slow part, before noise and clipping to [−1, 1]")
        double scale,
    @Setting("standard deviation of independent noise on every action") double noise) {

  /** In the maze a memory of 50 visits fewer cells and one of 200 no more. */
  public static final WanderSettings USUAL = new WanderSettings(100, 1, 0.5);

  public WanderSettings {
    Limits.requirePositive("memory", memory);
    Limits.requirePositive("scale", scale);
    Limits.requireNotNegative("noise", noise);
  }
}
