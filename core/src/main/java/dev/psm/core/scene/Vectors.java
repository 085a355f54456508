package dev.psm.core.scene;

/** The few operations on three numbers that scenes and the renderer need outside inner loops. */
public final class Vectors {
  private Vectors() {}

  /** A copy, once it has the right length and no number that would spread through the picture. */
  static double[] checked(String name, double[] values, int length) {
    if (values.length != length) {
      throw new IllegalArgumentException(
          "%s has %d numbers, not %d".formatted(name, length, values.length));
    }
    for (double value : values) {
      if (!Double.isFinite(value)) {
        throw new IllegalArgumentException("%s cannot hold %s".formatted(name, value));
      }
    }
    return values.clone();
  }

  public static double dot(double[] a, double[] b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  }

  public static double[] minus(double[] a, double[] b) {
    return new double[] {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
  }

  public static double[] cross(double[] a, double[] b) {
    return new double[] {
      a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]
    };
  }

  public static double length(double[] a) {
    return Math.sqrt(dot(a, a));
  }

  public static double[] scaled(double[] a, double factor) {
    return new double[] {a[0] * factor, a[1] * factor, a[2] * factor};
  }

  public static double[] unit(double[] a) {
    return scaled(a, 1 / length(a));
  }
}
