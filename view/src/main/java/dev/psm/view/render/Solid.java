package dev.psm.view.render;

import dev.psm.core.scene.Placed;
import dev.psm.core.scene.Shape;

/** A placed shape made ready for many rays: the inner loops read its fields. */
final class Solid {
  private static final double EDGE_BAND = 0.14;

  final Shape shape;
  final int index;
  final double x;
  final double y;
  final double z;
  final double bound;
  final double thickness;
  final double red;
  final double green;
  final double blue;
  final double alpha;
  private final double xx;
  private final double xy;
  private final double xz;
  private final double yx;
  private final double yy;
  private final double yz;
  private final double zx;
  private final double zy;
  private final double zz;

  Solid(Placed placed, int index) {
    this.index = index;
    shape = placed.shape();
    double[] position = placed.position();
    x = position[0];
    y = position[1];
    z = position[2];
    bound = boundingRadius(shape);
    thickness = halfThickness(shape);
    double[] linear = Tone.linear(shape.colour());
    red = linear[0];
    green = linear[1];
    blue = linear[2];
    alpha = shape.colour().alpha();
    double[] r = placed.rotation();
    xx = r[0];
    xy = r[1];
    xz = r[2];
    yx = r[3];
    yy = r[4];
    yz = r[5];
    zx = r[6];
    zy = r[7];
    zz = r[8];
  }

  double localX(double vx, double vy, double vz) {
    return xx * vx + yx * vy + zx * vz;
  }

  double localY(double vx, double vy, double vz) {
    return xy * vx + yy * vy + zy * vz;
  }

  double localZ(double vx, double vy, double vz) {
    return xz * vx + yz * vy + zz * vz;
  }

  /** Way along a ray (direction of length 1) to where it enters, or {@link Casting#MISS}. */
  double enter(double ox, double oy, double oz, double dx, double dy, double dz) {
    double cx = x - ox;
    double cy = y - oy;
    double cz = z - oz;
    if (bound < Double.POSITIVE_INFINITY) {
      double along = cx * dx + cy * dy + cz * dz;
      double aside = cx * cx + cy * cy + cz * cz - along * along;
      if (along < -bound || aside > bound * bound) {
        return Casting.MISS;
      }
    }
    return Casting.enter(
        shape,
        -localX(cx, cy, cz),
        -localY(cx, cy, cz),
        -localZ(cx, cy, cz),
        localX(dx, dy, dz),
        localY(dx, dy, dz),
        localZ(dx, dy, dz));
  }

  double distance(double px, double py, double pz) {
    double vx = px - x;
    double vy = py - y;
    double vz = pz - z;
    return Distances.signed(shape, localX(vx, vy, vz), localY(vx, vy, vz), localZ(vx, vy, vz));
  }

  /** Writes the outward unit normal at a surface point; returns which smooth face it lies on. */
  int normal(double px, double py, double pz, double[] out) {
    double vx = px - x;
    double vy = py - y;
    double vz = pz - z;
    double lx = localX(vx, vy, vz);
    double ly = localY(vx, vy, vz);
    double lz = localZ(vx, vy, vz);
    double nx = lx;
    double ny = ly;
    double nz = lz;
    int face = 0;
    switch (shape.kind()) {
      case SPHERE -> {}
      case CAPSULE -> nz = lz - Math.max(-shape.sizeY(), Math.min(shape.sizeY(), lz));
      case ELLIPSOID -> {
        nx = lx / (shape.sizeX() * shape.sizeX());
        ny = ly / (shape.sizeY() * shape.sizeY());
        nz = lz / (shape.sizeZ() * shape.sizeZ());
      }
      case CYLINDER -> {
        boolean cap = Math.abs(lz) - shape.sizeY() > Math.sqrt(lx * lx + ly * ly) - shape.sizeX();
        face = cap ? 1 : 0;
        nx = cap ? 0 : lx;
        ny = cap ? 0 : ly;
        nz = cap ? lz : 0;
      }
      case BOX -> {
        double gx = Math.abs(lx) - shape.sizeX();
        double gy = Math.abs(ly) - shape.sizeY();
        double gz = Math.abs(lz) - shape.sizeZ();
        face = gx > gy ? (gx > gz ? 1 : 3) : (gy > gz ? 2 : 3);
        nx = face == 1 ? lx : 0;
        ny = face == 2 ? ly : 0;
        nz = face == 3 ? lz : 0;
      }
      case PLANE -> {
        nx = 0;
        ny = 0;
        nz = 1;
      }
    }
    double scale = 1 / Math.sqrt(nx * nx + ny * ny + nz * nz);
    out[0] = (xx * nx + xy * ny + xz * nz) * scale;
    out[1] = (yx * nx + yy * ny + yz * nz) * scale;
    out[2] = (zx * nx + zy * ny + zz * nz) * scale;
    return face;
  }

  /**
   * Bends the normals of a box towards the neighbouring face along its edges, which then catch the
   * light as if they were rounded. The outline stays that of the box.
   */
  void softenEdges(double px, double py, double pz, double[] normal) {
    if (shape.kind() != Shape.Kind.BOX) {
      return;
    }
    double vx = px - x;
    double vy = py - y;
    double vz = pz - z;
    double band = EDGE_BAND * thickness;
    double nx = bend(localX(vx, vy, vz), shape.sizeX(), band);
    double ny = bend(localY(vx, vy, vz), shape.sizeY(), band);
    double nz = bend(localZ(vx, vy, vz), shape.sizeZ(), band);
    double scale = 1 / Math.sqrt(nx * nx + ny * ny + nz * nz);
    normal[0] = (xx * nx + xy * ny + xz * nz) * scale;
    normal[1] = (yx * nx + yy * ny + yz * nz) * scale;
    normal[2] = (zx * nx + zy * ny + zz * nz) * scale;
  }

  private static double bend(double at, double half, double band) {
    double share = Math.max(0, 1 - (half - Math.abs(at)) / band);
    return Math.copySign(share * share, at);
  }

  /** Radius around the local origin that holds the whole shape. */
  private static double boundingRadius(Shape shape) {
    return switch (shape.kind()) {
      case SPHERE -> shape.sizeX();
      case CAPSULE -> shape.sizeX() + shape.sizeY();
      case ELLIPSOID -> Math.max(shape.sizeX(), Math.max(shape.sizeY(), shape.sizeZ()));
      case CYLINDER -> Math.hypot(shape.sizeX(), shape.sizeY());
      case BOX ->
          Math.sqrt(
              shape.sizeX() * shape.sizeX()
                  + shape.sizeY() * shape.sizeY()
                  + shape.sizeZ() * shape.sizeZ());
      case PLANE ->
          shape.infinite() ? Double.POSITIVE_INFINITY : Math.hypot(shape.sizeX(), shape.sizeY());
    };
  }

  /** Half of the smallest width: the scale on which the shape darkens its neighbours. */
  private static double halfThickness(Shape shape) {
    return switch (shape.kind()) {
      case SPHERE, CAPSULE -> shape.sizeX();
      case CYLINDER -> Math.min(shape.sizeX(), shape.sizeY());
      case ELLIPSOID, BOX -> Math.min(shape.sizeX(), Math.min(shape.sizeY(), shape.sizeZ()));
      case PLANE -> 0;
    };
  }
}
