package dev.psm.view.report;

import java.util.ArrayList;
import java.util.List;

/**
 * Curves over a common x axis, each optionally with a band of mean ± spread. A value that is not
 * finite leaves a gap. In a browser, the values under the pointer are shown.
 */
public final class LineChart implements Figure {
  private static final String REFERENCE = "stroke=\"currentColor\" stroke-opacity=\".7\"";

  private final String title;
  private final String xLabel;
  private final String yLabel;
  private final List<Series> series = new ArrayList<>();
  private final List<Reference> references = new ArrayList<>();
  private boolean xFromZero;
  private boolean xLogarithmic;
  private boolean yFromZero;
  private double width = Plot.WIDTH;

  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Series(String name, double[] x, double[] y, double[] spread) {}

  /**
   * A horizontal line.
   *
   * @param like the index of the series whose colour it has; negative for none
   */
  private record Reference(String name, double y, int like) {
    String stroke() {
      return like < 0
          ? REFERENCE + " stroke-width=\"1.5\" stroke-dasharray=\"2 4\""
          : "stroke=\"%s\" stroke-width=\"1.5\" stroke-dasharray=\"8 4\""
              .formatted(Palette.series(like));
    }
  }

  private LineChart(String title, String xLabel, String yLabel) {
    this.title = title;
    this.xLabel = xLabel;
    this.yLabel = yLabel;
  }

  /** Labels should carry their unit, as in {@code "time (s)"}; an empty one is left out. */
  public static LineChart of(String title, String xLabel, String yLabel) {
    return new LineChart(title, xLabel, yLabel);
  }

  /** Lets the x axis include 0. */
  public LineChart xFromZero() {
    xFromZero = true;
    return this;
  }

  /** Spreads the x axis by powers of ten; all x are above 0. */
  public LineChart xLogarithmic() {
    xLogarithmic = true;
    return this;
  }

  /**
   * Lets the y axis include 0, and begin or end there where no curve crosses it: a band is cut off
   * at 0 then.
   */
  public LineChart yFromZero() {
    yFromZero = true;
    return this;
  }

  /** Makes it small enough to stand beside others. */
  public LineChart panel() {
    width = Plot.PANEL_WIDTH;
    return this;
  }

  public LineChart series(String name, double[] x, double[] y) {
    return band(name, x, y, new double[y.length]);
  }

  /** A curve with a shaded band from {@code mean − spread} to {@code mean + spread}. */
  public LineChart band(String name, double[] x, double[] mean, double[] spread) {
    if (x.length != mean.length || x.length != spread.length) {
      throw new IllegalArgumentException(
          "series \"%s\": %d x, %d means and %d spreads"
              .formatted(name, x.length, mean.length, spread.length));
    }
    series.add(new Series(name, x.clone(), mean.clone(), spread.clone()));
    return this;
  }

  /** A dotted horizontal line to compare with. */
  public LineChart reference(String name, double y) {
    references.add(new Reference(name, y, -1));
    return this;
  }

  /** A dashed horizontal line in the colour of the series that was added last. */
  public LineChart referenceOfLast(String name, double y) {
    references.add(new Reference(name, y, series.size() - 1));
    return this;
  }

  @Override
  public String svg() {
    List<Plot.Key> keys = new ArrayList<>();
    for (int s = 0; s < series.size(); s++) {
      keys.add(new Plot.Key(series.get(s).name, stroke(s, 2), false));
    }
    references.forEach(line -> keys.add(new Plot.Key(line.name, line.stroke(), false)));
    Axis x = xAxis();
    Axis y = Axis.linear(yValues(), 5);
    Plot plot = new Plot(title, yLabel, y, keys, width);
    for (double tick : x.ticks()) {
      double at = x.place(tick, plot.left, plot.right);
      plot.svg.line(at, plot.bottom, at, plot.bottom + 4, Plot.AXIS);
      plot.svg.text(at, plot.bottom + 18, "middle", Plot.TICK_SIZE, x.label(tick), "");
    }
    for (int s = 0; s < series.size(); s++) {
      drawBand(plot, x, y, series.get(s), s);
    }
    for (Reference line : references) {
      if (Double.isFinite(line.y)) {
        double at = y.place(line.y, plot.bottom, plot.top);
        plot.svg.line(plot.left, at, plot.right, at, line.stroke());
      }
    }
    for (int s = 0; s < series.size(); s++) {
      drawLine(plot, x, y, series.get(s), s);
    }
    plot.svg.line(plot.left, plot.bottom, plot.right, plot.bottom, Plot.AXIS);
    plot.svg.text(
        (plot.left + plot.right) / 2,
        plot.bottom + 40,
        "middle",
        13,
        Svg.shorten(xLabel, 13, plot.right - plot.left),
        "");
    new HoverValues(plot, x, y, xLabel, series).draw();
    return plot.svg.finish(width, plot.bottom + 52, title);
  }

  private Axis xAxis() {
    List<Double> xs = new ArrayList<>();
    if (xFromZero) {
      xs.add(0.0);
    }
    series.forEach(
        one -> {
          for (double value : one.x) {
            xs.add(value);
          }
        });
    return xLogarithmic ? Axis.logarithmic(xs) : Axis.linear(xs, width < Plot.WIDTH ? 4 : 6);
  }

  private List<Double> yValues() {
    List<Double> centres = new ArrayList<>();
    List<Double> edges = new ArrayList<>();
    references.forEach(line -> centres.add(line.y));
    for (Series one : series) {
      for (int i = 0; i < one.x.length; i++) {
        centres.add(one.y[i]);
        edges.add(one.y[i] - one.spread[i]);
        edges.add(one.y[i] + one.spread[i]);
      }
    }
    if (yFromZero) {
      boolean positive = centres.stream().noneMatch(value -> value < 0);
      boolean negative = centres.stream().noneMatch(value -> value > 0);
      edges.removeIf(value -> (positive && value < 0) || (negative && value > 0));
      edges.add(0.0);
    }
    centres.addAll(edges);
    return centres;
  }

  private static void drawLine(Plot plot, Axis x, Axis y, Series one, int index) {
    StringBuilder path = new StringBuilder();
    StringBuilder dots = new StringBuilder();
    boolean drawing = false;
    for (int i = 0; i < one.x.length; i++) {
      boolean shown = Double.isFinite(one.x[i]) && Double.isFinite(one.y[i]);
      if (shown) {
        boolean joined =
            i + 1 < one.x.length && Double.isFinite(one.x[i + 1]) && Double.isFinite(one.y[i + 1]);
        String at = point(plot, x, y, one.x[i], one.y[i]);
        if (drawing || joined) {
          path.append(drawing ? 'L' : 'M').append(at);
        } else {
          dots.append('M').append(at).append("h0"); // with round caps, a lone value is a dot
        }
      }
      drawing = shown;
    }
    if (!path.isEmpty()) {
      plot.svg.path(path, "fill=\"none\" stroke-linejoin=\"round\" " + stroke(index, 2));
    }
    if (!dots.isEmpty()) {
      plot.svg.path(dots, "fill=\"none\" " + stroke(index, 7));
    }
  }

  private static void drawBand(Plot plot, Axis x, Axis y, Series one, int index) {
    int start = 0;
    while (start < one.x.length) {
      int end = start;
      StringBuilder upper = new StringBuilder();
      StringBuilder lower = new StringBuilder();
      while (end < one.x.length && bandShown(one, end)) {
        upper
            .append(end == start ? 'M' : 'L')
            .append(point(plot, x, y, one.x[end], one.y[end] + one.spread[end]));
        lower.insert(0, "L" + point(plot, x, y, one.x[end], one.y[end] - one.spread[end]));
        end++;
      }
      if (end > start + 1) {
        plot.svg.path(
            upper.append(lower).append('Z'),
            "fill=\"%s\" fill-opacity=\".2\"".formatted(Palette.series(index)));
      }
      start = end + 1;
    }
  }

  private static boolean bandShown(Series one, int i) {
    return Double.isFinite(one.x[i])
        && Double.isFinite(one.y[i])
        && Double.isFinite(one.spread[i])
        && one.spread[i] != 0;
  }

  static String point(Plot plot, Axis x, Axis y, double px, double py) {
    return Svg.number(x.place(px, plot.left, plot.right))
        + " "
        + Svg.number(y.place(py, plot.bottom, plot.top));
  }

  static String stroke(int index, int width) {
    String dash = Palette.dash(index);
    return "stroke=\"%s\" stroke-width=\"%d\" stroke-linecap=\"round\"%s"
        .formatted(
            Palette.series(index),
            width,
            dash.isEmpty() ? "" : " stroke-dasharray=\"" + dash + "\"");
  }
}
