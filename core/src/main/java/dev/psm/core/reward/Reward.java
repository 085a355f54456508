package dev.psm.core.reward;

import java.util.stream.IntStream;

/** What a state is worth, said of one state or of a table of them. */
@FunctionalInterface
public interface Reward {
  /** The largest size of a reward: sums over all steps of an episode must be finite too. */
  double LARGEST = 1e304;

  double of(Readings readings);

  /** The same in every state of a table, on all cores; a reward that knows columns does better. */
  default double[] of(QuantityTable table) {
    double[] rewards = new double[table.rows()];
    IntStream.range(0, rewards.length)
        .parallel()
        .forEach(row -> rewards[row] = of(quantity -> table.column(quantity)[row]));
    return rewards;
  }
}
