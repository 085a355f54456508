package dev.psm.agents.training;

import dev.psm.core.UserError;
import dev.psm.core.Wording;
import dev.psm.core.data.Dataset;
import java.util.Optional;
import java.util.function.DoubleBinaryOperator;
import java.util.random.RandomGenerator;

/**
 * The transitions of a dataset, each of so many environment steps: at a control step of a few
 * milliseconds a single one hardly changes a value, and what it does change drowns in the errors.
 *
 * @param stride environment steps from a transition's first state to the state it enters
 */
record Transitions(Dataset dataset, int stride) {

  /** Refuses data of which no episode is as long as a transition. */
  Transitions {
    if (stride < 1) {
      throw new IllegalArgumentException("a stride of at least 1, found " + stride);
    }
    long longest = longestEpisode(dataset, stride);
    if (longest < stride) {
      throw UserError.invalid(
          "with stride=%d a transition is %d environment steps, and the longest episode in %s has"
              + " %d; lower stride, or collect longer episodes",
          stride, stride, dataset.folder(), longest);
    }
  }

  /**
   * The rows from which so many transitions lead on; data of which no episode has them is refused.
   */
  Starts starts(int count) {
    long steps = (long) count * stride;
    long longest = longestEpisode(dataset, steps);
    if (longest < steps) {
      throw UserError.invalid(
          "the agent learns from %d transitions in a row%s, and the longest episode in %s has %d;"
              + " lower horizon%s, or collect longer episodes",
          count,
          stride == 1 ? "" : " of %d steps each".formatted(stride),
          dataset.folder(),
          longest,
          stride == 1 ? "" : " or stride");
    }
    return new Starts(dataset, steps);
  }

  /** Of more steps than are enough it does not look for a longer one. */
  private static long longestEpisode(Dataset dataset, long enough) {
    long longest = 0;
    for (int episode = 0; episode < dataset.episodes() && longest < enough; episode++) {
      longest = Math.max(longest, dataset.lastRow(episode) - dataset.firstRow(episode));
    }
    return longest;
  }

  /** How much of the data is learned from, where that is not all. */
  Optional<String> remark() {
    if (stride == 1) {
      return Optional.empty();
    }
    double share = (double) starts(1).count() / dataset.transitions();
    return Optional.of(
        Wording.format(
            "with stride=%d transitions begin at %.3g %% of the data's %,d steps; all others are"
                + " too near the end of their episode",
            stride, 100 * share, dataset.transitions()));
  }

  /**
   * A later row that transitions lead to from this one.
   *
   * @param discount of an environment step
   */
  long later(long row, RandomGenerator random, double discount) {
    return dataset.futureRow(row, random, StrictMath.pow(discount, stride), stride);
  }

  /**
   * The actions that led to consecutive rows, each the mean over the transition's steps: that of
   * the last step where the episode is younger, which no transition enters.
   */
  void meanActions(long row, int count, float[] steps, float[] out) {
    int width = dataset.columns().action();
    fold(row, count, width, steps, out, Double::sum, (sum, length) -> sum / length);
  }

  /** The discounts of the steps that led to consecutive rows, each the product over the steps. */
  void discountProducts(long row, int count, float[] steps, float[] out) {
    fold(row, count, 1, steps, out, (a, b) -> a * b, (product, length) -> product);
  }

  /**
   * @param steps of the rows, and of those {@link #before} them
   * @param finish takes what was combined and the number of steps
   */
  private void fold(
      long row,
      int count,
      int width,
      float[] steps,
      float[] out,
      DoubleBinaryOperator combine,
      DoubleBinaryOperator finish) {
    int before = before(row);
    for (int i = 0; i < count; i++) {
      int length = isEntered(row + i) ? stride : 1;
      int last = before + i;
      for (int k = 0; k < width; k++) {
        double folded = steps[(last - length + 1) * width + k];
        for (int step = last - length + 2; step <= last; step++) {
          folded = combine.applyAsDouble(folded, steps[step * width + k]);
        }
        out[i * width + k] = (float) finish.applyAsDouble(folded, length);
      }
    }
  }

  /** Rows before this one that transitions into it reach back to, as far as there are rows. */
  int before(long row) {
    return (int) Math.min(row, stride - 1);
  }

  private boolean isEntered(long row) {
    return row - dataset.firstRow(dataset.episodeOf(row)) >= stride;
  }
}
