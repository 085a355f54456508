package dev.psm.lab.balance;

import dev.psm.core.data.Columns;
import dev.psm.core.data.Dataset;
import dev.psm.core.data.Episode;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * A dataset's episodes, each cut into as few segments as a length allows, of equal lengths to one
 * transition. Every transition is of one segment; the state in which one ends is the first of the
 * next.
 */
final class Segments {
  private final Dataset dataset;
  private final int most;

  /**
   * @param most transitions of a segment
   */
  Segments(Dataset dataset, int most) {
    this.dataset = dataset;
    this.most = most;
  }

  interface Visitor {
    /**
     * Is told of a segment.
     *
     * @param transitions of it; it has one row more
     * @param weight the mean of what its states weigh
     */
    void segment(long firstRow, int transitions, double weight);
  }

  /** How often each cell is visited by all segments. */
  long[] visits(CellFile cells, int count) {
    long[] visits = new long[count];
    walk(
        cells,
        (firstRow, states) -> {
          for (int cell : states) {
            visits[cell]++;
          }
        });
    return visits;
  }

  /** Goes through all segments in their order. */
  void visit(CellFile cells, CellWeights weights, Visitor visitor) {
    walk(
        cells,
        (firstRow, states) -> {
          double sum = 0;
          for (int cell : states) {
            sum += weights.of(cell);
          }
          visitor.segment(firstRow, states.length - 1, sum / states.length);
        });
  }

  private interface Walker {
    void segment(long firstRow, int[] cells);
  }

  private void walk(CellFile cells, Walker walker) {
    try (CellFile.Reader reader = cells.read()) {
      for (int episode = 0; episode < dataset.episodes(); episode++) {
        long first = dataset.firstRow(episode);
        long length = dataset.lastRow(episode) - first;
        long pieces = (length + most - 1) / most;
        int cell = reader.next();
        for (long piece = 0; piece < pieces; piece++) {
          long from = length * piece / pieces;
          int[] states = new int[(int) (length * (piece + 1) / pieces - from) + 1];
          states[0] = cell;
          for (int row = 1; row < states.length; row++) {
            states[row] = reader.next();
          }
          cell = states[states.length - 1];
          walker.segment(first + from, states);
        }
      }
    }
  }

  /** A segment as an episode of its own, to whose first state no step led. */
  Episode episode(long firstRow, int transitions) {
    Columns columns = dataset.columns();
    int rows = transitions + 1;
    float[] observations = new float[rows * columns.observation()];
    dataset.observations(firstRow, rows, observations, 0);
    float[] actions = new float[rows * columns.action()];
    dataset.actions(firstRow, rows, actions, 0);
    Arrays.fill(actions, 0, columns.action(), 0);
    float[] discounts = new float[rows];
    dataset.discounts(firstRow, rows, discounts, 0);
    discounts[0] = 1;
    double[] physics = new double[rows * columns.physics()];
    if (columns.physics() > 0) {
      dataset.physics(firstRow, rows, physics, 0);
    }
    Map<String, float[]> extras = new HashMap<>();
    columns
        .extras()
        .forEach(
            (name, width) -> {
              float[] values = new float[rows * width];
              dataset.extra(name, firstRow, rows, values, 0);
              extras.put(name, values);
            });
    return new Episode(observations, actions, discounts, physics, extras);
  }
}
