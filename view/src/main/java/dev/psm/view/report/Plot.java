package dev.psm.view.report;

import java.util.List;

/** The frame that charts share: title, legend, y axis, and the room left for the data. */
final class Plot {
  static final double WIDTH = 720;
  static final double PANEL_WIDTH = 460;
  static final double TICK_SIZE = 12;
  static final String GRID = "stroke=\"currentColor\" stroke-opacity=\".14\"";
  static final String AXIS = "stroke=\"currentColor\" stroke-opacity=\".55\"";
  private static final double TITLE_SIZE = 15;
  private static final double HEIGHT = 270;
  private static final double PANEL_HEIGHT = 220;
  private static final double RIGHT = 24;
  private static final double KEY_WIDTH = 24;

  final Svg svg = new Svg();
  final double left;
  final double right;
  final double top;
  final double bottom;

  /** What the legend shows for one series. */
  record Key(String name, String markAttributes, boolean filled) {}

  Plot(String title, String yLabel, Axis y, List<Key> keys) {
    this(title, yLabel, y, keys, WIDTH);
  }

  Plot(String title, String yLabel, Axis y, List<Key> keys, double width) {
    right = width - RIGHT;
    double height = width < WIDTH ? PANEL_HEIGHT : HEIGHT;
    double labels = 0;
    for (double tick : y.ticks()) {
      labels = Math.max(labels, Svg.width(y.label(tick), TICK_SIZE));
    }
    left = (yLabel.isEmpty() ? 12 : 32) + labels + 8;
    List<String> lines = Svg.wrap(title, TITLE_SIZE * Svg.BOLD, width - 2 * RIGHT);
    svg.title(width / 2, 22, TITLE_SIZE, lines);
    double after = 10 + lines.size() * TITLE_SIZE * 1.25;
    top = legend(keys, after + 10) + 12;
    bottom = top + height;
    for (double tick : y.ticks()) {
      double at = y.place(tick, bottom, top);
      svg.line(left, at, right, at, GRID);
      svg.text(left - 8, at + 4, "end", TICK_SIZE, y.label(tick), "");
    }
    if (!yLabel.isEmpty()) {
      svg.upwardText(16, (top + bottom) / 2, 13, Svg.shorten(yLabel, 13, height));
    }
  }

  /** Draws rows of keys, as many to a row as fit, and returns where they end. */
  private double legend(List<Key> keys, double start) {
    double x = left;
    double y = start;
    if (keys.isEmpty()) {
      return start - 8;
    }
    y += 8;
    for (Key key : keys) {
      String name = Svg.shorten(key.name(), TICK_SIZE, 300);
      double width = KEY_WIDTH + 6 + Svg.width(name, TICK_SIZE) + 18;
      if (x > left && x + width > right) {
        x = left;
        y += 19;
      }
      if (key.filled()) {
        svg.rect(x + 5, y - 10, 13, 11, key.markAttributes());
      } else {
        svg.line(x, y - 4, x + KEY_WIDTH, y - 4, key.markAttributes());
      }
      svg.text(x + KEY_WIDTH + 6, y, "start", TICK_SIZE, name, "");
      x += width;
    }
    return y;
  }
}
