package dev.psm.view.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/**
 * The values of a chart's curves under the pointer. A style sheet shows them: a page runs no
 * scripts, and programs that ignore style sheets leave them hidden.
 */
final class HoverValues {
  private static final double NARROWEST = 5;
  private static final double SIZE = 12;
  private static final double LINE = 16;
  private static final double PADDING = 8;

  private static final String STYLE =
      "<style>.hover-values{pointer-events:none}.hover:hover .hover-values{visibility:visible}"
          + ".hover-box{fill:var(--page,#fff)}</style>\n";

  private final Plot plot;
  private final Axis x;
  private final Axis y;
  private final String xLabel;
  private final List<LineChart.Series> series;

  HoverValues(Plot plot, Axis x, Axis y, String xLabel, List<LineChart.Series> series) {
    this.plot = plot;
    this.x = x;
    this.y = y;
    this.xLabel = xLabel;
    this.series = series;
  }

  void draw() {
    double[] columns = columns();
    if (columns.length == 0) {
      return;
    }
    plot.svg.raw(STYLE);
    for (int i = 0; i < columns.length; i++) {
      double at = place(columns[i]);
      double from = i == 0 ? plot.left : (place(columns[i - 1]) + at) / 2;
      double to = i == columns.length - 1 ? plot.right : (at + place(columns[i + 1])) / 2;
      plot.svg.raw("<g class=\"hover\">");
      plot.svg.rect(from, plot.top, to - from, plot.bottom - plot.top, "fill-opacity=\"0\"");
      plot.svg.raw("<g class=\"hover-values\" visibility=\"hidden\">\n");
      plot.svg.line(at, plot.top, at, plot.bottom, Plot.AXIS);
      values(columns[i], at);
      plot.svg.raw("</g></g>\n");
    }
  }

  private double place(double value) {
    return x.place(value, plot.left, plot.right);
  }

  /** Every x at which a curve has a value, or of many that lie close together the last. */
  private double[] columns() {
    TreeSet<Double> all = new TreeSet<>();
    for (LineChart.Series one : series) {
      for (int i = 0; i < one.x().length; i++) {
        if (Double.isFinite(one.x()[i]) && Double.isFinite(one.y()[i])) {
          all.add(one.x()[i]);
        }
      }
    }
    List<Double> kept = new ArrayList<>();
    double next = Double.POSITIVE_INFINITY;
    for (double value : all.descendingSet()) {
      if (place(value) <= next) {
        kept.add(0, value);
        next = place(value) - NARROWEST;
      }
    }
    return kept.stream().mapToDouble(Double::doubleValue).toArray();
  }

  private void values(double column, double at) {
    List<String> lines = new ArrayList<>(List.of(xLabel + " " + number(column, decimals(column))));
    List<Integer> colours = new ArrayList<>(List.of(-1));
    double height = 0;
    for (int s = 0; s < series.size(); s++) {
      LineChart.Series one = series.get(s);
      for (int i = 0; i < one.x().length; i++) {
        if (one.x()[i] == column && Double.isFinite(one.y()[i])) {
          lines.add(text(one.y()[i], one.spread()[i]));
          colours.add(s);
          double point = y.place(one.y()[i], plot.bottom, plot.top);
          height += point;
          plot.svg.circle(at, point, 3.5, "fill=\"%s\"".formatted(Palette.series(s)));
        }
      }
    }
    boolean pointsAreHigh = height / (lines.size() - 1) < (plot.top + plot.bottom) / 2;
    box(lines, colours, at, pointsAreHigh);
  }

  /** Beside the points, at the other end of the chart's height, so that it covers few of them. */
  private void box(List<String> lines, List<Integer> colours, double at, boolean low) {
    double longest = lines.stream().mapToDouble(line -> Svg.width(line, SIZE)).max().orElse(0);
    double width = longest + 2 * PADDING + LINE;
    double height = lines.size() * LINE + PADDING;
    double left = at + 10 + width <= plot.right ? at + 10 : Math.max(plot.left, at - 10 - width);
    double top = low ? plot.bottom - height - 6 : plot.top + 6;
    plot.svg.rect(
        left,
        top,
        width,
        height,
        "class=\"hover-box\" fill=\"#fff\" rx=\"4\" stroke=\"currentColor\""
            + " stroke-opacity=\".3\"");
    for (int i = 0; i < lines.size(); i++) {
      double base = top + PADDING + (i + 0.6) * LINE;
      boolean heading = colours.get(i) < 0;
      if (!heading) {
        plot.svg.line(
            left + PADDING,
            base - 4,
            left + PADDING + 12,
            base - 4,
            LineChart.stroke(colours.get(i), 2));
      }
      plot.svg.text(
          left + PADDING + (heading ? 0 : LINE + 2),
          base,
          "start",
          SIZE,
          lines.get(i),
          heading ? "fill-opacity=\".7\"" : "");
    }
  }

  private static String text(double mean, double spread) {
    boolean known = spread != 0 && Double.isFinite(spread);
    int decimals = decimals(known && mean == Math.rint(mean) ? spread : mean);
    return number(mean, decimals) + (known ? " ± " + number(spread, decimals) : "");
  }

  /** For four digits, or all before the point; negative where only a power of ten would do. */
  private static int decimals(double value) {
    double size = Math.abs(value);
    if (value == Math.rint(value) && size < 1e15) {
      return 0;
    }
    return size >= 1e-3 && size < 1e7 ? (int) Math.max(0, 3 - Math.floor(Math.log10(size))) : -1;
  }

  private static String number(double value, int decimals) {
    String text =
        decimals < 0
            ? BigDecimal.valueOf(value).round(new MathContext(4)).toString()
            : String.format(Locale.ROOT, "%,." + decimals + "f", value);
    return text.replace('-', '−');
  }
}
