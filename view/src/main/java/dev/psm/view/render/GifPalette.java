package dev.psm.view.render;

import java.util.Arrays;

/**
 * Up to 255 colours and the rule that puts one of them in the place of any other.
 *
 * <p>In-between tones are dithered with a fixed pattern: a pixel that does not change keeps its
 * entry from frame to frame, where an error that diffuses would make the whole picture crawl.
 */
final class GifPalette {
  static final int MOST = 255;

  private static final int[] BAYER = bayer();
  private static final int LOOKUP_BITS = 7;
  private static final double WIDEST_DITHER = 10;
  private static final int POOR = 14;

  final int[] colours;
  private final boolean exact;
  private final double dither;
  private final int tolerance;
  // Entry for each colour rounded to seven bits a channel; -1 where nobody asked yet.
  private final short[] lookup = new short[1 << (3 * LOOKUP_BITS)];

  private GifPalette(int[] colours, boolean exact) {
    this.colours = colours;
    this.exact = exact;
    dither = exact ? 0 : Math.min(WIDEST_DITHER, spacing(colours));
    tolerance = exact ? 0 : (int) Math.ceil(dither / 2) + 1;
    Arrays.fill(lookup, (short) -1);
  }

  /** These colours and no others. */
  static GifPalette exact(int[] colours) {
    return new GifPalette(colours.clone(), true);
  }

  /** Colours that stand for many. */
  static GifPalette fitted(int[] colours) {
    return new GifPalette(colours.clone(), false);
  }

  boolean isExact() {
    return exact;
  }

  /** The entry for a colour at a place. */
  int index(int rgb, int x, int y) {
    if (exact) {
      return nearest(rgb >> 16 & 0xff, rgb >> 8 & 0xff, rgb & 0xff);
    }
    int offset = (int) Math.rint(dither * ((BAYER[(y & 7) << 3 | (x & 7)] + 0.5) / 64 - 0.5));
    int red = clamp((rgb >> 16 & 0xff) + offset);
    int green = clamp((rgb >> 8 & 0xff) + offset);
    int blue = clamp((rgb & 0xff) + offset);
    int down = 8 - LOOKUP_BITS;
    int cell = ((red >> down) << LOOKUP_BITS | green >> down) << LOOKUP_BITS | blue >> down;
    if (lookup[cell] < 0) {
      lookup[cell] = (short) nearest(red, green, blue);
    }
    return lookup[cell];
  }

  /** Whether what the screen shows already is as good as what {@link #index} would choose. */
  boolean mayKeep(int shown, int wanted) {
    return shown == wanted || distance(shown, wanted) <= tolerance;
  }

  /** Share of a frame's pixels that no entry comes near to. */
  double poorShare(int[] pixels) {
    int poor = 0;
    int looked = 0;
    for (int i = 0; i < pixels.length; i += 3) {
      looked++;
      poor += distance(colours[index(pixels[i], 3, 3)], pixels[i]) > POOR ? 1 : 0;
    }
    return (double) poor / looked;
  }

  private static int distance(int a, int b) {
    int red = Math.abs((a >> 16 & 0xff) - (b >> 16 & 0xff));
    int green = Math.abs((a >> 8 & 0xff) - (b >> 8 & 0xff));
    return Math.max(red, Math.max(green, Math.abs((a & 0xff) - (b & 0xff))));
  }

  private int nearest(int red, int green, int blue) {
    int best = 0;
    int least = Integer.MAX_VALUE;
    for (int i = 0; i < colours.length; i++) {
      int r = (colours[i] >> 16) - red;
      int g = (colours[i] >> 8 & 0xff) - green;
      int b = (colours[i] & 0xff) - blue;
      int distance = r * r + g * g + b * b;
      if (distance < least) {
        least = distance;
        best = i;
      }
    }
    return best;
  }

  /** The usual step, a channel, from an entry to the one nearest to it. */
  private static double spacing(int[] colours) {
    double[] steps = new double[colours.length];
    for (int i = 0; i < colours.length; i++) {
      double least = Double.POSITIVE_INFINITY;
      for (int j = 0; j < colours.length; j++) {
        if (j != i) {
          double r = (colours[i] >> 16) - (colours[j] >> 16);
          double g = (colours[i] >> 8 & 0xff) - (colours[j] >> 8 & 0xff);
          double b = (colours[i] & 0xff) - (colours[j] & 0xff);
          least = Math.min(least, Math.sqrt((r * r + g * g + b * b) / 3));
        }
      }
      steps[i] = least;
    }
    Arrays.sort(steps);
    return steps[steps.length / 2];
  }

  private static int clamp(int channel) {
    return Math.max(0, Math.min(255, channel));
  }

  /** Bayer's order of 64 thresholds: neighbours differ as much as they can. */
  private static int[] bayer() {
    int[] order = new int[64];
    for (int y = 0; y < 8; y++) {
      for (int x = 0; x < 8; x++) {
        int value = 0;
        for (int bit = 0; bit < 3; bit++) {
          int pair = ((x ^ y) >> bit & 1) << 1 | (y >> bit & 1);
          value |= pair << (2 * (2 - bit));
        }
        order[y << 3 | x] = value;
      }
    }
    return order;
  }
}
