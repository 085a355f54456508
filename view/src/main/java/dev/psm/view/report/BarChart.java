package dev.psm.view.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Grouped bars from zero. NaN leaves a bar out. */
public final class BarChart implements Figure {
  private static final double GROUP_GAP = 0.24;
  private static final double LABEL_SIZE = 12;
  private static final double SLANT_COSINE = Math.cos(Math.toRadians(35));
  private static final double SLANT_SINE = Math.sin(Math.toRadians(35));

  private final String title;
  private final String yLabel;
  private final List<String> groups;
  private final List<Bars> bars = new ArrayList<>();

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Bars(String name, double[] values) {}

  private BarChart(String title, String yLabel, List<String> groups) {
    this.title = title;
    this.yLabel = yLabel;
    this.groups = groups;
  }

  public static BarChart of(String title, String yLabel, String... groups) {
    return new BarChart(title, yLabel, List.of(groups));
  }

  /** One bar per group. */
  public BarChart bars(String name, double[] values) {
    if (values.length != groups.size()) {
      throw new IllegalArgumentException(
          "\"%s\": %d values for %d groups".formatted(name, values.length, groups.size()));
    }
    bars.add(new Bars(name, values.clone()));
    return this;
  }

  @Override
  public String svg() {
    Axis y = Axis.linear(extent(), 5);
    Plot plot = new Plot(title, yLabel, y, keys());
    double slot = (plot.right - plot.left) / Math.max(1, groups.size());
    double zero = y.place(0, plot.bottom, plot.top);
    for (int group = 0; group < groups.size(); group++) {
      double from = plot.left + slot * (group + GROUP_GAP / 2);
      double width = slot * (1 - GROUP_GAP) / Math.max(1, bars.size());
      for (int b = 0; b < bars.size(); b++) {
        drawBar(plot, y, zero, from + b * width, width, bars.get(b), b, group);
      }
    }
    plot.svg.line(plot.left, zero, plot.right, zero, Plot.AXIS);
    return plot.svg.finish(Plot.WIDTH, labelGroups(plot, slot), title);
  }

  private static void drawBar(
      Plot plot, Axis y, double zero, double x, double width, Bars one, int index, int group) {
    double value = one.values[group];
    double pad = Math.min(2, width * 0.08);
    if (Double.isFinite(value)) {
      double at = y.place(value, plot.bottom, plot.top);
      plot.svg.rect(x + pad, Math.min(at, zero), width - 2 * pad, Math.abs(at - zero), fill(index));
    }
  }

  /** Writes the group names, slanted when they do not fit, and returns the figure's height. */
  private double labelGroups(Plot plot, double slot) {
    double widest = groups.stream().mapToDouble(g -> Svg.width(g, LABEL_SIZE)).max().orElse(0);
    boolean slanted = widest > slot - 6;
    double room = 150;
    for (int group = 0; group < groups.size(); group++) {
      double x = plot.left + slot * (group + 0.5);
      double y = plot.bottom + 18;
      String name = groups.get(group);
      if (slanted) {
        name = Svg.shorten(name, LABEL_SIZE, Math.min(room, x / SLANT_COSINE - 6));
      }
      String turn =
          slanted ? "transform=\"rotate(-35 %s %s)\"".formatted(Svg.number(x), Svg.number(y)) : "";
      plot.svg.text(x, y, slanted ? "end" : "middle", LABEL_SIZE, name, turn);
    }
    return plot.bottom + 30 + (slanted ? Math.min(room, widest) * SLANT_SINE : 0);
  }

  private List<Double> extent() {
    List<Double> values = new ArrayList<>();
    values.add(0.0);
    bars.forEach(one -> Arrays.stream(one.values).forEach(values::add));
    return values;
  }

  private List<Plot.Key> keys() {
    List<Plot.Key> keys = new ArrayList<>();
    for (int b = 0; b < bars.size(); b++) {
      keys.add(new Plot.Key(bars.get(b).name, fill(b), true));
    }
    return keys;
  }

  private static String fill(int index) {
    return "fill=\"%s\"%s"
        .formatted(
            Palette.series(index), Palette.dash(index).isEmpty() ? "" : " fill-opacity=\".55\"");
  }
}
