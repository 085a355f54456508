package dev.psm.view.render;

/**
 * A checkerboard averaged over the patch that a pixel covers, so that distant squares melt into
 * grey instead of shimmering. After Inigo Quilez, "Filtering the checkerboard pattern".
 */
final class Checker {
  private Checker() {}

  /** Share of the light squares within a patch of the given widths; a square has side 1. */
  static double lightShare(double u, double v, double widthU, double widthV) {
    return 0.5 - 0.5 * stripes(u, widthU) * stripes(v, widthV);
  }

  /** Mean over a window of a wave that is +1 on even unit intervals and -1 on odd ones. */
  private static double stripes(double at, double width) {
    double w = Math.max(width, 1e-6);
    return (ramp(at + 0.5 * w) - ramp(at - 0.5 * w)) / w;
  }

  /** The wave's integral: a zigzag of period 2. */
  private static double ramp(double at) {
    double phase = at - 2 * Math.floor(at / 2);
    return phase < 1 ? phase : 2 - phase;
  }
}
