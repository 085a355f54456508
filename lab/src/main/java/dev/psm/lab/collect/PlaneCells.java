package dev.psm.lab.collect;

import dev.psm.core.env.Plane;

/** The cells of a plane; what lies outside of it belongs to those at the edge. */
public record PlaneCells(Plane plane) {
  /** Along each axis. */
  static final int SIDE = 50;

  /** In all. */
  public static final int COUNT = SIDE * SIDE;

  /** Of a state of which a number is NaN. */
  public static final int NOWHERE = -1;

  /** The number of the cell in which a state lies, the first axis counting fastest. */
  public int cell(double x, double y) {
    return Double.isNaN(x) || Double.isNaN(y)
        ? NOWHERE
        : index(y, plane.yLow(), plane.yHigh()) * SIDE + index(x, plane.xLow(), plane.xHigh());
  }

  private static int index(double value, double low, double high) {
    int cell = (int) Math.floor((value - low) / (high - low) * SIDE);
    return Math.max(0, Math.min(SIDE - 1, cell));
  }
}
