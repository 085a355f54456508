package dev.psm.view.report;

import java.util.Arrays;
import java.util.Locale;

/**
 * How often each cell of a plane was met, by colour on a logarithmic scale: exploration spreads
 * over orders of magnitude. Cells never met stay empty.
 *
 * @param counts row by row from the bottom, {@code columns} per row
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record HeatMap(
    String title,
    String xLabel,
    String yLabel,
    double xLow,
    double xHigh,
    double yLow,
    double yHigh,
    int columns,
    long[] counts)
    implements Figure {
  private static final double SIDE = 360;
  private static final double LEFT = 64;
  private static final double TOP = 34;
  private static final double BOTTOM = 48;
  private static final double RIGHT = 84;
  private static final double TEXT = 12;

  public HeatMap {
    if (columns < 1 || counts.length % columns != 0) {
      throw new IllegalArgumentException(counts.length + " counts do not fill rows of " + columns);
    }
    counts = counts.clone();
  }

  @Override
  public String svg() {
    Svg svg = new Svg();
    long most = Math.max(1, Arrays.stream(counts).max().orElse(1));
    svg.title(LEFT + SIDE / 2, 20, 14, Svg.wrap(title, 14, SIDE));
    cells(svg, LEFT, TOP, SIDE, SIDE, columns, counts, most);
    axes(svg);
    scale(svg, LEFT + SIDE + 14, TOP, SIDE, most);
    return svg.finish(LEFT + SIDE + RIGHT, TOP + SIDE + BOTTOM, title);
  }

  /** Cells in a frame, the first at the bottom left, coloured by their share of the most. */
  static void cells(
      Svg svg,
      double left,
      double top,
      double wide,
      double high,
      int columns,
      long[] counts,
      long most) {
    int rows = counts.length / columns;
    double width = wide / columns;
    double height = high / rows;
    for (int row = 0; row < rows; row++) {
      for (int column = 0; column < columns; column++) {
        long count = counts[row * columns + column];
        if (count > 0) {
          svg.rect(
              left + column * width,
              top + high - (row + 1) * height,
              // A hair more than its share, or the page shows through between cells.
              width + 0.3,
              height + 0.3,
              "fill=\"%s\""
                  .formatted(
                      Palette.viridis(Math.log1p((double) count) / Math.log1p((double) most))));
        }
      }
    }
    svg.rect(left, top, wide, high, "fill=\"none\" stroke=\"currentColor\" stroke-opacity=\"0.5\"");
  }

  private void axes(Svg svg) {
    double bottom = TOP + SIDE + 16;
    svg.text(LEFT, bottom, "start", TEXT, tick(xLow), "");
    svg.text(LEFT + SIDE, bottom, "end", TEXT, tick(xHigh), "");
    svg.text(LEFT + SIDE / 2, bottom + 20, "middle", TEXT, xLabel, "");
    svg.text(LEFT - 6, TOP + SIDE, "end", TEXT, tick(yLow), "");
    svg.text(LEFT - 6, TOP + TEXT, "end", TEXT, tick(yHigh), "");
    svg.upwardText(LEFT - 40, TOP + SIDE / 2, TEXT, yLabel);
  }

  /** What colours stand for, as a column. */
  static void scale(Svg svg, double x, double top, double high, long most) {
    int steps = 24;
    for (int i = 0; i < steps; i++) {
      svg.rect(
          x,
          top + high * (1 - (i + 1.0) / steps),
          14,
          high / steps + 0.3,
          "fill=\"%s\"".formatted(Palette.viridis((i + 0.5) / steps)));
    }
    svg.text(x + 20, top + high, "start", TEXT, "1", "");
    svg.text(x + 20, top + TEXT, "start", TEXT, String.format(Locale.ROOT, "%,d", most), "");
  }

  static String tick(double value) {
    return Svg.number(value).replace("-", "−");
  }
}
