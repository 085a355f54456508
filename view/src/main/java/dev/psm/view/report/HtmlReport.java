package dev.psm.view.report;

import dev.psm.core.io.AtomicFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A page in one file. All text is escaped, and the page forbids itself every external resource, so
 * names that come out of data files cannot make it do anything.
 */
public final class HtmlReport {
  private static final int SECTIONS_WORTH_A_CONTENTS_LIST = 3;

  private final String title;
  private final StringBuilder body = new StringBuilder();
  private final List<String> headings = new ArrayList<>();
  private String lead = "";
  private int figures;

  private HtmlReport(String title) {
    this.title = title;
  }

  public static HtmlReport titled(String title) {
    return new HtmlReport(title);
  }

  /** The paragraph under the title: the result in a sentence or two. */
  public HtmlReport lead(String text) {
    lead = text;
    return this;
  }

  public HtmlReport section(String heading) {
    headings.add(heading);
    body.append("<h2 id=\"s%d\">".formatted(headings.size()))
        .append(Markup.escape(heading))
        .append("</h2>\n");
    return this;
  }

  public HtmlReport paragraph(String text) {
    body.append("<p>").append(Markup.escape(text)).append("</p>\n");
    return this;
  }

  public HtmlReport table(Table table) {
    body.append(table.html());
    return this;
  }

  /** Figures are numbered in the order in which they come. */
  public HtmlReport figure(Figure figure, String caption) {
    figures++;
    body.append("<figure><div class=\"scroll\">\n")
        .append(figure.svg())
        .append("</div><figcaption><b>Figure %d.</b> ".formatted(figures))
        .append(Markup.escape(caption))
        .append("</figcaption></figure>\n");
    return this;
  }

  /** Small figures side by side, as many to a row as the screen has room for. */
  public HtmlReport panels(List<? extends Figure> panels) {
    body.append("<div class=\"panels\">\n");
    panels.forEach(panel -> body.append("<figure>\n").append(panel.svg()).append("</figure>\n"));
    body.append("</div>\n");
    return this;
  }

  /** A folded block of preformatted text, for settings and provenance. */
  public HtmlReport details(String summary, String text) {
    body.append("<details><summary>")
        .append(Markup.escape(summary))
        .append("</summary><pre>")
        .append(Markup.escape(text))
        .append("</pre></details>\n");
    return this;
  }

  public String html() {
    StringBuilder html = new StringBuilder();
    html.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n")
        .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n")
        .append("<meta http-equiv=\"Content-Security-Policy\" content=\"")
        .append("default-src 'none'; style-src 'unsafe-inline'\"/>\n")
        .append("<title>")
        .append(Markup.escape(title))
        .append("</title>\n<style>\n")
        .append(Stylesheet.CSS)
        .append("</style>\n</head>\n<body>\n<main>\n<header><h1>")
        .append(Markup.escape(title))
        .append("</h1>\n");
    if (!lead.isEmpty()) {
      html.append("<p class=\"lead\">").append(Markup.escape(lead)).append("</p>\n");
    }
    html.append("</header>\n");
    if (headings.size() >= SECTIONS_WORTH_A_CONTENTS_LIST) {
      html.append("<nav aria-label=\"Contents\"><ol>\n");
      for (int i = 0; i < headings.size(); i++) {
        html.append("<li><a href=\"#s%d\">".formatted(i + 1))
            .append(Markup.escape(headings.get(i)))
            .append("</a></li>\n");
      }
      html.append("</ol></nav>\n");
    }
    return html.append(body).append("</main>\n</body>\n</html>\n").toString();
  }

  /** Writes the page atomically. */
  public void writeTo(Path file) {
    AtomicFiles.writeText(file, html());
  }
}
