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

  /** Every statistic is NaN for an empty sample or for one that holds NaN. */
  public static Summary of(double[] values) {
    int count = values.length;
    if (count == 0 || Arrays.stream(values).anyMatch(Double::isNaN)) {
      double nan = Double.NaN;
      return new Summary(count, nan, nan, nan, nan, nan, nan);
    }
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    double mean = Arrays.stream(values).sum() / count;
    double squares = 0;
    for (double value : values) {
      squares += (value - mean) * (value - mean);
    }
    double deviation = count == 1 ? Double.NaN : Math.sqrt(squares / (count - 1));
    double median = (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
    return new Summary(
        count, mean, deviation, deviation / Math.sqrt(count), sorted[0], sorted[count - 1], median);
  }
}
