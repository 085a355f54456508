package dev.psm.core.report;

import java.util.ArrayList;
import java.util.List;

/**
 * Curves over a common x axis, each optionally with a band of mean ± spread. A value that cannot be
 * shown (NaN, or not positive on a logarithmic axis) leaves a gap.
 */
public final class LineChart implements Figure {
  private final String title;
  private final String xLabel;
  private final String yLabel;
  private final List<Series> series = new ArrayList<>();
  private boolean logarithmic;

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Series(String name, double[] x, double[] y, double[] spread) {}

  private LineChart(String title, String xLabel, String yLabel) {
    this.title = title;
    this.xLabel = xLabel;
    this.yLabel = yLabel;
  }

  /** Labels should carry their unit, as in {@code "time (s)"}; an empty one is left out. */
  public static LineChart of(String title, String xLabel, String yLabel) {
    return new LineChart(title, xLabel, yLabel);
  }

  /** Makes the y axis logarithmic. */
  public LineChart logY() {
    logarithmic = true;
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

  @Override
  public String svg() {
    List<Double> xs = new ArrayList<>();
    List<Double> ys = new ArrayList<>();
    List<Plot.Key> keys = new ArrayList<>();
    for (int s = 0; s < series.size(); s++) {
      Series one = series.get(s);
      for (int i = 0; i < one.x.length; i++) {
        xs.add(one.x[i]);
        ys.add(one.y[i]);
        ys.add(one.y[i] - one.spread[i]);
        ys.add(one.y[i] + one.spread[i]);
      }
      keys.add(new Plot.Key(one.name, stroke(s, 2), false));
    }
    Axis x = Axis.linear(xs, 6);
    Axis y = logarithmic ? Axis.logarithmic(ys) : Axis.linear(ys, 5);
    Plot plot = new Plot(title, yLabel, y, keys);
    for (double tick : x.ticks()) {
      double at = x.place(tick, plot.left, plot.right);
      plot.svg.line(at, plot.bottom, at, plot.bottom + 4, Plot.AXIS);
      plot.svg.text(at, plot.bottom + 18, "middle", Plot.TICK_SIZE, x.label(tick), "");
    }
    for (int s = 0; s < series.size(); s++) {
      drawBand(plot, x, y, series.get(s), s);
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
    return plot.svg.finish(Plot.WIDTH, plot.bottom + 52, title);
  }

  private static void drawLine(Plot plot, Axis x, Axis y, Series one, int index) {
    StringBuilder path = new StringBuilder();
    StringBuilder dots = new StringBuilder();
    boolean drawing = false;
    for (int i = 0; i < one.x.length; i++) {
      boolean shown = x.canShow(one.x[i]) && y.canShow(one.y[i]);
      if (shown) {
        boolean joined = i + 1 < one.x.length && x.canShow(one.x[i + 1]) && y.canShow(one.y[i + 1]);
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
      while (end < one.x.length && bandShown(x, y, one, end)) {
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

  private static boolean bandShown(Axis x, Axis y, Series one, int i) {
    return x.canShow(one.x[i])
        && y.canShow(one.y[i])
        && Double.isFinite(one.spread[i])
        && one.spread[i] != 0;
  }

  private static String point(Plot plot, Axis x, Axis y, double px, double py) {
    return Svg.number(x.place(px, plot.left, plot.right))
        + " "
        + Svg.number(y.place(py, plot.bottom, plot.top));
  }

  private static String stroke(int index, int width) {
    String dash = Palette.dash(index);
    return "stroke=\"%s\" stroke-width=\"%d\" stroke-linecap=\"round\"%s"
        .formatted(
            Palette.series(index),
            width,
            dash.isEmpty() ? "" : " stroke-dasharray=\"" + dash + "\"");
  }
}
