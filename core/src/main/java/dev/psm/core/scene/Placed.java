package dev.psm.core.scene;

/**
 * A shape in the world: where its origin is, and the row-major rotation that takes its frame to the
 * world's, as MuJoCo's xpos and xmat hold them.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Placed(Shape shape, double[] position, double[] rotation) {
  private static final double[] IDENTITY = {1, 0, 0, 0, 1, 0, 0, 0, 1};

  public Placed {
    position = Vectors.checked("a position", position, 3);
    rotation = Vectors.checked("a rotation", rotation, 9);
  }

  public static Placed at(Shape shape, double x, double y, double z) {
    return new Placed(shape, new double[] {x, y, z}, IDENTITY);
  }

  /** With a rotation given as a quaternion w, x, y, z of any length but 0. */
  public static Placed turned(Shape shape, double[] position, double[] quaternion) {
    double[] q = Vectors.checked("a quaternion", quaternion, 4);
    double norm = Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (norm == 0) {
      throw new IllegalArgumentException("a quaternion of length 0 is no rotation");
    }
    double w = q[0] / norm;
    double x = q[1] / norm;
    double y = q[2] / norm;
    double z = q[3] / norm;
    double[] rotation = {
      1 - 2 * (y * y + z * z),
      2 * (x * y - w * z),
      2 * (x * z + w * y),
      2 * (x * y + w * z),
      1 - 2 * (x * x + z * z),
      2 * (y * z - w * x),
      2 * (x * z - w * y),
      2 * (y * z + w * x),
      1 - 2 * (x * x + y * y)
    };
    return new Placed(shape, position, rotation);
  }
}
