package dev.psm.core;

import com.google.errorprone.annotations.FormatMethod;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Pattern;

/** Small rules of what is printed for people. */
public final class Wording {
  private static final Pattern NEGATIVE_ZERO =
      Pattern.compile("(?<![\\w.)])-(0(?:\\.0+)?)(?![\\w.])");
  private static final Pattern PLAIN_WORD = Pattern.compile("[\\w@%+=:,./-]+");

  private Wording() {}

  /** Formats alike in every locale, and without the sign of a number that rounds to zero. */
  @FormatMethod
  public static String format(String pattern, Object... arguments) {
    String text = String.format(Locale.ROOT, pattern, arguments);
    // In a column, behind blanks, the number keeps its place.
    return NEGATIVE_ZERO
        .matcher(text)
        .replaceAll(zero -> (text.startsWith("  ", zero.start() - 2) ? " " : "") + zero.group(1));
  }

  /** Such as {@code 1 episode} or {@code 2,000 episodes}. */
  public static String count(long number, String singular) {
    return String.format(Locale.ROOT, "%,d %s%s", number, singular, number == 1 ? "" : "s");
  }

  /**
   * A name that others chose, as part of a line: its line breaks are spelled as JSON does, or what
   * follows them would pass for a line of psm's own.
   */
  public static String oneLine(Object name) {
    return name.toString().replace("\n", "\\n").replace("\r", "\\r");
  }

  /**
   * Text as a terminal may have it: every control character spelled out, but for line ends and
   * tabs. Names and formulas come out of files that anyone may have written, and a terminal obeys
   * what it is sent: with an escape sequence such a file could rewrite what psm said.
   *
   * <p>The spelling is JSON's, whose strings it leaves the same.
   */
  public static String printable(String text) {
    if (text.chars().noneMatch(Wording::isControl)) {
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

  /** A path as a word of a shell command, to be copied from a suggestion. */
  public static String shell(Path path) {
    return shell(path.toString());
  }

  /** A text as a word of a shell command. */
  public static String shell(String text) {
    return PLAIN_WORD.matcher(text).matches() ? text : "'" + text.replace("'", "'\\''") + "'";
  }
}
