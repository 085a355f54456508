package dev.psm.lab.collect;

import dev.psm.core.UserError;
import dev.psm.core.env.Plane;

/** The cells of a plane; what lies outside of it belongs to those at the edge. */
public record PlaneCells(Plane plane) {
  /** Along each axis. */
  static final int SIDE = 50;

  /** In all. */
  public static final int COUNT = SIDE * SIDE;

  /**
   * The number of the cell in which a state lies, the first axis counting fastest.
   *
   * @throws UserError where a number is NaN, which is nowhere
   */
  public int cell(double x, double y) {
    return index(plane.y(), y, plane.yLow(), plane.yHigh()) * SIDE
        + index(plane.x(), x, plane.xLow(), plane.xHigh());
  }

  private static int index(String axis, double value, double low, double high) {
    if (Double.isNaN(value)) {
      throw UserError.invalid(
          "the quantity '%s' is NaN in a state, so its place in the plane of coverage is not known",
          axis);
    }
    int cell = (int) Math.floor((value - low) / (high - low) * SIDE);
    return Math.max(0, Math.min(SIDE - 1, cell));
  }
}
