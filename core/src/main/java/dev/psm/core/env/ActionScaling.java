package dev.psm.core.env;

import java.util.Arrays;
import java.util.Optional;

/**
 * The linear map between the actions that agents choose, in [−1, 1], and those of data that was
 * made elsewhere, in its own units.
 */
public final class ActionScaling {
  private final Space.Box units;

  private ActionScaling(Space.Box units) {
    this.units = units;
  }

  /** Of a world; empty where actions are numbered or stay as agents choose them. */
  public static Optional<ActionScaling> of(World world) {
    return world.actionUnits() instanceof Space.Box box && !isUnit(box)
        ? Optional.of(new ActionScaling(box))
        : Optional.empty();
  }

  private static boolean isUnit(Space.Box box) {
    Space.Box unit = Space.Box.uniform(-1, 1, box.size());
    return Arrays.equals(box.low(), unit.low()) && Arrays.equals(box.high(), unit.high());
  }

  /**
   * Actions in the data's units, from those in [−1, 1].
   *
   * @param actions one or more, one after the other
   */
  public float[] toUnits(float[] actions) {
    float[] scaled = new float[actions.length];
    for (int i = 0; i < actions.length; i++) {
      double low = units.low()[i % units.size()];
      double high = units.high()[i % units.size()];
      scaled[i] = (float) (low + (actions[i] + 1.0) / 2 * (high - low));
    }
    return scaled;
  }

  /**
   * Actions in [−1, 1], from those in the data's units; 0 on an axis that never changes.
   *
   * @param actions one or more, one after the other; what lies beyond the bounds stays beyond 1
   */
  public float[] fromUnits(float[] actions) {
    float[] scaled = new float[actions.length];
    for (int i = 0; i < actions.length; i++) {
      double low = units.low()[i % units.size()];
      double high = units.high()[i % units.size()];
      scaled[i] = high > low ? (float) (2 * (actions[i] - low) / (high - low) - 1) : 0;
    }
    return scaled;
  }
}
