package dev.psm.view.report;

/** Draws the cells of one panel: colours first, then arrows, then the goal on top. */
final class GridCells {
  private static final double SMALLEST_ARROW_CELL = 5;
  // Light on a dark halo, and its inverse: legible on every colour of the map, and told apart by
  // lightness alone.
  private static final String RIGHT_INK = "#ffffff";
  private static final String RIGHT_HALO = "#14213d";
  private static final String WRONG_INK = "#c1002b";
  private static final String WRONG_HALO = "#ffffff";

  private GridCells() {}

  static void draw(Svg svg, GridPanel panel, Axis scale, double left, double top, double cell) {
    for (int row = 0; row < panel.rows(); row++) {
      for (int column = 0; column < panel.columns(); column++) {
        double value = panel.values[row][column];
        String fill =
            Double.isNaN(value)
                ? "fill=\"#808791\" fill-opacity=\".55\""
                : "fill=\"" + Palette.viridis(scale.place(value, 0, 1)) + '"';
        svg.rect(
            left + column * cell,
            top + row * cell,
            cell,
            cell,
            fill + " shape-rendering=\"crispEdges\"");
      }
    }
    if (panel.actions != null && cell >= SMALLEST_ARROW_CELL) {
      drawPolicy(svg, panel, left, top, cell);
    }
    if (panel.goalRow >= 0) {
      drawGoal(
          svg, left + (panel.goalColumn + 0.5) * cell, top + (panel.goalRow + 0.5) * cell, cell);
    }
  }

  private static void drawPolicy(Svg svg, GridPanel panel, double left, double top, double cell) {
    for (int row = 0; row < panel.rows(); row++) {
      for (int column = 0; column < panel.columns(); column++) {
        boolean goal = row == panel.goalRow && column == panel.goalColumn;
        if (panel.actions[row][column] >= 0 && !goal && !Double.isNaN(panel.values[row][column])) {
          arrow(
              svg,
              panel.actions[row][column],
              panel.wrong[row][column],
              left + (column + 0.5) * cell,
              top + (row + 0.5) * cell,
              cell);
        }
      }
    }
  }

  /** An arrow, or a dot for staying, centred in a cell. */
  static void arrow(Svg svg, int action, boolean wrong, double x, double y, double cell) {
    String ink = wrong ? WRONG_INK : RIGHT_INK;
    String halo = wrong ? WRONG_HALO : RIGHT_HALO;
    String outline =
        "fill=\"%s\" stroke=\"%s\" stroke-width=\"%s\" stroke-linejoin=\"round\""
                .formatted(ink, halo, Svg.number(cell * 0.1))
            + " paint-order=\"stroke\"";
    if (action == GridPanel.STAY) {
      svg.circle(x, y, cell * 0.16, outline);
      return;
    }
    // Seven corners of an arrow that points up, as shares of the cell.
    double[][] corners = {
      {0, -0.36},
      {0.26, -0.02},
      {0.09, -0.02},
      {0.09, 0.36},
      {-0.09, 0.36},
      {-0.09, -0.02},
      {-0.26, -0.02}
    };
    StringBuilder path = new StringBuilder();
    for (double[] corner : corners) {
      double dx = corner[0] * cell;
      double dy = corner[1] * cell;
      for (int turn = 0; turn < action; turn++) {
        double before = dx;
        dx = -dy;
        dy = before;
      }
      path.append(path.isEmpty() ? 'M' : 'L')
          .append(Svg.number(x + dx))
          .append(' ')
          .append(Svg.number(y + dy));
    }
    svg.path(path.append('Z'), outline);
  }

  private static void drawGoal(Svg svg, double x, double y, double cell) {
    double radius = Math.max(5, cell * 0.46);
    svg.circle(x, y, radius, "fill=\"#ffffff\" stroke=\"#14213d\" stroke-width=\"1.2\"");
    double size = radius * 1.5;
    String bold = "font-weight=\"700\" style=\"fill:#14213d\"";
    svg.text(x, y + size * 0.36, "middle", size, "G", bold);
  }
}
