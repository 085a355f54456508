package dev.psm.core.render;

/** Light letters on a dark, translucent plate with round corners. */
final class Caption {
  private static final int INK = 0xf4f7fb;
  private static final int PLATE = 0x101a28;
  private static final double PLATE_SHARE = 0.55;
  private static final int ADVANCE = Glyphs.WIDTH + 1;

  private Caption() {}

  static void draw(Image image, String text) {
    if (text.isBlank()) {
      return;
    }
    int scale = Math.max(1, Math.round(image.width() / 300f));
    while (scale > 1 && width(text, scale) + 6 * scale > image.width()) {
      scale--;
    }
    int margin = 4 * scale;
    int padding = 3 * scale;
    int plateWidth = width(text, scale) + 2 * padding;
    int plateHeight = Glyphs.HEIGHT * scale + 2 * padding;
    int left = margin;
    int top = image.height() - margin - plateHeight;
    plate(image, left, top, plateWidth, plateHeight, 3.0 * scale);
    for (int i = 0; i < text.length(); i++) {
      letter(image, text.charAt(i), left + padding + i * ADVANCE * scale, top + padding, scale);
    }
  }

  private static int width(String text, int scale) {
    return (text.length() * ADVANCE - 1) * scale;
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
