package dev.psm.view.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A table of text and numbers; columns of numbers are aligned right. */
public final class Table {
  /** One cell. */
  public record Cell(String text, boolean number) {}

  private final String caption;
  private final List<String> columns;
  private final List<List<Cell>> rows = new ArrayList<>();

  private Table(String caption, List<String> columns) {
    this.caption = caption;
    this.columns = columns;
  }

  public static Table of(String caption, String... columns) {
    return new Table(caption, List.of(columns));
  }

  public static Cell text(String text) {
    return new Cell(text, false);
  }

  /** A number, or a dash for NaN. */
  public static Cell number(double value, int decimals) {
    return new Cell(Double.isNaN(value) ? "–" : format(value, decimals), true);
  }

  /** {@code mean ± spread}; the mean alone when the spread is NaN. */
  public static Cell spread(double mean, double spread, int decimals) {
    Cell alone = number(mean, decimals);
    return Double.isNaN(spread) || Double.isNaN(mean)
        ? alone
        : new Cell(alone.text() + " ± " + format(spread, decimals), true);
  }

  public Table row(Cell... cells) {
    if (cells.length != columns.size()) {
      throw new IllegalArgumentException(
          "%d cells for %d columns".formatted(cells.length, columns.size()));
    }
    rows.add(List.of(cells));
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
        html.append(isNumeric(column) ? "<td class=\"n\">" : "<td>")
            .append(Markup.escape(row.get(column).text()))
            .append("</td>");
      }
      html.append("</tr>\n");
    }
    return html.append("</tbody></table></div>\n").toString();
  }

  private boolean isNumeric(int column) {
    return rows.stream().anyMatch(row -> row.get(column).number());
  }

  private static String format(double value, int decimals) {
    String text = String.format(Locale.ROOT, "%." + decimals + "f", value);
    return text.startsWith("-") ? "−" + text.substring(1) : text;
  }
}
