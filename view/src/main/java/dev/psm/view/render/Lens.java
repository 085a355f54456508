package dev.psm.view.render;

import dev.psm.core.scene.Camera;
import dev.psm.core.scene.Vectors;

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
    double pixel = 2 * halfHeight(camera) / height;
    forward = camera.forwardUnit();
    right = Vectors.scaled(camera.rightUnit(), pixel);
    up = Vectors.scaled(camera.upUnit(), pixel);
  }

  /** Height of the picture at distance 1, halved. */
  static double halfHeight(Camera camera) {
    return Math.tan(Math.toRadians(camera.fieldOfView()) / 2);
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
