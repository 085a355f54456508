package dev.psm.lab.collect;

import dev.psm.core.UserError;
import dev.psm.core.data.Dataset;
import dev.psm.core.reward.Task;
import dev.psm.lab.Progress;

/**
 * Rewards that came with imported data, held against those of a task put on the stored physics of
 * the same row. The comparison with the row before tells a shift by one step, the usual mistake,
 * from a different reward.
 *
 * @param largest difference, and {@code mean} of its size
 * @param meanOneEarlier the same mean if the stored rewards belonged to the state before
 */
public record StoredRewards(double largest, double mean, double meanOneEarlier) {
  private static final String COLUMN = "reward";

  /** Compares all rows but the first of each episode, which no step led to. */
  public static StoredRewards compare(
      Dataset dataset, StoredStates states, Task task, Progress progress) {
    if (!dataset.columns().extras().containsKey(COLUMN)) {
      throw UserError.argument(
          "task", "the dataset came without rewards to compare with; leave the task out");
    }
    int rows = Math.toIntExact(dataset.rows());
    float[] stored = new float[rows];
    dataset.extra(COLUMN, 0, rows, stored, 0);
    double[] paid = new double[rows];
    states.relabel(
        task, (row, block) -> System.arraycopy(block, 0, paid, (int) row, block.length), progress);
    double largest = 0;
    double sum = 0;
    double earlier = 0;
    for (int episode = 0; episode < dataset.episodes(); episode++) {
      for (int row = (int) dataset.firstRow(episode) + 1; row <= dataset.lastRow(episode); row++) {
        double difference = Math.abs(stored[row] - paid[row]);
        largest = Math.max(largest, difference);
        sum += difference;
        earlier += Math.abs(stored[row] - paid[row - 1]);
      }
    }
    long count = dataset.transitions();
    return new StoredRewards(largest, sum / count, earlier / count);
  }
}
