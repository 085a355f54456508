package dev.psm.core.scene;

/**
 * How a scene is dressed and lit: the two colours of the ground and the side of its squares, the
 * sky from the horizon up, and the direction towards the key light. The horizon is also the mist
 * into which distant things fade.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Look(
    Colour groundDark,
    Colour groundLight,
    double square,
    Colour horizon,
    Colour zenith,
    double[] light) {
  private static final double SHOULDER_TURN = Math.toRadians(48);
  private static final double SHOULDER_TILT = Math.toRadians(52);

  public Look {
    light = Vectors.unit(Vectors.checked("the light", light, 3));
    if (!Double.isFinite(light[0])) {
      throw new IllegalArgumentException("the light needs a direction");
    }
    if (!(square > 0 && Double.isFinite(square))) {
      throw new IllegalArgumentException("the side of a square is positive, not " + square);
    }
  }

  /** A blue floor in the manner of dm_control under a pale sky, with half-metre squares. */
  public static Look standard() {
    return new Look(
        Colour.of(0.15, 0.25, 0.36),
        Colour.of(0.22, 0.33, 0.45),
        0.5,
        Colour.of(0.80, 0.86, 0.92),
        Colour.of(0.36, 0.54, 0.75),
        new double[] {-0.45, -0.5, 0.9});
  }

  public Look withSquare(double side) {
    return new Look(groundDark, groundLight, side, horizon, zenith, light);
  }

  public Look withGround(Colour dark, Colour light) {
    return new Look(dark, light, square, horizon, zenith, this.light);
  }

  public Look withLight(double x, double y, double z) {
    return new Look(groundDark, groundLight, square, horizon, zenith, new double[] {x, y, z});
  }

  /** The key light over the left shoulder of a camera, where it flatters most scenes. */
  public Look litFor(Camera camera) {
    double[] right = camera.rightUnit();
    // Horizontal even for a camera that looks straight down.
    double[] back = Vectors.cross(right, new double[] {0, 0, 1});
    double flat = Math.cos(SHOULDER_TILT);
    double aside = -Math.sin(SHOULDER_TURN) * flat;
    double behind = Math.cos(SHOULDER_TURN) * flat;
    return withLight(
        right[0] * aside + back[0] * behind,
        right[1] * aside + back[1] * behind,
        Math.sin(SHOULDER_TILT));
  }
}
