package dev.psm.core.scene;

/**
 * A solid in its own frame, sized as MuJoCo sizes a geom. Sizes that a kind does not use are 0.
 *
 * <p>An infinite plane is the ground: it wears the checkerboard of the {@link Look} instead of its
 * own colour. Planes are seen from the side of their normal only, so a wall between the camera and
 * the scene does not hide it.
 */
public record Shape(Kind kind, double sizeX, double sizeY, double sizeZ, Colour colour) {
  /** What the three sizes mean. */
  public enum Kind {
    /** Radius. */
    SPHERE(1),
    /** Radius, half length of the straight part along local z. */
    CAPSULE(2),
    /** Three semi-axes. */
    ELLIPSOID(3),
    /** Radius, half length along local z. */
    CYLINDER(2),
    /** Three half extents. */
    BOX(3),
    /** Half extents in local x and y, 0 for infinite; the normal is local z. */
    PLANE(0);

    private final int positiveSizes;

    Kind(int positiveSizes) {
      this.positiveSizes = positiveSizes;
    }
  }

  public Shape {
    double[] sizes = {sizeX, sizeY, sizeZ};
    for (int i = 0; i < sizes.length; i++) {
      boolean sound = sizes[i] > 0 || (sizes[i] == 0 && i >= kind.positiveSizes);
      if (!sound || !Double.isFinite(sizes[i])) {
        throw new IllegalArgumentException(
            "size %d of a %s cannot be %s".formatted(i + 1, kind, sizes[i]));
      }
    }
    if (kind == Kind.PLANE && (sizeX == 0) != (sizeY == 0)) {
      throw new IllegalArgumentException("a plane is infinite in both directions or in none");
    }
  }

  public static Shape sphere(double radius, Colour colour) {
    return new Shape(Kind.SPHERE, radius, 0, 0, colour);
  }

  public static Shape capsule(double radius, double halfLength, Colour colour) {
    return new Shape(Kind.CAPSULE, radius, halfLength, 0, colour);
  }

  public static Shape ellipsoid(double x, double y, double z, Colour colour) {
    return new Shape(Kind.ELLIPSOID, x, y, z, colour);
  }

  public static Shape cylinder(double radius, double halfLength, Colour colour) {
    return new Shape(Kind.CYLINDER, radius, halfLength, 0, colour);
  }

  public static Shape box(double x, double y, double z, Colour colour) {
    return new Shape(Kind.BOX, x, y, z, colour);
  }

  public static Shape plane(double x, double y, Colour colour) {
    return new Shape(Kind.PLANE, x, y, 0, colour);
  }

  /** The infinite checkered plane. */
  public static Shape ground() {
    return plane(0, 0, Colour.of(0.2, 0.3, 0.4));
  }

  public Shape withColour(Colour other) {
    return new Shape(kind, sizeX, sizeY, sizeZ, other);
  }

  /** Every size times a factor. */
  public Shape scaled(double factor) {
    return new Shape(kind, factor * sizeX, factor * sizeY, factor * sizeZ, colour);
  }

  /** Whether it is the ground. */
  public boolean infinite() {
    return kind == Kind.PLANE && sizeX == 0;
  }
}
