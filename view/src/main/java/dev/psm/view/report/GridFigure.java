package dev.psm.view.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Heat maps on grids with policies drawn over them: panels in labelled rows, a colour bar at the
 * end of each row. Rows have scales of their own, because the values of different methods need not
 * be comparable.
 */
public final class GridFigure implements Figure {
  private static final double GAP = 16;
  private static final double BAR_WIDTH = 12;
  private static final double BAR_ROOM = 70;
  private static final double LABEL_ROOM = 28;
  private static final double TITLE_SIZE = 15;
  private static final double PANEL_TITLE_SIZE = 12.5;
  private static final double TICK_SIZE = 11;
  private static final double WIDEST_PANEL = 240;
  private static final double NARROWEST_PANEL = 110;
  private static final int BAR_STEPS = 40;

  private final String title;
  private final List<Row> rows = new ArrayList<>();
  private String rightName = "optimal action";
  private String wrongName = "not optimal";

  private record Row(String label, List<GridPanel> panels) {}

  private GridFigure(String title) {
    this.title = title;
  }

  public static GridFigure of(String title) {
    return new GridFigure(title);
  }

  /** Adds a row; an empty label leaves it unlabelled. */
  public GridFigure row(String label, List<GridPanel> panels) {
    rows.add(new Row(label, List.copyOf(panels)));
    return this;
  }

  /** What the legend calls the two colours of arrows; it appears when some arrow is wrong. */
  public GridFigure arrowNames(String right, String wrong) {
    rightName = right;
    wrongName = wrong;
    return this;
  }

  @Override
  public String svg() {
    int most = rows.stream().mapToInt(row -> row.panels.size()).max().orElse(0);
    boolean labelled = rows.stream().anyMatch(row -> !row.label.isEmpty());
    double left = labelled ? LABEL_ROOM : 4;
    double room = Plot.WIDTH - left - BAR_ROOM - (most - 1) * GAP;
    double panelWidth = Math.max(NARROWEST_PANEL, Math.min(WIDEST_PANEL, room / Math.max(1, most)));
    double width = left + Math.max(1, most) * (panelWidth + GAP) - GAP + BAR_ROOM;
    Svg svg = new Svg();
    List<String> lines = Svg.wrap(title, TITLE_SIZE * Svg.BOLD, width - 16);
    svg.title(width / 2, 20, TITLE_SIZE, lines);
    double y = 8 + lines.size() * TITLE_SIZE * 1.25;
    for (Row row : rows) {
      y = drawRow(svg, row, left, y + 12, panelWidth);
    }
    if (rows.stream().flatMap(row -> row.panels.stream()).anyMatch(GridPanel::hasWrong)) {
      y = drawLegend(svg, left, y + 24);
    }
    return svg.finish(width, y + 8, title);
  }

  private double drawRow(Svg svg, Row row, double left, double top, double panelWidth) {
    List<List<String>> titles =
        row.panels.stream()
            .map(p -> Svg.wrap(p.title, PANEL_TITLE_SIZE * Svg.BOLD, panelWidth))
            .toList();
    int titleLines = titles.stream().mapToInt(List::size).max().orElse(0);
    double start = top + titleLines * PANEL_TITLE_SIZE * 1.25 + 4;
    Axis scale = scale(row);
    double height = 0;
    for (int i = 0; i < row.panels.size(); i++) {
      GridPanel panel = row.panels.get(i);
      double x = left + i * (panelWidth + GAP);
      double cell = panelWidth / Math.max(panel.columns(), panel.rows());
      double inset = (panelWidth - cell * panel.columns()) / 2;
      svg.title(x + panelWidth / 2, top + PANEL_TITLE_SIZE, PANEL_TITLE_SIZE, titles.get(i));
      GridCells.draw(svg, panel, scale, x + inset, start, cell);
      height = Math.max(height, cell * panel.rows());
    }
    if (!row.label.isEmpty()) {
      String label = Svg.shorten(row.label, 13, Math.max(height, 40));
      svg.upwardText(15, start + height / 2, 13, label);
    }
    if (!row.panels.isEmpty()) {
      double x = left + row.panels.size() * (panelWidth + GAP);
      drawColourBar(svg, scale, x, start, height);
    }
    return start + height;
  }

  private static Axis scale(Row row) {
    List<Double> values = new ArrayList<>();
    row.panels.stream()
        .flatMap(panel -> Arrays.stream(panel.values))
        .flatMapToDouble(Arrays::stream)
        .forEach(values::add);
    return Axis.linear(values, 4);
  }

  private static void drawColourBar(Svg svg, Axis scale, double x, double top, double height) {
    double step = height / BAR_STEPS;
    for (int i = 0; i < BAR_STEPS; i++) {
      String fill = Palette.viridis(1 - (i + 0.5) / BAR_STEPS);
      // Overlapping by a little hides the seams that antialiasing would leave.
      double overlap = i + 1 < BAR_STEPS ? 0.6 : 0;
      svg.rect(x, top + i * step, BAR_WIDTH, step + overlap, "fill=\"" + fill + '"');
    }
    for (double tick : scale.ticks()) {
      double at = scale.place(tick, top + height, top);
      svg.line(x + BAR_WIDTH, at, x + BAR_WIDTH + 3, at, Plot.AXIS);
      double baseline = Math.min(top + height, Math.max(top + 8, at + 4));
      svg.text(x + BAR_WIDTH + 6, baseline, "start", TICK_SIZE, scale.label(tick), "");
    }
  }

  private double drawLegend(Svg svg, double left, double y) {
    double x = left;
    for (boolean wrong : new boolean[] {false, true}) {
      String name = wrong ? wrongName : rightName;
      svg.rect(x, y - 14, 18, 18, "fill=\"" + Palette.viridis(0.5) + '"');
      GridCells.arrow(svg, GridPanel.RIGHT, wrong, x + 9, y - 5, 18);
      svg.text(x + 24, y, "start", Plot.TICK_SIZE, name, "");
      x += 24 + Svg.width(name, Plot.TICK_SIZE) + 22;
    }
    return y + 4;
  }
}
