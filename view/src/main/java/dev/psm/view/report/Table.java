package dev.psm.view.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A table of text and numbers; columns of numbers are aligned right. */
public final class Table {
  /** Which value of a row or column to set in bold. */
  public enum Best {
    NONE,
    HIGHEST_IN_ROW,
    LOWEST_IN_ROW,
    HIGHEST_IN_COLUMN,
    LOWEST_IN_COLUMN
  }

  /** One cell; a NaN {@code value} is never the best. */
  public record Cell(String text, double value, boolean number) {}

  private final String caption;
  private final List<String> columns;
  private final List<List<Cell>> rows = new ArrayList<>();
  private Best best = Best.NONE;

  private Table(String caption, List<String> columns) {
    this.caption = caption;
    this.columns = columns;
  }

  public static Table of(String caption, String... columns) {
    return new Table(caption, List.of(columns));
  }

  public static Cell text(String text) {
    return new Cell(text, Double.NaN, false);
  }

  /** A number, or a dash for NaN. */
  public static Cell number(double value, int decimals) {
    return new Cell(Double.isNaN(value) ? "–" : format(value, decimals), value, true);
  }

  /** A count or another number that does not compete for the best. */
  public static Cell plain(double value, int decimals) {
    return new Cell(number(value, decimals).text(), Double.NaN, true);
  }

  /** {@code mean ± spread}; the mean alone when the spread is NaN. */
  public static Cell spread(double mean, double spread, int decimals) {
    Cell plain = number(mean, decimals);
    return Double.isNaN(spread) || Double.isNaN(mean)
        ? plain
        : new Cell(plain.text() + " ± " + format(spread, decimals), mean, true);
  }

  public Table row(Cell... cells) {
    if (cells.length != columns.size()) {
      throw new IllegalArgumentException(
          "%d cells for %d columns".formatted(cells.length, columns.size()));
    }
    rows.add(List.of(cells));
    return this;
  }

  /** Sets the best value in bold; equal values share it. */
  public Table emphasise(Best which) {
    best = which;
    return this;
  }

  String html() {
    StringBuilder html = new StringBuilder("<div class=\"scroll\"><table>\n");
    if (!caption.isEmpty()) {
      html.append("<caption>").append(Markup.escape(caption)).append("</caption>\n");
    }
    html.append("<thead><tr>");
    for (int column = 0; column < columns.size(); column++) {
      html.append(isNumeric(column) ? "<th scope=\"col\" class=\"n\">" : "<th scope=\"col\">")
          .append(Markup.escape(columns.get(column)))
          .append("</th>");
    }
    html.append("</tr></thead>\n<tbody>\n");
    for (List<Cell> row : rows) {
      html.append("<tr>");
      for (int column = 0; column < row.size(); column++) {
        Cell cell = row.get(column);
        String text = Markup.escape(cell.text());
        html.append(isNumeric(column) ? "<td class=\"n\">" : "<td>")
            .append(isBest(row, column) ? "<strong>" + text + "</strong>" : text)
            .append("</td>");
      }
      html.append("</tr>\n");
    }
    return html.append("</tbody></table></div>\n").toString();
  }

  private boolean isNumeric(int column) {
    return rows.stream().anyMatch(row -> row.get(column).number());
  }

  private boolean isBest(List<Cell> row, int column) {
    double own = row.get(column).value();
    if (best == Best.NONE || Double.isNaN(own)) {
      return false;
    }
    boolean inRow = best == Best.HIGHEST_IN_ROW || best == Best.LOWEST_IN_ROW;
    boolean highest = best == Best.HIGHEST_IN_ROW || best == Best.HIGHEST_IN_COLUMN;
    List<Cell> rivals = inRow ? row : rows.stream().map(other -> other.get(column)).toList();
    return rivals.stream()
        .mapToDouble(Cell::value)
        .noneMatch(value -> highest ? value > own : value < own);
  }

  private static String format(double value, int decimals) {
    String text = String.format(Locale.ROOT, "%." + decimals + "f", value);
    return text.startsWith("-") ? "−" + text.substring(1) : text;
  }
}
