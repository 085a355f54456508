package dev.psm.core.env;

import java.util.List;

/**
 * Three telling quantities of a world and the box of them that counts, cut into cubic cells: where
 * coverage is counted cell by cell and drawn as slices along the last axis. Unlike in a {@link
 * Plane}, states outside of it are not counted at the edge.
 *
 * @param name what it is, for sentences: "the cube of goals"
 * @param axes exactly three
 * @param cell the side of a cell, of which every axis holds a whole number
 */
public record Volume(String name, List<Axis> axes, double cell) {
  /** By how much of a cell the length of an axis may miss a whole number of them. */
  private static final double TOLERANCE = 1e-6;

  /** A quantity and the range of it that counts. */
  public record Axis(String quantity, double low, double high) {}

  public Volume {
    axes = List.copyOf(axes);
    if (axes.size() != 3) {
      throw new IllegalArgumentException("a volume has three axes, found " + axes.size());
    }
    for (Axis axis : axes) {
      double cells = (axis.high - axis.low) / cell;
      if (!(Math.rint(cells) >= 1 && Math.abs(cells - Math.rint(cells)) < TOLERANCE)) {
        throw new IllegalArgumentException(
            "%s from %s to %s does not hold a whole number of cells of %s"
                .formatted(axis.quantity, axis.low, axis.high, cell));
      }
    }
  }

  /** Cells along an axis. */
  public int cells(int axis) {
    return (int) Math.rint((axes.get(axis).high - axes.get(axis).low) / cell);
  }

  /** Cells in all. */
  public int cells() {
    return cells(0) * cells(1) * cells(2);
  }

  /**
   * The number of the cell in which a state lies, the first axis counting fastest; −1 outside. The
   * upper faces belong to the last cells.
   */
  public int cell(double... values) {
    int number = 0;
    for (int i = 2; i >= 0; i--) {
      Axis axis = axes.get(i);
      if (!(values[i] >= axis.low && values[i] <= axis.high)) {
        return -1;
      }
      int index = (int) ((values[i] - axis.low) / (axis.high - axis.low) * cells(i));
      number = number * cells(i) + Math.min(index, cells(i) - 1);
    }
    return number;
  }
}
