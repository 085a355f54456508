package dev.psm.core.reward;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Quantities of many states, one column each: measured once, after which any number of rewards can
 * be put on the same states without going back to them.
 */
public final class QuantityTable {
  private final int rows;
  private final Map<Quantity, double[]> columns = new LinkedHashMap<>();

  public QuantityTable(List<Quantity> quantities, int rows) {
    this.rows = rows;
    for (Quantity quantity : quantities) {
      columns.put(quantity, new double[rows]);
    }
  }

  public int rows() {
    return rows;
  }

  /** The column itself, not a copy: one value per state. */
  public double[] column(Quantity quantity) {
    double[] column = columns.get(quantity);
    if (column == null) {
      throw new IllegalArgumentException(
          "'%s' was not measured; the table has %s"
              .formatted(quantity.name(), columns.keySet().stream().map(Quantity::name).toList()));
    }
    return column;
  }

  /** Takes every quantity of the table from one state. */
  public void measure(int row, Readings readings) {
    columns.forEach((quantity, column) -> column[row] = readings.get(quantity));
  }

  /** A task's reward in every state, on all cores. */
  public double[] rewards(Task task) {
    return task.reward().of(this);
  }
}
