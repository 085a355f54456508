package dev.psm.view.render;

import java.util.Arrays;

/** The colours that a film has shown so far, and the palette that suits them. */
final class GifColours {
  private static final int BITS = 5;
  private static final int CELLS = 1 << (3 * BITS);
  private static final int SLOTS = 1 << 10;
  // Below 1, so that a small robot gets its share of entries beside a wide sky.
  private static final double WEIGHT_POWER = 0.7;

  private final int[] slots = new int[SLOTS];
  private final int[] distinct = new int[GifPalette.MOST];
  private int distinctCount;
  private boolean tooMany;
  private final double[] counts = new double[CELLS];
  private final double[][] sums = new double[3][CELLS];

  GifColours() {
    Arrays.fill(slots, -1);
  }

  /** A frame counts as often as {@code emphasis} says. */
  void add(int[] pixels, double emphasis) {
    int last = -1;
    for (int rgb : pixels) {
      if (!tooMany && rgb != last) {
        remember(rgb);
        last = rgb;
      }
      int red = rgb >> 16;
      int green = rgb >> 8 & 0xff;
      int blue = rgb & 0xff;
      int cell = (red >> 3) << (2 * BITS) | (green >> 3) << BITS | blue >> 3;
      counts[cell] += emphasis;
      sums[0][cell] += emphasis * red;
      sums[1][cell] += emphasis * green;
      sums[2][cell] += emphasis * blue;
    }
  }

  /** Whether a palette can hold every colour seen. */
  boolean few() {
    return !tooMany;
  }

  int distinctCount() {
    return distinctCount;
  }

  GifPalette palette() {
    if (!tooMany) {
      return GifPalette.exact(Arrays.copyOf(distinct, distinctCount));
    }
    int[] used = cellsInUse();
    double[][] colours = new double[used.length][3];
    double[] weights = new double[used.length];
    for (int i = 0; i < used.length; i++) {
      for (int c = 0; c < 3; c++) {
        colours[i][c] = sums[c][used[i]] / counts[used[i]];
      }
      weights[i] = Math.pow(counts[used[i]], WEIGHT_POWER);
    }
    return GifPalette.fitted(MedianCut.choose(colours, weights, GifPalette.MOST));
  }

  private int[] cellsInUse() {
    int[] used = new int[CELLS];
    int count = 0;
    for (int cell = 0; cell < CELLS; cell++) {
      if (counts[cell] > 0) {
        used[count++] = cell;
      }
    }
    return Arrays.copyOf(used, count);
  }

  private void remember(int rgb) {
    int slot = (rgb * 0x9E3779B1) >>> 22;
    while (slots[slot] != -1) {
      if (slots[slot] == rgb) {
        return;
      }
      slot = (slot + 1) & (SLOTS - 1);
    }
    if (distinctCount == GifPalette.MOST) {
      tooMany = true;
      return;
    }
    slots[slot] = rgb;
    distinct[distinctCount++] = rgb;
  }
}
