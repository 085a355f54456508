package dev.psm.core.env;

import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.QuantityTable;
import dev.psm.core.reward.formula.Kernel;
import dev.psm.core.reward.formula.StateFunction;
import dev.psm.core.reward.formula.Vocabulary;
import java.util.List;

/** What a reward on a grid may speak of: where a cell is, and how many steps it is from another. */
public final class GridQuantities {
  public static final Quantity ROW = new Quantity("row", "1", "the cell's row, from 0 at the top");
  public static final Quantity COLUMN =
      new Quantity("col", "1", "the cell's column, from 0 at the left");

  /** Each goal means a search of the whole map, so only so many can be asked for in a formula. */
  private static final int SEARCH_COST = 50;

  private GridQuantities() {}

  public static Vocabulary vocabulary(GridMap map) {
    StateFunction distance =
        new StateFunction(
            "distance",
            List.of("r", "c"),
            "steps on a shortest path around walls to the cell in row r, column c",
            List.of(ROW, COLUMN),
            true,
            SEARCH_COST,
            goal -> steps(map, goal));
    return Vocabulary.of(List.of(ROW, COLUMN), distance);
  }

  private static Kernel steps(GridMap map, double[] goal) {
    int state = state(map, goal[0], goal[1]);
    if (state < 0) {
      throw new IllegalArgumentException(
          "row %s, column %s is not a free cell of %s, which has rows 0 to %d and columns 0 to %d"
              .formatted(
                  shown(goal[0]), shown(goal[1]), map.name(), map.height() - 1, map.width() - 1));
    }
    int[] distances = new GridOracle(map).distances(state);
    return (in, out, count) -> {
      for (int i = 0; i < count; i++) {
        int here = state(map, in[0][i], in[1][i]);
        out[i] = here < 0 ? Double.NaN : distances[here];
      }
    };
  }

  /** The free cell there; -1 for a wall, for off the map and for between cells. */
  private static int state(GridMap map, double row, double column) {
    boolean whole = row == (int) row && column == (int) column;
    return whole ? map.stateAt((int) row, (int) column) : -1;
  }

  private static String shown(double value) {
    return value == (int) value ? Integer.toString((int) value) : Double.toString(value);
  }

  /** Every free cell, in the order of the states. */
  public static QuantityTable cells(GridMap map) {
    QuantityTable table = new QuantityTable(List.of(ROW, COLUMN), map.freeCellCount());
    for (int state = 0; state < table.rows(); state++) {
      table.column(ROW)[state] = map.row(state);
      table.column(COLUMN)[state] = map.column(state);
    }
    return table;
  }
}
