package dev.psm.lab.balance;

import java.util.Arrays;

/** What a state weighs by the cell that it lies in: the inverse of the cell's visits. */
final class CellWeights {
  /**
   * A cell counts as visited this share of the mean of all visited cells, at least: no state weighs
   * more than the inverse of it times one in a cell of mean visits, so that the few segments of a
   * hardly visited cell are not drawn without end.
   */
  static final double FLOOR = 1.0 / 50;

  private final double[] weights;

  CellWeights(long[] visits, double power) {
    long visited = Arrays.stream(visits).filter(count -> count > 0).count();
    double mean = Arrays.stream(visits).sum() / (double) Math.max(1, visited);
    weights =
        Arrays.stream(visits)
            // The same on every machine, where Math.pow need not be.
            .mapToDouble(count -> StrictMath.pow(Math.max(count / mean, FLOOR), -power))
            .toArray();
  }

  double of(int cell) {
    return weights[cell];
  }
}
