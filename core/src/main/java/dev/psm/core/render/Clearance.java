package dev.psm.core.render;

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
    boolean box = shape.kind() == Shape.Kind.BOX;
    halfX = shape.sizeX();
    halfY = box ? shape.sizeY() : halfX;
    halfZ = box ? shape.sizeZ() : shape.sizeY();
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
    double low = 0;
    double high = Math.sqrt(ox * ox + oy * oy + oz * oz) + solid.bound;
    for (int pass = 0; pass < 2; pass++) {
      // The last point that can count sets how far the box must grow, which moves that point in.
      double grown = limit * high;
      double x1 = (-halfX - grown - ox) * inverseX;
      double x2 = (halfX + grown - ox) * inverseX;
      double y1 = (-halfY - grown - oy) * inverseY;
      double y2 = (halfY + grown - oy) * inverseY;
      double z1 = (-halfZ - grown - oz) * inverseZ;
      double z2 = (halfZ + grown - oz) * inverseZ;
      double enter = Math.max(Math.min(x1, x2), Math.max(Math.min(y1, y2), Math.min(z1, z2)));
      double leave = Math.min(Math.max(x1, x2), Math.min(Math.max(y1, y2), Math.max(z1, z2)));
      low = Math.max(NEAREST, enter);
      high = Math.min(high, leave);
      if (!(low < high)) {
        return FAR;
      }
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
}
