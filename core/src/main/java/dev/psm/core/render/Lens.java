package dev.psm.core.render;

/** Turns places in a picture, in pixels from its top left corner, into directions from the eye. */
final class Lens {
  final int width;
  final int height;
  private final double[] forward;

  /** Change of the direction for one pixel to the right. */
  final double[] right;

  /** Change of the direction for one pixel up. */
  final double[] up;

  Lens(Camera camera, int width, int height) {
    this.width = width;
    this.height = height;
    double pixel = 2 * camera.halfHeight() / height;
    forward = camera.forwardUnit();
    right = Vectors.scaled(camera.rightUnit(), pixel);
    up = Vectors.scaled(camera.upUnit(), pixel);
  }

  double[] direction(double x, double y) {
    double[] direction = new double[3];
    for (int i = 0; i < 3; i++) {
      direction[i] = along(i, x, y);
    }
    return direction;
  }

  /** One component of the direction, for loops that must not allocate. */
  double along(int axis, double x, double y) {
    return forward[axis] + right[axis] * (x - 0.5 * width) + up[axis] * (0.5 * height - y);
  }
}
