package dev.psm.core.stats;

/** The standard normal distribution's tail. */
final class Normal {
  private static final double SERIES_LIMIT = 3;
  private static final int FRACTION_DEPTH = 200;

  private Normal() {}

  /** P(|Z| ≥ z) for z ≥ 0, to about 12 digits: a series near zero, a continued fraction beyond. */
  static double twoSidedTail(double z) {
    double density = Math.exp(-z * z / 2) / Math.sqrt(2 * Math.PI);
    if (z < SERIES_LIMIT) {
      double term = z;
      double sum = z;
      for (int k = 3; term > sum * 1e-17; k += 2) {
        term *= z * z / k;
        sum += term;
      }
      return 1 - 2 * density * sum;
    }
    double fraction = z;
    for (int k = FRACTION_DEPTH; k >= 1; k--) {
      fraction = z + k / fraction;
    }
    return 2 * density / fraction;
  }
}
