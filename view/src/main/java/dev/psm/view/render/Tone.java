package dev.psm.view.render;

import dev.psm.core.scene.Colour;

/** Between light intensities, in which shading is done, and the 8-bit values of a display. */
final class Tone {
  private static final double SHOULDER = 0.75;
  private static final int STEPS = 4096;
  // Indexed by the square root of the intensity, which spaces dark and bright tones evenly.
  private static final byte[] DISPLAY = new byte[STEPS + 1];

  static {
    for (int i = 0; i <= STEPS; i++) {
      double root = i / (double) STEPS;
      DISPLAY[i] = (byte) Math.round(255 * display(root * root));
    }
  }

  private Tone() {}

  /** The sRGB transfer function, IEC 61966-2-1. */
  static double linear(double display) {
    return display <= 0.04045 ? display / 12.92 : Math.pow((display + 0.055) / 1.055, 2.4);
  }

  /** A colour as light intensities, which unlike display values may be added and scaled. */
  static double[] linear(Colour colour) {
    return new double[] {linear(colour.red()), linear(colour.green()), linear(colour.blue())};
  }

  static double display(double linear) {
    return linear <= 0.0031308 ? linear * 12.92 : 1.055 * Math.pow(linear, 1 / 2.4) - 0.055;
  }

  /** Bends what is brighter than a display can show smoothly towards white. */
  static double compress(double linear) {
    if (linear <= SHOULDER) {
      return Math.max(0, linear);
    }
    double room = 1 - SHOULDER;
    double over = (linear - SHOULDER) / room;
    return SHOULDER + room * over / (1 + over);
  }

  static int rgb(double red, double green, double blue) {
    return channel(red) << 16 | channel(green) << 8 | channel(blue);
  }

  private static int channel(double linear) {
    double root = Math.sqrt(Math.min(1, Math.max(0, linear)));
    return DISPLAY[(int) (root * STEPS + 0.5)] & 0xff;
  }
}
