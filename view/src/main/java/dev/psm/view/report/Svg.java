package dev.psm.view.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** An SVG element under construction, with the text measuring that SVG itself lacks. */
final class Svg {
  /** How much wider bold text runs. */
  static final double BOLD = 1.08;

  private final StringBuilder body = new StringBuilder();

  Svg line(double x1, double y1, double x2, double y2, String attributes) {
    body.append(
        "<line x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\" %s/>\n"
            .formatted(number(x1), number(y1), number(x2), number(y2), attributes));
    return this;
  }

  Svg rect(double x, double y, double width, double height, String attributes) {
    body.append(
        "<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" %s/>\n"
            .formatted(number(x), number(y), number(width), number(height), attributes));
    return this;
  }

  Svg circle(double x, double y, double radius, String attributes) {
    body.append(
        "<circle cx=\"%s\" cy=\"%s\" r=\"%s\" %s/>\n"
            .formatted(number(x), number(y), number(radius), attributes));
    return this;
  }

  Svg path(CharSequence data, String attributes) {
    body.append("<path d=\"").append(data).append("\" ").append(attributes).append("/>\n");
    return this;
  }

  /** Markup as it is. */
  Svg raw(String markup) {
    body.append(markup);
    return this;
  }

  /** Text in the page's colour; {@code anchor} is start, middle or end. */
  Svg text(double x, double y, String anchor, double size, String text, String attributes) {
    body.append(
        "<text x=\"%s\" y=\"%s\" text-anchor=\"%s\" font-size=\"%s\" %s>%s</text>\n"
            .formatted(
                number(x), number(y), anchor, number(size), attributes, Markup.escape(text)));
    return this;
  }

  /** Text that reads upwards, centred on the point. */
  Svg upwardText(double x, double y, double size, String text) {
    String turn = "transform=\"rotate(-90 %s %s)\"".formatted(number(x), number(y));
    return text(x, y, "middle", size, text, turn);
  }

  /** Centred lines, the first with its baseline at {@code y}. */
  Svg title(double x, double y, double size, List<String> lines) {
    for (int i = 0; i < lines.size(); i++) {
      text(x, y + i * size * 1.25, "middle", size, lines.get(i), "font-weight=\"600\"");
    }
    return this;
  }

  String finish(double width, double height, String label) {
    String safe = Markup.escape(label);
    return """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %1$s %2$s" width="%1$s" height="%2$s" \
        role="img" aria-label="%3$s" font-family="system-ui, 'Segoe UI', Helvetica, Arial, sans-serif" \
        fill="currentColor">
        <title>%3$s</title>
        %4$s</svg>
        """
        .formatted(number(width), number(height), safe, body);
  }

  static String number(double value) {
    String text = String.format(Locale.ROOT, "%.2f", value);
    int end = text.length();
    while (text.charAt(end - 1) == '0') {
      end--;
    }
    end = text.charAt(end - 1) == '.' ? end - 1 : end;
    String trimmed = text.substring(0, end);
    return trimmed.equals("-0") ? "0" : trimmed;
  }

  /** An estimate, on the generous side, since the reader's font is unknown. */
  static double width(String text, double size) {
    double width = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      width += c >= 0x2E80 ? 1.0 : "iljtfr.,:;|'!() ".indexOf(c) >= 0 ? 0.4 : 0.63;
    }
    return width * size;
  }

  static String shorten(String text, double size, double room) {
    if (width(text, size) <= room) {
      return text;
    }
    int end = text.length();
    while (end > 1 && width(text.substring(0, end), size) + size > room) {
      end--;
    }
    return text.substring(0, end).stripTrailing() + "…";
  }

  static List<String> wrap(String text, double size, double room) {
    List<String> lines = new ArrayList<>();
    String line = "";
    for (String word : List.of(text.strip().split("\\s+", -1))) {
      String longer = line.isEmpty() ? word : line + " " + word;
      if (line.isEmpty() || width(longer, size) <= room) {
        line = longer;
      } else {
        lines.add(shorten(line, size, room));
        line = word;
      }
    }
    if (!line.isEmpty()) {
      lines.add(shorten(line, size, room));
    }
    return lines;
  }
}
