package dev.psm.view.render;

import dev.psm.core.scene.Shape;

/**
 * Signed distance from a point to the surface of a shape, in the shape's frame; negative inside.
 * Exact except for the ellipsoid, whose first-order estimate is exact on its surface.
 */
final class Distances {
  private Distances() {}

  static double signed(Shape shape, double px, double py, double pz) {
    double x = shape.sizeX();
    double y = shape.sizeY();
    double z = shape.sizeZ();
    return switch (shape.kind()) {
      case SPHERE -> length(px, py, pz) - x;
      case CAPSULE -> length(px, py, pz - Math.max(-y, Math.min(y, pz))) - x;
      case ELLIPSOID -> ellipsoid(x, y, z, px, py, pz);
      case CYLINDER -> corner(Math.sqrt(px * px + py * py) - x, Math.abs(pz) - y, -1e300);
      case BOX -> corner(Math.abs(px) - x, Math.abs(py) - y, Math.abs(pz) - z);
      case PLANE -> pz;
    };
  }

  private static double ellipsoid(double x, double y, double z, double px, double py, double pz) {
    double k0 = length(px / x, py / y, pz / z);
    double k1 = length(px / (x * x), py / (y * y), pz / (z * z));
    return k1 < 1e-9 ? -Math.min(x, Math.min(y, z)) : k0 * (k0 - 1) / k1;
  }

  /** Distance to the corner that three pairs of faces make, from the distances to the faces. */
  private static double corner(double a, double b, double c) {
    double deepest = Math.max(a, Math.max(b, c));
    return deepest <= 0 ? deepest : length(Math.max(a, 0), Math.max(b, 0), Math.max(c, 0));
  }

  private static double length(double x, double y, double z) {
    return Math.sqrt(x * x + y * y + z * z);
  }
}
