package dev.psm.core.data;

import java.util.Map;

/**
 * One reward-free episode of T transitions as T + 1 rows, row-major, laid out as ExoRL does: row t
 * holds the state after t steps together with the action and the discount of the step that led to
 * it. Row 0 was led to by no step: its action is zeros and its discount 1.
 *
 * @param observations (T + 1) × observation
 * @param actions (T + 1) × action
 * @param discounts T + 1; 0 where the step ended the task for good, otherwise usually 1
 * @param physics (T + 1) × physics, or empty where the data came without
 * @param extras (T + 1) × width each
 */
public record Episode(
    float[] observations,
    float[] actions,
    float[] discounts,
    double[] physics,
    Map<String, float[]> extras) {

  public int rows() {
    return discounts.length;
  }

  public int transitions() {
    return rows() - 1;
  }

  /** The values of a column of single precision, or null where the episode has none. */
  float[] floats(String column) {
    return switch (column) {
      case Columns.OBSERVATION -> observations;
      case Columns.ACTION -> actions;
      case Columns.DISCOUNT -> discounts;
      default -> extras.get(column);
    };
  }
}
