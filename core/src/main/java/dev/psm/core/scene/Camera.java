package dev.psm.core.scene;

/** A pinhole camera: where it stands, what it looks at, which way is up, and how wide it sees. */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Camera(double[] eye, double[] target, double[] up, double fieldOfView) {
  /** MuJoCo's, in degrees from the bottom to the top of the picture. */
  public static final double FIELD_OF_VIEW = 45;

  private static final double FOLLOWING = 0.15;

  public Camera {
    eye = Vectors.checked("the eye", eye, 3);
    target = Vectors.checked("the target", target, 3);
    up = Vectors.checked("up", up, 3);
    if (!(fieldOfView > 0 && fieldOfView < 180)) {
      throw new IllegalArgumentException(
          "a field of view is above 0 and below 180 degrees, not " + fieldOfView);
    }
    double[] forward = Vectors.minus(target, eye);
    double across = Vectors.length(Vectors.cross(forward, up));
    if (!(across > 1e-9 * Vectors.length(forward) * Vectors.length(up))) {
      throw new IllegalArgumentException("a camera cannot look along its up direction");
    }
  }

  public static Camera lookingAt(double[] eye, double[] target) {
    return new Camera(eye, target, new double[] {0, 0, 1}, FIELD_OF_VIEW);
  }

  /**
   * MuJoCo's free camera, angles in degrees: azimuth 0 looks along +x and 90 along +y, a negative
   * elevation looks down. The elevation must not be -90 or 90: see {@link #above}.
   */
  public static Camera free(double[] lookAt, double distance, double azimuth, double elevation) {
    double turn = Math.toRadians(azimuth);
    double tilt = Math.toRadians(elevation);
    double[] forward = {
      Math.cos(tilt) * Math.cos(turn), Math.cos(tilt) * Math.sin(turn), Math.sin(tilt)
    };
    return lookingAt(Vectors.minus(lookAt, Vectors.scaled(forward, distance)), lookAt);
  }

  /** Looks straight down from a height over a point, with +y at the top of the picture. */
  public static Camera above(double[] point, double height) {
    double[] eye = {point[0], point[1], point[2] + height};
    return new Camera(eye, point, new double[] {0, 1, 0}, FIELD_OF_VIEW);
  }

  /** The next point to look at while following one that moves: one that did exactly would shake. */
  public static double[] follow(double[] focus, double[] moved) {
    double[] next = focus.clone();
    for (int i = 0; i < next.length; i++) {
      next[i] += FOLLOWING * (moved[i] - focus[i]);
    }
    return next;
  }

  public Camera withFieldOfView(double degrees) {
    return new Camera(eye, target, up, degrees);
  }

  /** From the eye to the target. */
  public double distance() {
    return Vectors.length(Vectors.minus(target, eye));
  }

  public double[] forwardUnit() {
    return Vectors.unit(Vectors.minus(target, eye));
  }

  public double[] rightUnit() {
    return Vectors.unit(Vectors.cross(forwardUnit(), up));
  }

  public double[] upUnit() {
    return Vectors.cross(rightUnit(), forwardUnit());
  }
}
