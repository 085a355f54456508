package dev.psm.lab.collect;

import dev.psm.core.UserError;
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
    if (!(memory > 0 && memory < Double.POSITIVE_INFINITY)) {
      throw UserError.usage("memory must be positive and finite, found %s", memory);
    }
    if (!(scale > 0 && scale < Double.POSITIVE_INFINITY)) {
      throw UserError.usage("scale must be positive and finite, found %s", scale);
    }
    if (!(noise >= 0 && noise < Double.POSITIVE_INFINITY)) {
      throw UserError.usage("noise must be finite and not negative, found %s", noise);
    }
  }
}
