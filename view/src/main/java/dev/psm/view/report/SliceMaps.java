package dev.psm.view.report;

import java.util.Arrays;
import java.util.List;

/**
 * How often each cell of a volume was met: a {@link HeatMap} for every slice of it, side by side,
 * with one scale of colours.
 *
 * @param slices what each slice is, from left to right
 * @param columns cells per row of a slice
 * @param counts slice by slice, each row by row from the bottom
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record SliceMaps(
    String title,
    String xLabel,
    String yLabel,
    double xLow,
    double xHigh,
    double yLow,
    double yHigh,
    List<String> slices,
    int columns,
    long[] counts)
    implements Figure {
  private static final double SIDE = 112;
  private static final double GAP = 10;
  private static final double LEFT = 64;
  private static final double TOP = 56;
  private static final double BOTTOM = 48;
  private static final double RIGHT = 84;
  private static final double TEXT = 12;

  public SliceMaps {
    slices = List.copyOf(slices);
    counts = counts.clone();
    if (slices.isEmpty() || columns < 1 || counts.length % (columns * slices.size()) != 0) {
      throw new IllegalArgumentException(
          "%d counts do not fill %d slices with rows of %d"
              .formatted(counts.length, slices.size(), columns));
    }
  }

  @Override
  public String svg() {
    Svg svg = new Svg();
    long most = Math.max(1, Arrays.stream(counts).max().orElse(1));
    int size = counts.length / slices.size();
    double width = slices.size() * (SIDE + GAP) - GAP;
    svg.title(LEFT + width / 2, 20, 14, List.of(Svg.shorten(title, 14, width)));
    for (int slice = 0; slice < slices.size(); slice++) {
      double left = LEFT + slice * (SIDE + GAP);
      svg.text(
          left + SIDE / 2,
          TOP - 8,
          "middle",
          TEXT,
          Svg.shorten(slices.get(slice), TEXT, SIDE + GAP),
          "");
      long[] part = Arrays.copyOfRange(counts, slice * size, (slice + 1) * size);
      HeatMap.cells(svg, left, TOP, SIDE, SIDE, columns, part, most);
    }
    double bottom = TOP + SIDE + 16;
    svg.text(LEFT, bottom, "start", TEXT, HeatMap.tick(xLow), "");
    svg.text(LEFT + SIDE, bottom, "end", TEXT, HeatMap.tick(xHigh), "");
    svg.text(LEFT + width / 2, bottom + 20, "middle", TEXT, xLabel, "");
    svg.text(LEFT - 6, TOP + SIDE, "end", TEXT, HeatMap.tick(yLow), "");
    svg.text(LEFT - 6, TOP + TEXT, "end", TEXT, HeatMap.tick(yHigh), "");
    svg.upwardText(LEFT - 40, TOP + SIDE / 2, TEXT, yLabel);
    HeatMap.scale(svg, LEFT + width + 14, TOP, SIDE, most);
    return svg.finish(LEFT + width + RIGHT, TOP + SIDE + BOTTOM, title);
  }
}
