package dev.psm.core.reward.formula;

import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;

/**
 * The built-in operations. Arithmetic is IEEE 754's. NaN passes through all of them, comparisons
 * and logic included, so that nothing can hide one; only a side that is not taken is not looked at.
 */
final class Kernels {
  static final Kernel ADD =
      (in, out, count) -> {
        double[] a = in[0];
        double[] b = in[1];
        for (int i = 0; i < count; i++) {
          out[i] = a[i] + b[i];
        }
      };

  static final Kernel SUBTRACT =
      (in, out, count) -> {
        double[] a = in[0];
        double[] b = in[1];
        for (int i = 0; i < count; i++) {
          out[i] = a[i] - b[i];
        }
      };

  static final Kernel MULTIPLY =
      (in, out, count) -> {
        double[] a = in[0];
        double[] b = in[1];
        for (int i = 0; i < count; i++) {
          out[i] = a[i] * b[i];
        }
      };

  static final Kernel DIVIDE =
      (in, out, count) -> {
        double[] a = in[0];
        double[] b = in[1];
        for (int i = 0; i < count; i++) {
          out[i] = a[i] / b[i];
        }
      };

  static final Kernel MIN =
      (in, out, count) -> {
        double[] a = in[0];
        double[] b = in[1];
        for (int i = 0; i < count; i++) {
          out[i] = Math.min(a[i], b[i]);
        }
      };

  static final Kernel MAX =
      (in, out, count) -> {
        double[] a = in[0];
        double[] b = in[1];
        for (int i = 0; i < count; i++) {
          out[i] = Math.max(a[i], b[i]);
        }
      };

  static final Kernel NEGATE =
      (in, out, count) -> {
        double[] a = in[0];
        for (int i = 0; i < count; i++) {
          out[i] = -a[i];
        }
      };

  static final Kernel ABS =
      (in, out, count) -> {
        double[] a = in[0];
        for (int i = 0; i < count; i++) {
          out[i] = Math.abs(a[i]);
        }
      };

  static final Kernel SQRT =
      (in, out, count) -> {
        double[] a = in[0];
        for (int i = 0; i < count; i++) {
          out[i] = Math.sqrt(a[i]);
        }
      };

  /** {@code in[0] ? in[1] : in[2]}. */
  static final Kernel CHOOSE =
      (in, out, count) -> {
        double[] condition = in[0];
        double[] yes = in[1];
        double[] no = in[2];
        for (int i = 0; i < count; i++) {
          double c = condition[i];
          out[i] = c == 0 ? no[i] : Double.isNaN(c) ? c : yes[i];
        }
      };

  // Java's own says that even NaN to the power of 0 is 1, which would hide it.
  static final Kernel POWER = binary((a, b) -> Double.isNaN(a) ? a : Math.pow(a, b));
  static final Kernel LESS = binary((a, b) -> a < b ? 1 : a >= b ? 0 : Double.NaN);
  static final Kernel AT_MOST = binary((a, b) -> a <= b ? 1 : a > b ? 0 : Double.NaN);
  static final Kernel GREATER = binary((a, b) -> a > b ? 1 : a <= b ? 0 : Double.NaN);
  static final Kernel AT_LEAST = binary((a, b) -> a >= b ? 1 : a < b ? 0 : Double.NaN);
  static final Kernel EQUAL = binary((a, b) -> a == b ? 1 : a < b || a > b ? 0 : Double.NaN);
  static final Kernel UNEQUAL = binary((a, b) -> a == b ? 0 : a < b || a > b ? 1 : Double.NaN);
  static final Kernel AND = binary((a, b) -> a == 0 ? 0 : Double.isNaN(a) ? a : truth(b));
  static final Kernel OR = binary((a, b) -> a == 0 ? truth(b) : Double.isNaN(a) ? a : 1);
  static final Kernel NOT = unary(a -> a == 0 ? 1 : Double.isNaN(a) ? a : 0);

  private Kernels() {}

  private static double truth(double a) {
    return a == 0 ? 0 : Double.isNaN(a) ? a : 1;
  }

  static Kernel unary(DoubleUnaryOperator function) {
    return (in, out, count) -> {
      double[] a = in[0];
      for (int i = 0; i < count; i++) {
        out[i] = function.applyAsDouble(a[i]);
      }
    };
  }

  private static Kernel binary(DoubleBinaryOperator function) {
    return (in, out, count) -> {
      double[] a = in[0];
      double[] b = in[1];
      for (int i = 0; i < count; i++) {
        out[i] = function.applyAsDouble(a[i], b[i]);
      }
    };
  }
}
