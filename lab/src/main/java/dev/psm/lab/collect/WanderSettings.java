package dev.psm.lab.collect;

import dev.psm.core.UserError;
import dev.psm.core.settings.Setting;

/** Complete settings of actions that change slowly. */
public record WanderSettings(
    @Setting("steps after which an action still counts for 1/e of the present one") double memory,
    @Setting("standard deviation of actions before they are clipped to [−1, 1]") double scale,
    @Setting("standard deviation of independent noise on every action") double noise) {

  /** Long enough for the maze's mass, which needs 200 steps for a room, to leave one. */
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
