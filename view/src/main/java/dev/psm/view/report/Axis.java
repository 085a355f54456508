package dev.psm.view.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;

/** A range of values with round tick marks that cover it. */
final class Axis {
  private static final double HUGE = 1e300;
  private static final double NOTHING = 1e-30;

  private final double[] ticks;
  private final double step;
  private final boolean logarithmic;

  private Axis(double[] ticks, double step, boolean logarithmic) {
    this.ticks = ticks;
    this.step = step;
    this.logarithmic = logarithmic;
  }

  /** Covers the positive values among these with powers of ten; linear where there are none. */
  static Axis logarithmic(List<Double> values) {
    List<Double> positive =
        values.stream().filter(value -> value > 0 && Double.isFinite(value)).toList();
    if (positive.isEmpty()) {
      return linear(values, 5);
    }
    double low = positive.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
    double high = positive.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
    int first = (int) Math.floor(Math.log10(low) + 1e-9);
    int last = Math.max(first + 1, (int) Math.ceil(Math.log10(high) - 1e-9));
    double[] powers = new double[last - first + 1];
    for (int i = 0; i < powers.length; i++) {
      powers[i] = Double.parseDouble("1e" + (first + i));
    }
    return new Axis(powers, powers[0], true);
  }

  /** Covers the finite values among these; 0 to 1 when there are none. */
  static Axis linear(List<Double> values, int wantedTicks) {
    double low = Double.POSITIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;
    for (double value : values) {
      if (Double.isFinite(value)) {
        low = Math.min(low, Math.max(-HUGE, value));
        high = Math.max(high, Math.min(HUGE, value));
      }
    }
    if (low > high) {
      low = 0;
      high = 1;
    }
    double size = Math.max(Math.abs(low), Math.abs(high));
    // Within rounding of single precision, or of nothing at all, there is no difference to show.
    if (high - low <= size * 1e-6 || size < NOTHING) {
      double pad = size < NOTHING ? 1 : size / 10;
      low -= pad;
      high += pad;
    }
    double step = bestStep(low, high, wantedTicks);
    long first = firstIndex(low, step);
    long last = lastIndex(high, step);
    double[] ticks = new double[(int) (last - first) + 1];
    for (int i = 0; i < ticks.length; i++) {
      ticks[i] = (first + i) * step;
    }
    return new Axis(ticks, step, false);
  }

  double[] ticks() {
    return ticks.clone();
  }

  double low() {
    return ticks[0];
  }

  double high() {
    return ticks[ticks.length - 1];
  }

  /** Where a value lies between two ends of the page, kept within them. */
  double place(double value, double from, double to) {
    double fraction =
        logarithmic
            ? Math.log(Math.max(value, low()) / low()) / Math.log(high() / low())
            : (value - low()) / (high() - low());
    return from + Math.min(1, Math.max(0, fraction)) * (to - from);
  }

  /** A tick as text: thousands as k, M, G; very small and very large as powers of ten. */
  String label(double tick) {
    return tick < 0 ? "−" + unsignedLabel(-tick) : unsignedLabel(tick);
  }

  private String unsignedLabel(double tick) {
    double largest = Math.max(Math.abs(low()), Math.abs(high()));
    if (tick == 0) {
      return "0";
    }
    if (logarithmic) {
      return tick >= 1e-3 && tick < 1e4
          ? BigDecimal.valueOf(tick).stripTrailingZeros().toPlainString()
          : "1e" + Math.round(Math.log10(tick));
    }
    if (largest < 1e-3 || largest >= 1e12) {
      BigDecimal digits = rounded(tick);
      int exponent = digits.precision() - digits.scale() - 1;
      return digits.movePointLeft(exponent).stripTrailingZeros().toPlainString() + "e" + exponent;
    }
    if (largest >= 1e4 && tick >= 1e3) {
      double unit = tick >= 1e9 ? 1e9 : tick >= 1e6 ? 1e6 : 1e3;
      String suffix = tick >= 1e9 ? "G" : tick >= 1e6 ? "M" : "k";
      return rounded(tick).divide(BigDecimal.valueOf(unit)).stripTrailingZeros().toPlainString()
          + suffix;
    }
    return rounded(tick).toPlainString();
  }

  private BigDecimal rounded(double tick) {
    int digits = (int) Math.ceil(Math.log10(tick / step)) + 2;
    return BigDecimal.valueOf(tick)
        .round(new MathContext(Math.min(12, Math.max(1, digits))))
        .stripTrailingZeros();
  }

  /** Among round steps near the wanted one, the one whose ticks overshoot the data least. */
  private static double bestStep(double low, double high, int wantedTicks) {
    double best = 0;
    double leastCost = Double.POSITIVE_INFINITY;
    for (int count = wantedTicks - 1; count <= wantedTicks + 3; count++) {
      double step = roundStep((high - low) / count);
      long intervals = lastIndex(high, step) - firstIndex(low, step);
      double overshoot = intervals * (step / (high - low)) - 1;
      double cost = overshoot + 0.03 * Math.abs(intervals - wantedTicks);
      if (cost < leastCost) {
        leastCost = cost;
        best = step;
      }
    }
    return best;
  }

  private static long firstIndex(double low, double step) {
    return (long) Math.floor(low / step + 1e-9);
  }

  private static long lastIndex(double high, double step) {
    return (long) Math.ceil(high / step - 1e-9);
  }

  private static double roundStep(double rough) {
    double power = Math.pow(10, Math.floor(Math.log10(rough)));
    double mantissa = rough / power;
    return power * (mantissa <= 1 ? 1 : mantissa <= 2 ? 2 : mantissa <= 5 ? 5 : 10);
  }
}
