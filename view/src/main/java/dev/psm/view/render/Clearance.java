package dev.psm.view.render;

import dev.psm.core.scene.Shape;

/**
 * How closely rays towards the light pass a solid, seen from where they start: the smallest signed
 * distance to the solid divided by the way to it, negative where a ray goes through. A soft shadow
 * is a smooth function of this number, so it needs one ray and shows no grain that would flicker
 * from frame to frame. After Inigo Quilez, "Soft shadows in raymarched SDFs".
 */
final class Clearance {
  private static final double FAR = Double.POSITIVE_INFINITY;
  private static final double NEAREST = 1e-4;
  private static final double GOLDEN = (Math.sqrt(5) - 1) / 2;
  private static final int NARROWINGS = 10;

  private final Solid solid;
  private final Shape shape;
  private final double limit;
  // The direction to the light in the solid's frame.
  private final double dx;
  private final double inverseX;
  private final double dy;
  private final double inverseY;
  private final double dz;
  private final double inverseZ;
  private final double halfX;
  private final double halfY;
  private final double halfZ;

  /** Numbers beyond the limit, on either side, are not worked out: any beyond it will do. */
  Clearance(Solid solid, double[] light, double limit) {
    this.solid = solid;
    this.limit = limit;
    shape = solid.shape;
    dx = solid.localX(light[0], light[1], light[2]);
    dy = solid.localY(light[0], light[1], light[2]);
    dz = solid.localZ(light[0], light[1], light[2]);
    inverseX = 1 / dx;
    inverseY = 1 / dy;
    inverseZ = 1 / dz;
    double x = shape.sizeX();
    double y = shape.sizeY();
    double z = shape.sizeZ();
    boolean threeSizes = shape.kind() == Shape.Kind.BOX || shape.kind() == Shape.Kind.ELLIPSOID;
    halfX = x;
    halfY = threeSizes ? y : x;
    halfZ = threeSizes ? z : shape.kind() == Shape.Kind.CYLINDER ? y : x + y;
  }

  /** Of the ray from a point of the world. */
  double from(double px, double py, double pz) {
    double vx = px - solid.x;
    double vy = py - solid.y;
    double vz = pz - solid.z;
    double ox = solid.localX(vx, vy, vz);
    double oy = solid.localY(vx, vy, vz);
    double oz = solid.localZ(vx, vy, vz);
    double along = ox * dx + oy * dy + oz * dz;
    return switch (shape.kind()) {
      case SPHERE -> at(ox, oy, oz, -along);
      case CAPSULE -> {
        // The point of the axis nearest to the ray's line, then the ray's point nearest to that.
        double across = 1 - dz * dz;
        double axis = across < 1e-9 ? oz : (oz - along * dz) / across;
        axis = Math.max(-shape.sizeY(), Math.min(shape.sizeY(), axis));
        yield at(ox, oy, oz, axis * dz - along);
      }
      case ELLIPSOID -> {
        double wx = dx / (shape.sizeX() * shape.sizeX());
        double wy = dy / (shape.sizeY() * shape.sizeY());
        double wz = dz / (shape.sizeZ() * shape.sizeZ());
        yield at(ox, oy, oz, -(ox * wx + oy * wy + oz * wz) / (dx * wx + dy * wy + dz * wz));
      }
      case CYLINDER, BOX -> search(ox, oy, oz);
      case PLANE -> FAR;
    };
  }

  /** Whether the solid may shade any point of a ball; now and then true when it does not. */
  boolean mayReach(double px, double py, double pz, double radius) {
    double vx = px - solid.x;
    double vy = py - solid.y;
    double vz = pz - solid.z;
    double ox = solid.localX(vx, vy, vz);
    double oy = solid.localY(vx, vy, vz);
    double oz = solid.localZ(vx, vy, vz);
    double high = last(ox, oy, oz, farthest(ox, oy, oz) + radius, radius);
    return high >= 0 && last(ox, oy, oz, high + radius, radius) >= 0;
  }

  private double at(double ox, double oy, double oz, double t) {
    return t <= NEAREST ? FAR : ratio(ox, oy, oz, t);
  }

  private double ratio(double ox, double oy, double oz, double t) {
    return Distances.signed(shape, ox + t * dx, oy + t * dy, oz + t * dz) / t;
  }

  /**
   * The distance to a convex shape is convex along a ray, which makes its ratio to the way there
   * fall and then rise: golden sections close in on the lowest point. The search keeps to the part
   * of the ray within the shape's box, grown by what the limit allows there.
   */
  private double search(double ox, double oy, double oz) {
    double high = last(ox, oy, oz, farthest(ox, oy, oz), 0);
    high = last(ox, oy, oz, high, 0);
    if (high < 0) {
      return FAR;
    }
    double low = Math.max(NEAREST, first(ox, oy, oz, limit * high));
    if (!(low < high)) {
      return FAR;
    }
    double a = high - GOLDEN * (high - low);
    double b = low + GOLDEN * (high - low);
    double atA = ratio(ox, oy, oz, a);
    double atB = ratio(ox, oy, oz, b);
    for (int i = 0; i < NARROWINGS && Math.min(atA, atB) > -limit; i++) {
      if (atA < atB) {
        high = b;
        b = a;
        atB = atA;
        a = high - GOLDEN * (high - low);
        atA = ratio(ox, oy, oz, a);
      } else {
        low = a;
        a = b;
        atA = atB;
        b = low + GOLDEN * (high - low);
        atB = ratio(ox, oy, oz, b);
      }
    }
    return Math.min(atA, atB);
  }

  private double farthest(double ox, double oy, double oz) {
    return Math.sqrt(ox * ox + oy * oy + oz * oz) + solid.bound;
  }

  /**
   * Where a ray leaves the solid's box, grown by a margin and by what the limit allows at the given
   * point, which is no nearer; -1 where it never enters. Applied twice it closes in: the nearer the
   * last point that can count, the less the box must grow.
   */
  private double last(double ox, double oy, double oz, double high, double margin) {
    double grown = margin + limit * high;
    double leave = leave(ox, oy, oz, grown);
    boolean meets = leave >= 0 && first(ox, oy, oz, grown) <= leave;
    return meets ? Math.min(high, leave) : -1;
  }

  private double first(double ox, double oy, double oz, double grown) {
    double x = (Math.copySign(halfX + grown, -dx) - ox) * inverseX;
    double y = (Math.copySign(halfY + grown, -dy) - oy) * inverseY;
    double z = (Math.copySign(halfZ + grown, -dz) - oz) * inverseZ;
    return Math.max(x, Math.max(y, z));
  }

  private double leave(double ox, double oy, double oz, double grown) {
    double x = (Math.copySign(halfX + grown, dx) - ox) * inverseX;
    double y = (Math.copySign(halfY + grown, dy) - oy) * inverseY;
    double z = (Math.copySign(halfZ + grown, dz) - oz) * inverseZ;
    return Math.min(x, Math.min(y, z));
  }
}
