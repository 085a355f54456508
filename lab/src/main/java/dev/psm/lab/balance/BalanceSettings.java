package dev.psm.lab.balance;

import dev.psm.core.UserError;

/**
 * How data is balanced.
 *
 * @param transitions of the new dataset, to about a segment
 * @param segment the most transitions of a segment, each of which becomes an episode
 * @param power of the visits that a state's weight is the inverse of: 1 visits all cells about
 *     equally, 0 leaves their shares as they are
 */
public record BalanceSettings(long transitions, int segment, double power, long seed) {
  public static final int USUAL_SEGMENT = 50;
  public static final double USUAL_POWER = 1;

  /** Beyond it the least visited cells have all the weight. */
  static final double MAX_POWER = 10;

  private static final long MAX_TRANSITIONS = 1_000_000_000_000L;

  public BalanceSettings {
    if (transitions < 1 || transitions > MAX_TRANSITIONS) {
      throw UserError.argument(
          "transitions", "must be from 1 to %d, found %d", MAX_TRANSITIONS, transitions);
    }
    if (segment < 1) {
      throw UserError.argument("segment", "must be at least 1 step, found %d", segment);
    }
    if (!(power >= 0 && power <= MAX_POWER)) {
      throw UserError.argument("power", "must be from 0 to %s, found %s", MAX_POWER, power);
    }
  }
}
