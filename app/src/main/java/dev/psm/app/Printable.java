package dev.psm.app;

/**
 * Text as a terminal may have it. Names and formulas come out of files that anyone may have
 * written, and a terminal obeys what it is sent: with an escape sequence such a file could rewrite
 * what psm said. So all that psm prints goes through here; only the progress bar adds sequences of
 * its own afterwards.
 *
 * <p>The spelling is JSON's, whose strings it leaves the same.
 */
final class Printable {
  private Printable() {}

  /** The text with every control character spelled out, but for line ends and tabs. */
  static String text(String text) {
    if (text.codePoints().noneMatch(Printable::isControl)) {
      return text;
    }
    StringBuilder spelled = new StringBuilder();
    text.chars()
        .forEach(
            c -> {
              if (isControl(c)) {
                spelled.append("\\u%04x".formatted(c));
              } else {
                spelled.append((char) c);
              }
            });
    return spelled.toString();
  }

  private static boolean isControl(int c) {
    return c != '\n' && c != '\t' && (Character.isISOControl(c) || isDirection(c));
  }

  /** Marks of right-to-left text, which change the order in which all that follows is shown. */
  private static boolean isDirection(int c) {
    return (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
  }
}
