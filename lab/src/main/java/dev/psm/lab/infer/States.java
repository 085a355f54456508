package dev.psm.lab.infer;

import dev.psm.core.UserError;
import dev.psm.core.data.Dataset;
import dev.psm.core.env.Relabelling;
import dev.psm.core.env.World;
import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.QuantityTable;
import java.util.List;

/**
 * Some states of a dataset: what is observed there, and the quantities that rewards ask for,
 * measured as for a model's own sample.
 *
 * @param rows of the dataset
 * @param observations rows × observation
 */
@SuppressWarnings("ArrayRecordComponent")
record States(long[] rows, float[] observations, QuantityTable quantities) {

  /** Refuses data in whose states no reward can be computed. */
  static void require(Dataset dataset, World world) {
    if (world.quantitiesObserved()) {
      return;
    }
    if (dataset.columns().physics() == 0) {
      throw UserError.argument(
          "data",
          "%s has no physics and does not observe what rewards speak of, so no reward can be"
              + " computed in its states",
          dataset.folder());
    }
    if (dataset.columns().physics() != world.storedSize()) {
      throw UserError.argument(
          "data",
          "%s holds %d numbers of physics per state, but %s has %d",
          dataset.folder(),
          dataset.columns().physics(),
          world.name(),
          world.storedSize());
    }
  }

  static States read(
      Dataset dataset, World world, List<Quantity> wanted, long[] rows, int threads) {
    int width = world.observationSize();
    float[] observations = new float[Math.multiplyExact(rows.length, width)];
    forRuns(rows, (at, count) -> dataset.observations(rows[at], count, observations, at * width));
    if (world.quantitiesObserved()) {
      return new States(rows, observations, observed(world, wanted, observations, rows.length));
    }
    int size = world.storedSize();
    double[] states = new double[Math.multiplyExact(rows.length, size)];
    forRuns(rows, (at, count) -> dataset.physics(rows[at], count, states, at * size));
    return new States(
        rows,
        observations,
        new Relabelling(world, threads, (done, total) -> {})
            .naming(i -> rows[i])
            .quantities(wanted, states));
  }

  private static QuantityTable observed(
      World world, List<Quantity> wanted, float[] observations, int count) {
    QuantityTable table = new QuantityTable(wanted, count);
    int width = world.observationSize();
    for (Quantity quantity : wanted) {
      int number = world.quantities().indexOf(quantity);
      double[] column = table.column(quantity);
      for (int row = 0; row < count; row++) {
        column[row] = observations[row * width + number];
      }
    }
    return table;
  }

  private interface Run {
    void read(int at, int count);
  }

  /** Consecutive rows are read together. */
  private static void forRuns(long[] rows, Run run) {
    for (int at = 0; at < rows.length; ) {
      int end = at + 1;
      while (end < rows.length && rows[end] == rows[end - 1] + 1) {
        end++;
      }
      run.read(at, end - at);
      at = end;
    }
  }
}
