package dev.psm.core.reward;

/**
 * dm_control's building block of rewards: 1 while a value lies within bounds, and a smooth fall to
 * {@code valueAtMargin} at the distance {@code margin} from them.
 */
public final class Tolerance {
  /** dm_control's default value at the margin. */
  public static final double DEFAULT_VALUE = 0.1;

  private Tolerance() {}

  /**
   * How the value falls outside the bounds: a curve, stretched so that it has the wanted value at
   * the margin.
   */
  public enum Sigmoid {
    GAUSSIAN {
      @Override
      double stretch(double value) {
        return Math.sqrt(-2 * Math.log(value));
      }

      @Override
      double curve(double s) {
        return Math.exp(-0.5 * s * s);
      }
    },
    HYPERBOLIC {
      @Override
      double stretch(double value) {
        double x = 1 / value;
        return Math.log(x + Math.sqrt(x * x - 1));
      }

      @Override
      double curve(double s) {
        return 1 / Math.cosh(s);
      }
    },
    LONG_TAIL {
      @Override
      double stretch(double value) {
        return Math.sqrt(1 / value - 1);
      }

      @Override
      double curve(double s) {
        return 1 / (s * s + 1);
      }
    },
    RECIPROCAL {
      @Override
      double stretch(double value) {
        return 1 / value - 1;
      }

      @Override
      double curve(double s) {
        return 1 / (Math.abs(s) + 1);
      }
    },
    COSINE {
      @Override
      double stretch(double value) {
        return Math.acos(2 * value - 1);
      }

      @Override
      double curve(double s) {
        double turned = s / Math.PI;
        return Math.abs(turned) < 1 ? (1 + Math.cos(Math.PI * turned)) / 2 : 0;
      }
    },
    LINEAR {
      @Override
      double stretch(double value) {
        return 1 - value;
      }

      @Override
      double curve(double s) {
        return Math.abs(s) < 1 ? 1 - s : 0;
      }
    },
    QUADRATIC {
      @Override
      double stretch(double value) {
        return Math.sqrt(1 - value);
      }

      @Override
      double curve(double s) {
        return Math.abs(s) < 1 ? 1 - s * s : 0;
      }
    },
    TANH_SQUARED {
      @Override
      double stretch(double value) {
        double x = Math.sqrt(1 - value);
        return 0.5 * Math.log((1 + x) / (1 - x));
      }

      @Override
      double curve(double s) {
        double tanh = Math.tanh(s);
        return 1 - tanh * tanh;
      }
    };

    /** How far along the curve the margin lies. */
    abstract double stretch(double value);

    abstract double curve(double s);

    /** Those that reach zero may be asked to have done so at the margin. */
    public boolean mayVanish() {
      return this == COSINE || this == LINEAR || this == QUADRATIC;
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
    return x >= low && x <= high
        ? 1
        : outside(x, low, high, margin, sigmoid, sigmoid.stretch(valueAtMargin));
  }

  /**
   * The same of many values at once, with what does not depend on them worked out only once; the
   * other arguments are taken as checked.
   *
   * @param out may be {@code x} itself
   */
  public static void tolerance(
      double[] x,
      double[] out,
      int count,
      double low,
      double high,
      double margin,
      double valueAtMargin,
      Sigmoid sigmoid) {
    double stretch = sigmoid.stretch(valueAtMargin);
    for (int i = 0; i < count; i++) {
      double each = x[i];
      out[i] = each >= low && each <= high ? 1 : outside(each, low, high, margin, sigmoid, stretch);
    }
  }

  private static double outside(
      double x, double low, double high, double margin, Sigmoid sigmoid, double stretch) {
    if (Double.isNaN(x)) {
      return Double.NaN;
    }
    return margin == 0 ? 0 : sigmoid.curve((x < low ? low - x : x - high) / margin * stretch);
  }
}
