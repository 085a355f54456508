package dev.psm.view.render;

import dev.psm.core.scene.Camera;
import dev.psm.core.scene.Look;

/** The sky, and the mist in which the ground meets it without a seam. */
final class Atmosphere {
  /** How many times the way to the target lies behind it where mist has taken two thirds. */
  private static final double CLEAR_VIEW = 6;

  private final double[] horizon;
  private final double[] zenith;
  private final double density;
  private final double clear;

  Atmosphere(Look look, Camera camera) {
    horizon = Tone.linear(look.horizon());
    zenith = Tone.linear(look.zenith());
    // By the camera's own measure: a maze of half a metre and a field of fifty look alike.
    clear = camera.distance();
    density = 1 / (CLEAR_VIEW * camera.distance());
  }

  /** Light from a direction whose height is the z of a unit vector. */
  double sky(int channel, double height) {
    // Starts flat, so that no line shows where the mist of the ground ends.
    double share = height <= 0 ? 0 : height * height / (height * height + 0.06) * 1.06;
    return horizon[channel] + (zenith[channel] - horizon[channel]) * share;
  }

  /** Share of the mist in what is seen at a distance. */
  double mist(double distance) {
    double depth = Math.max(0, distance - clear) * density;
    return 1 - Math.exp(-depth * Math.sqrt(depth));
  }

  double mistColour(int channel) {
    return horizon[channel];
  }
}
