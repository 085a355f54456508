package dev.psm.view.report;

/** Colours that people with any colour vision tell apart, on white and on near-black alike. */
final class Palette {
  /** Okabe and Ito's set without its yellow and black, each of which one background swallows. */
  private static final String[] SERIES = {
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"
  };

  private static final String[] DASHES = {"", "7 3", "2 3"};

  /** Eleven even steps of the viridis map. */
  private static final int[] VIRIDIS = {
    0x440154, 0x482475, 0x414487, 0x355f8d, 0x2a788e, 0x21918c, 0x22a884, 0x44bf70, 0x7ad151,
    0xbddf26, 0xfde725
  };

  private Palette() {}

  static String series(int index) {
    return SERIES[index % SERIES.length];
  }

  /** Dashes start where the colours repeat. */
  static String dash(int index) {
    return DASHES[index / SERIES.length % DASHES.length];
  }

  /** Viridis at a fraction in [0, 1]; what lies outside takes the nearer end. */
  static String viridis(double fraction) {
    double position = Math.min(1, Math.max(0, fraction)) * (VIRIDIS.length - 1);
    int below = Math.min((int) position, VIRIDIS.length - 2);
    double share = position - below;
    int colour = 0;
    for (int shift = 16; shift >= 0; shift -= 8) {
      int from = VIRIDIS[below] >> shift & 0xff;
      int to = VIRIDIS[below + 1] >> shift & 0xff;
      colour |= (int) Math.round(from + share * (to - from)) << shift;
    }
    return "#%06x".formatted(colour);
  }
}
