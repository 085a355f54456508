package dev.psm.core.reward;

/**
 * dm_control's building block of rewards: 1 while a value lies within bounds, and a smooth fall to
 * {@code valueAtMargin} at the distance {@code margin} from them.
 */
public final class Tolerance {
  /** dm_control's default value at the margin. */
  public static final double DEFAULT_VALUE = 0.1;

  private Tolerance() {}

  /** How the value falls outside the bounds; {@code d} is the distance in margins. */
  public enum Sigmoid {
    GAUSSIAN {
      @Override
      double at(double d, double value) {
        double k = Math.sqrt(-2 * Math.log(value));
        return Math.exp(-0.5 * (d * k) * (d * k));
      }
    },
    HYPERBOLIC {
      @Override
      double at(double d, double value) {
        return 1 / Math.cosh(d * arcosh(1 / value));
      }
    },
    LONG_TAIL {
      @Override
      double at(double d, double value) {
        double scaled = d * Math.sqrt(1 / value - 1);
        return 1 / (scaled * scaled + 1);
      }
    },
    RECIPROCAL {
      @Override
      double at(double d, double value) {
        return 1 / (Math.abs(d) * (1 / value - 1) + 1);
      }
    },
    COSINE {
      @Override
      double at(double d, double value) {
        double scaled = d * Math.acos(2 * value - 1) / Math.PI;
        return Math.abs(scaled) < 1 ? (1 + Math.cos(Math.PI * scaled)) / 2 : 0;
      }
    },
    LINEAR {
      @Override
      double at(double d, double value) {
        double scaled = d * (1 - value);
        return Math.abs(scaled) < 1 ? 1 - scaled : 0;
      }
    },
    QUADRATIC {
      @Override
      double at(double d, double value) {
        double scaled = d * Math.sqrt(1 - value);
        return Math.abs(scaled) < 1 ? 1 - scaled * scaled : 0;
      }
    },
    TANH_SQUARED {
      @Override
      double at(double d, double value) {
        double tanh = Math.tanh(d * artanh(Math.sqrt(1 - value)));
        return 1 - tanh * tanh;
      }
    };

    abstract double at(double d, double value);

    /** Those that reach zero may be asked to have done so at the margin. */
    boolean mayVanish() {
      return this == COSINE || this == LINEAR || this == QUADRATIC;
    }

    private static double arcosh(double x) {
      return Math.log(x + Math.sqrt(x * x - 1));
    }

    private static double artanh(double x) {
      return 0.5 * Math.log((1 + x) / (1 - x));
    }
  }

  /** With dm_control's defaults: gaussian, 0.1 at the margin. */
  public static double tolerance(double x, double low, double high, double margin) {
    return tolerance(x, low, high, margin, DEFAULT_VALUE, Sigmoid.GAUSSIAN);
  }

  /**
   * The reward of {@code x}; NaN stays NaN.
   *
   * @param low lower bound, may be −∞
   * @param high upper bound, may be +∞
   * @param margin width of the fall; 0 for a sharp edge
   * @param valueAtMargin in (0, 1), or 0 too for the sigmoids that vanish
   */
  public static double tolerance(
      double x, double low, double high, double margin, double valueAtMargin, Sigmoid sigmoid) {
    if (!(low <= high)) {
      throw new IllegalArgumentException(
          "tolerance: the lower bound %s must not exceed the upper one %s".formatted(low, high));
    }
    if (!(margin >= 0)) {
      throw new IllegalArgumentException("tolerance: a margin cannot be " + margin);
    }
    boolean allowed =
        valueAtMargin < 1 && (valueAtMargin > 0 || (valueAtMargin == 0 && sigmoid.mayVanish()));
    if (!allowed) {
      throw new IllegalArgumentException(
          "tolerance: the value at the margin must be below 1 and %s 0 for %s, found %s"
              .formatted(sigmoid.mayVanish() ? "at least" : "above", sigmoid, valueAtMargin));
    }
    if (x >= low && x <= high) {
      return 1;
    }
    if (Double.isNaN(x)) {
      return Double.NaN;
    }
    if (margin == 0) {
      return 0;
    }
    return sigmoid.at((x < low ? low - x : x - high) / margin, valueAtMargin);
  }
}
