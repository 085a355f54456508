package dev.psm.core.stats;

import java.util.Arrays;

/**
 * What a table says about a sample.
 *
 * @param standardDeviation of the sample, with n − 1 in the denominator; NaN for a single value
 * @param standardError the standard deviation of the mean
 */
public record Summary(
    int count,
    double mean,
    double standardDeviation,
    double standardError,
    double min,
    double max,
    double median) {
  private static final double HUGE = 1e150;

  /** Every statistic is NaN for an empty sample or for one that holds NaN. */
  public static Summary of(double[] values) {
    int count = values.length;
    if (count == 0 || Arrays.stream(values).anyMatch(Double::isNaN)) {
      double nan = Double.NaN;
      return new Summary(count, nan, nan, nan, nan, nan, nan);
    }
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    // Sums of huge values, and the squares of their differences, must not overflow.
    double largest = Math.max(Math.abs(sorted[0]), Math.abs(sorted[count - 1]));
    double unit = largest > HUGE && largest <= Double.MAX_VALUE ? largest : 1;
    double mean = Arrays.stream(values).map(value -> value / unit).sum() / count;
    double squares = 0;
    for (double value : values) {
      double off = value / unit - mean;
      squares += off * off;
    }
    mean *= unit;
    double deviation = count == 1 ? Double.NaN : Math.sqrt(squares / (count - 1)) * unit;
    double median = sorted[(count - 1) / 2] / 2 + sorted[count / 2] / 2;
    return new Summary(
        count, mean, deviation, deviation / Math.sqrt(count), sorted[0], sorted[count - 1], median);
  }
}
