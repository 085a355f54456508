package dev.psm.view.render;

import dev.psm.core.scene.Shape;

/**
 * Where a ray enters a shape, in the shape's frame. All shapes are convex, so a ray enters at most
 * once; a ray that starts inside never does. The direction has length 1. Formulas solve the shape's
 * implicit equation along the ray.
 */
final class Casting {
  static final double MISS = Double.POSITIVE_INFINITY;

  private Casting() {}

  static double enter(
      Shape shape, double ox, double oy, double oz, double dx, double dy, double dz) {
    double x = shape.sizeX();
    double y = shape.sizeY();
    double z = shape.sizeZ();
    return switch (shape.kind()) {
      case SPHERE -> sphere(x, ox, oy, oz, dx, dy, dz);
      case CAPSULE -> capsule(x, y, ox, oy, oz, dx, dy, dz);
      case ELLIPSOID -> ellipsoid(x, y, z, ox, oy, oz, dx, dy, dz);
      case CYLINDER -> cylinder(x, y, ox, oy, oz, dx, dy, dz);
      case BOX -> box(x, y, z, ox, oy, oz, dx, dy, dz);
      case PLANE -> plane(x, y, ox, oy, oz, dx, dy, dz);
    };
  }

  private static double sphere(
      double r, double ox, double oy, double oz, double dx, double dy, double dz) {
    double b = ox * dx + oy * dy + oz * dz;
    // From the foot of the perpendicular: b*b - c would lose a small, distant sphere to rounding.
    double px = ox - b * dx;
    double py = oy - b * dy;
    double pz = oz - b * dz;
    double h = r * r - (px * px + py * py + pz * pz);
    if (h < 0) {
      return MISS;
    }
    return ahead(-b - Math.sqrt(h));
  }

  private static double capsule(
      double r, double h, double ox, double oy, double oz, double dx, double dy, double dz) {
    double a = dx * dx + dy * dy;
    if (a > 1e-14) {
      double b = ox * dx + oy * dy;
      double c = ox * ox + oy * oy - r * r;
      double disc = b * b - a * c;
      if (disc < 0) {
        return MISS;
      }
      double t = (-b - Math.sqrt(disc)) / a;
      double z = oz + t * dz;
      if (Math.abs(z) <= h) {
        return ahead(t);
      }
      double cap = z > 0 ? h : -h;
      return sphere(r, ox, oy, oz - cap, dx, dy, dz);
    }
    return sphere(r, ox, oy, oz + (dz > 0 ? h : -h), dx, dy, dz);
  }

  private static double ellipsoid(
      double x,
      double y,
      double z,
      double ox,
      double oy,
      double oz,
      double dx,
      double dy,
      double dz) {
    double sx = dx / x;
    double sy = dy / y;
    double sz = dz / z;
    double stretch = Math.sqrt(sx * sx + sy * sy + sz * sz);
    return sphere(1, ox / x, oy / y, oz / z, sx / stretch, sy / stretch, sz / stretch) / stretch;
  }

  private static double cylinder(
      double r, double h, double ox, double oy, double oz, double dx, double dy, double dz) {
    double a = dx * dx + dy * dy;
    double c = ox * ox + oy * oy - r * r;
    double near = Double.NEGATIVE_INFINITY;
    double far = MISS;
    if (a > 1e-14) {
      double b = ox * dx + oy * dy;
      double disc = b * b - a * c;
      if (disc < 0) {
        return MISS;
      }
      double root = Math.sqrt(disc);
      near = (-b - root) / a;
      far = (-b + root) / a;
    } else if (c > 0) {
      return MISS;
    }
    // A ray within the slab gives infinities of opposite signs, one outside infinities of one sign.
    double low = (-h - oz) / dz;
    double high = (h - oz) / dz;
    near = Math.max(near, Math.min(low, high));
    far = Math.min(far, Math.max(low, high));
    return near <= far ? ahead(near) : MISS;
  }

  private static double box(
      double x,
      double y,
      double z,
      double ox,
      double oy,
      double oz,
      double dx,
      double dy,
      double dz) {
    double x1 = (-x - ox) / dx;
    double x2 = (x - ox) / dx;
    double y1 = (-y - oy) / dy;
    double y2 = (y - oy) / dy;
    double z1 = (-z - oz) / dz;
    double z2 = (z - oz) / dz;
    double near = Math.max(Math.min(x1, x2), Math.max(Math.min(y1, y2), Math.min(z1, z2)));
    double far = Math.min(Math.max(x1, x2), Math.min(Math.max(y1, y2), Math.max(z1, z2)));
    return near <= far ? ahead(near) : MISS;
  }

  private static double plane(
      double x, double y, double ox, double oy, double oz, double dx, double dy, double dz) {
    if (oz <= 0 || dz >= 0) {
      return MISS;
    }
    double t = -oz / dz;
    boolean inside = x == 0 || (Math.abs(ox + t * dx) <= x && Math.abs(oy + t * dy) <= y);
    return inside ? t : MISS;
  }

  private static double ahead(double t) {
    return t > 0 ? t : MISS;
  }
}
