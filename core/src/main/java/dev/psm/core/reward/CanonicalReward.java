package dev.psm.core.reward;

import java.util.Arrays;
import java.util.List;

/**
 * A reward without what changes no optimal policy: an offset and a positive factor. Learned agents
 * are not as indifferent as exact ones. In E[r φ] an offset c is c·E[φ], a direction that the actor
 * does react to, and single precision has no room for a large one; so rewards that mean the same
 * are made the same numbers before any agent sees them.
 *
 * <p>The offset is a quantile over the states, a little below the median: what most states pay is
 * nothing. So a goal, which pays in a few states only, stays as it is, and states with extreme
 * rewards, which would drag the mean along, do not move it. Of the quantiles this one suited
 * learned agents best.
 *
 * @param values rewards less the offset, the largest of size 1; all 0 for a constant reward
 * @param scale what a value of 1 stands for, but no less than the smallest double with all digits;
 *     0 for a constant reward
 */
@SuppressWarnings("ArrayRecordComponent")
public record CanonicalReward(double[] values, double scale) {
  /**
   * Differences below this share of the largest reward are rounding: formulas make some 10⁻¹⁵ of
   * it.
   */
  public static final double ROUNDING = 1e-12;

  /** This share of the states pays less than nothing. */
  public static final double OFFSET_QUANTILE = 0.4;

  /** The canonical form of rewards in a sample of states, all finite. */
  public static CanonicalReward of(double[] rewards) {
    for (int i = 0; i < rewards.length; i++) {
      if (!Double.isFinite(rewards[i])) {
        throw new IllegalArgumentException(
            "the reward of state %d must be finite, found %s".formatted(i, rewards[i]));
      }
    }
    // First to size 1, so that differences of the largest doubles do not overflow.
    double largest = largest(rewards);
    double[] values = new double[rewards.length];
    if (largest == 0) {
      return new CanonicalReward(values, 0);
    }
    for (int i = 0; i < values.length; i++) {
      values[i] = rewards[i] / largest;
    }
    double offset = quantile(values);
    for (int i = 0; i < values.length; i++) {
      values[i] -= offset;
    }
    double spread = largest(values);
    if (spread <= ROUNDING) {
      return new CanonicalReward(new double[rewards.length], 0);
    }
    for (int i = 0; i < values.length; i++) {
      values[i] /= spread;
    }
    // Values times the scale must stay finite and keep their digits, and any factor will do.
    double scale = Math.max(Double.MIN_NORMAL, Math.min(spread * largest, Reward.LARGEST));
    return new CanonicalReward(values, scale);
  }

  /** One per row, each with a reward for every state. */
  public static List<CanonicalReward> ofAll(double[][] rewards, int states) {
    for (double[] reward : rewards) {
      if (reward.length != states) {
        throw new IllegalArgumentException(
            "a reward has a number for each of %d states, found %d"
                .formatted(states, reward.length));
      }
    }
    return Arrays.stream(rewards).map(CanonicalReward::of).toList();
  }

  /** The values of each, one row after the other. */
  public static double[][] values(List<CanonicalReward> rewards) {
    return rewards.stream().map(CanonicalReward::values).toArray(double[][]::new);
  }

  /** The same in every state, as far as double precision can tell: nothing to pursue. */
  public boolean isConstant() {
    return scale == 0;
  }

  private static double largest(double[] values) {
    double largest = 0;
    for (double value : values) {
      largest = Math.max(largest, Math.abs(value));
    }
    return largest;
  }

  private static double quantile(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return quantile(sorted, OFFSET_QUANTILE);
  }

  /**
   * The value that this share of values lies below. Between two values it is interpolated, so that
   * it moves and stretches as the rewards do.
   *
   * @param sorted ascending
   */
  public static double quantile(double[] sorted, double share) {
    double place = Math.min(1, Math.max(0, share)) * (sorted.length - 1);
    int below = (int) place;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
  }
}
