package dev.psm.core.env;

/**
 * Two telling quantities of a world, each with the range that counts: where the coverage of data is
 * measured and drawn.
 */
public record Plane(String x, double xLow, double xHigh, String y, double yLow, double yHigh) {
  public Plane {
    requireRange(x, xLow, xHigh);
    requireRange(y, yLow, yHigh);
  }

  private static void requireRange(String axis, double low, double high) {
    if (!(low < high) || Double.isInfinite(high - low)) {
      throw new IllegalArgumentException(
          "a plane's range of %s must go from a number to a larger one, found %s to %s"
              .formatted(axis, low, high));
    }
  }
}
