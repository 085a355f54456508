package dev.psm.view.render;

import java.util.ArrayList;
import java.util.List;

/**
 * Light letters on a dark, translucent plate with round corners. Lines that are too long are
 * wrapped; where that makes many, the letters get smaller.
 */
final class Caption {
  private static final int INK = 0xf4f7fb;
  private static final int PLATE = 0x101a28;
  private static final double PLATE_SHARE = 0.55;
  private static final int ADVANCE = Glyphs.WIDTH + 1;
  private static final int LINE = Glyphs.HEIGHT + 2;
  private static final int MARGIN = 4;
  private static final int PADDING = 3;
  private static final int COMFORTABLE_LINES = 3;
  private static final int MAX_LINES = 5;
  private static final String CUT = "...";

  private Caption() {}

  static void draw(Image image, String text) {
    if (text.isBlank()) {
      return;
    }
    int scale = Math.max(1, Math.round(image.width() / 300f));
    List<String> lines = wrap(text, columns(image, scale));
    while (scale > 1 && lines.size() > COMFORTABLE_LINES) {
      scale--;
      lines = wrap(text, columns(image, scale));
    }
    int longest = lines.stream().mapToInt(String::length).max().orElse(0);
    int padding = PADDING * scale;
    int plateWidth = (longest * ADVANCE - 1) * scale + 2 * padding;
    int plateHeight = (lines.size() * LINE - LINE + Glyphs.HEIGHT) * scale + 2 * padding;
    int left = MARGIN * scale;
    int top = image.height() - MARGIN * scale - plateHeight;
    plate(image, left, top, plateWidth, plateHeight, 3.0 * scale);
    for (int row = 0; row < lines.size(); row++) {
      String line = lines.get(row);
      for (int i = 0; i < line.length(); i++) {
        int x = left + padding + i * ADVANCE * scale;
        letter(image, line.charAt(i), x, top + padding + row * LINE * scale, scale);
      }
    }
  }

  /** How many letters a line holds. */
  private static int columns(Image image, int scale) {
    int room = image.width() / scale - 2 * (MARGIN + PADDING) + 1;
    return Math.max(CUT.length() + 1, room / ADVANCE);
  }

  /** Lines of at most so many letters; where they would be too many, the first text is cut. */
  static List<String> wrap(String text, int columns) {
    List<List<String>> wrapped = text.lines().map(line -> wrapLine(line.strip(), columns)).toList();
    int total = wrapped.stream().mapToInt(List::size).sum();
    List<String> all = new ArrayList<>();
    for (List<String> lines : wrapped) {
      int kept = Math.max(1, Math.min(lines.size(), lines.size() - (total - MAX_LINES)));
      total -= lines.size() - kept;
      all.addAll(lines.subList(0, kept));
      if (kept < lines.size()) {
        String last = lines.get(kept - 1);
        int room = Math.min(last.length(), columns - CUT.length());
        all.set(all.size() - 1, last.substring(0, room) + CUT);
      }
    }
    return all;
  }

  private static List<String> wrapLine(String line, int columns) {
    List<String> lines = new ArrayList<>();
    String rest = line;
    while (rest.length() > columns) {
      int blank = rest.lastIndexOf(' ', columns);
      int end = blank > 0 ? blank : columns;
      lines.add(rest.substring(0, end).stripTrailing());
      rest = rest.substring(end).strip();
    }
    lines.add(rest);
    return lines;
  }

  private static void plate(Image image, int left, int top, int width, int height, double radius) {
    for (int y = 0; y < height; y++) {
      for (int x = 0; x < width; x++) {
        double ox = Math.max(0, Math.max(radius - (x + 0.5), x + 0.5 - (width - radius)));
        double oy = Math.max(0, Math.max(radius - (y + 0.5), y + 0.5 - (height - radius)));
        double inside = Math.min(1, Math.max(0, radius + 0.5 - Math.hypot(ox, oy)));
        blend(image, left + x, top + y, PLATE, PLATE_SHARE * inside);
      }
    }
  }

  private static void letter(Image image, char character, int left, int top, int scale) {
    for (int y = 0; y < Glyphs.HEIGHT * scale; y++) {
      for (int x = 0; x < Glyphs.WIDTH * scale; x++) {
        boolean set =
            scale == 1
                ? Glyphs.dot(character, x, y)
                : Glyphs.smoothDot(character, 2 * x / scale, 2 * y / scale);
        if (set) {
          blend(image, left + x, top + y, INK, 1);
        }
      }
    }
  }

  private static void blend(Image image, int x, int y, int rgb, double share) {
    if (x < 0 || y < 0 || x >= image.width() || y >= image.height()) {
      return;
    }
    int under = image.get(x, y);
    int mixed = 0;
    for (int shift = 0; shift <= 16; shift += 8) {
      double from = under >> shift & 0xff;
      double to = rgb >> shift & 0xff;
      mixed |= (int) Math.round(from + (to - from) * share) << shift;
    }
    image.set(x, y, mixed);
  }
}
