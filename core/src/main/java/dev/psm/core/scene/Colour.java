package dev.psm.core.scene;

/** A display (sRGB) colour with shares from 0 to 1; alpha 1 is opaque. */
public record Colour(double red, double green, double blue, double alpha) {
  public Colour {
    check("red", red);
    check("green", green);
    check("blue", blue);
    check("alpha", alpha);
  }

  public static Colour of(double red, double green, double blue) {
    return new Colour(red, green, blue, 1);
  }

  public Colour withAlpha(double share) {
    return new Colour(red, green, blue, share);
  }

  /** This colour at 0, the other at 1: how dm_control shows the reward on a body. */
  public Colour mix(Colour other, double share) {
    double rest = 1 - share;
    return new Colour(
        red * rest + other.red * share,
        green * rest + other.green * share,
        blue * rest + other.blue * share,
        alpha * rest + other.alpha * share);
  }

  private static void check(String name, double share) {
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException("%s must be from 0 to 1, not %s".formatted(name, share));
    }
  }
}
