package dev.psm.view.render;

import dev.psm.core.scene.Colour;
import dev.psm.core.scene.Placed;
import dev.psm.core.scene.Shape;
import java.util.random.RandomGenerator;

/** Shapes by their plain definitions, slow and obvious, to hold the fast formulas against. */
final class Reference {
  private static final int STEPS = 4000;

  private Reference() {}

  /** Below 0 inside, above 0 outside, in the shape's frame. */
  static double implicit(Shape shape, double x, double y, double z) {
    double a = shape.sizeX();
    double b = shape.sizeY();
    double c = shape.sizeZ();
    return switch (shape.kind()) {
      case SPHERE -> x * x + y * y + z * z - a * a;
      case CAPSULE -> {
        double beyond = Math.max(0, Math.abs(z) - b);
        yield x * x + y * y + beyond * beyond - a * a;
      }
      case ELLIPSOID -> x * x / (a * a) + y * y / (b * b) + z * z / (c * c) - 1;
      case CYLINDER -> Math.max(Math.hypot(x, y) - a, Math.abs(z) - b);
      case BOX -> Math.max(Math.abs(x) - a, Math.max(Math.abs(y) - b, Math.abs(z) - c));
      case PLANE -> z;
    };
  }

  static double implicitInWorld(Placed placed, double x, double y, double z) {
    double[] p = placed.position();
    double[] r = placed.rotation();
    double vx = x - p[0];
    double vy = y - p[1];
    double vz = z - p[2];
    return implicit(
        placed.shape(),
        r[0] * vx + r[3] * vy + r[6] * vz,
        r[1] * vx + r[4] * vy + r[7] * vz,
        r[2] * vx + r[5] * vy + r[8] * vz);
  }

  /** Walks a ray from outside up to the way's end; infinite where it finds no way in. */
  static double enter(Placed placed, double[] origin, double[] direction, double end) {
    double before = 0;
    for (int i = 1; i <= STEPS; i++) {
      double t = end * i / STEPS;
      if (along(placed, origin, direction, t) < 0) {
        double low = before;
        double high = t;
        for (int halving = 0; halving < 60; halving++) {
          double middle = (low + high) / 2;
          if (along(placed, origin, direction, middle) < 0) {
            high = middle;
          } else {
            low = middle;
          }
        }
        return high;
      }
      before = t;
    }
    return Double.POSITIVE_INFINITY;
  }

  /** The smallest value met on the way, by which a touch is told from a miss. */
  static double lowest(Placed placed, double[] origin, double[] direction, double end) {
    double lowest = Double.POSITIVE_INFINITY;
    for (int i = 0; i <= STEPS; i++) {
      lowest = Math.min(lowest, along(placed, origin, direction, end * i / STEPS));
    }
    return lowest;
  }

  private static double along(Placed placed, double[] o, double[] d, double t) {
    return implicitInWorld(placed, o[0] + t * d[0], o[1] + t * d[1], o[2] + t * d[2]);
  }

  static Shape shape(Shape.Kind kind, RandomGenerator random) {
    double a = 0.2 + random.nextDouble();
    double b = 0.2 + random.nextDouble();
    double c = 0.2 + random.nextDouble();
    Colour colour = Colour.of(0.5, 0.5, 0.5);
    return switch (kind) {
      case SPHERE -> Shape.sphere(a, colour);
      case CAPSULE -> Shape.capsule(a, b, colour);
      case ELLIPSOID -> Shape.ellipsoid(a, b, c, colour);
      case CYLINDER -> Shape.cylinder(a, b, colour);
      case BOX -> Shape.box(a, b, c, colour);
      case PLANE -> Shape.plane(0, 0, colour);
    };
  }

  static Placed placed(Shape.Kind kind, RandomGenerator random) {
    double[] quaternion = new double[4];
    for (int i = 0; i < 4; i++) {
      quaternion[i] = random.nextGaussian();
    }
    return Placed.turned(shape(kind, random), vector(random, 1), quaternion);
  }

  static double[] vector(RandomGenerator random, double scale) {
    return new double[] {
      scale * random.nextGaussian(), scale * random.nextGaussian(), scale * random.nextGaussian()
    };
  }
}
