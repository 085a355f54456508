package dev.psm.core.render;

/**
 * How closely a ray passes a shape, seen from where the ray starts: the smallest signed distance to
 * the shape divided by the way to it, negative where the ray goes through. A soft shadow is a
 * smooth function of this number, so it needs one ray and shows no grain that would flicker from
 * frame to frame. After Inigo Quilez, "Soft shadows in raymarched SDFs".
 */
final class Clearance {
  private static final double NEAREST = 1e-4;
  private static final double GOLDEN = (Math.sqrt(5) - 1) / 2;
  private static final int NARROWINGS = 13;

  private Clearance() {}

  /**
   * The ray in the shape's frame, its direction of length 1. The search looks for the closest point
   * between {@code from} and {@code to}.
   */
  static double of(
      Shape shape,
      double ox,
      double oy,
      double oz,
      double dx,
      double dy,
      double dz,
      double from,
      double to) {
    double t;
    switch (shape.kind()) {
      case PLANE -> {
        return Double.POSITIVE_INFINITY;
      }
      case SPHERE -> t = -(ox * dx + oy * dy + oz * dz);
      case CAPSULE -> {
        // The point of the axis nearest to the ray's line, then the ray's point nearest to that.
        double along = ox * dx + oy * dy + oz * dz;
        double across = 1 - dz * dz;
        double axis = across < 1e-9 ? oz : (oz - along * dz) / across;
        axis = Math.max(-shape.sizeY(), Math.min(shape.sizeY(), axis));
        t = axis * dz - along;
      }
      case ELLIPSOID -> {
        double ix = 1 / (shape.sizeX() * shape.sizeX());
        double iy = 1 / (shape.sizeY() * shape.sizeY());
        double iz = 1 / (shape.sizeZ() * shape.sizeZ());
        t =
            -(ox * dx * ix + oy * dy * iy + oz * dz * iz)
                / (dx * dx * ix + dy * dy * iy + dz * dz * iz);
      }
      default -> {
        return search(shape, ox, oy, oz, dx, dy, dz, Math.max(from, NEAREST), to);
      }
    }
    if (t <= NEAREST) {
      return Double.POSITIVE_INFINITY;
    }
    return Distances.signed(shape, ox + t * dx, oy + t * dy, oz + t * dz) / t;
  }

  /**
   * The distance to a convex shape is convex along a ray, which makes its ratio to the way there
   * fall and then rise: golden sections close in on the lowest point.
   */
  private static double search(
      Shape shape,
      double ox,
      double oy,
      double oz,
      double dx,
      double dy,
      double dz,
      double from,
      double to) {
    if (to <= from) {
      return Double.POSITIVE_INFINITY;
    }
    double low = from;
    double high = to;
    double a = high - GOLDEN * (high - low);
    double b = low + GOLDEN * (high - low);
    double atA = Distances.signed(shape, ox + a * dx, oy + a * dy, oz + a * dz) / a;
    double atB = Distances.signed(shape, ox + b * dx, oy + b * dy, oz + b * dz) / b;
    for (int i = 0; i < NARROWINGS; i++) {
      if (atA < atB) {
        high = b;
        b = a;
        atB = atA;
        a = high - GOLDEN * (high - low);
        atA = Distances.signed(shape, ox + a * dx, oy + a * dy, oz + a * dz) / a;
      } else {
        low = a;
        a = b;
        atA = atB;
        b = low + GOLDEN * (high - low);
        atB = Distances.signed(shape, ox + b * dx, oy + b * dy, oz + b * dz) / b;
      }
    }
    return Math.min(atA, atB);
  }
}
