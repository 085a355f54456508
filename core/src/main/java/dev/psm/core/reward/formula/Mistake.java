package dev.psm.core.reward.formula;

/** A mistake in a formula, told with the text and a mark under the place. */
final class Mistake {
  /** How much of a long formula is shown. */
  private static final int WINDOW = 76;

  private static final String CUT = "...";
  private static final int WORD = 40;

  private Mistake() {}

  /**
   * @param at index into the text; its length to say that something is missing at the end
   */
  static FormulaError at(String text, int at, String problem) {
    String shown = plain(text);
    int column = text.codePointCount(0, at);
    int from = 0;
    int to = shown.length();
    if (to > WINDOW) {
      from = Math.max(0, Math.min(column - WINDOW / 2, to - WINDOW));
      to = Math.min(shown.length(), from + WINDOW);
    }
    String before = from > 0 ? CUT : "";
    String after = to < shown.length() ? CUT : "";
    String line = before + shown.substring(from, to) + after;
    String mark = " ".repeat(before.length() + column - from) + "^";
    return new FormulaError(
        at,
        problem,
        "reward formula, column %d: %s%n  %s%n  %s".formatted(column + 1, problem, line, mark));
  }

  /** The text on a line, cut when it is long. */
  static String line(String text) {
    String plain = plain(text);
    return plain.length() > WINDOW ? plain.substring(0, WINDOW) + CUT : plain;
  }

  /** A piece of the text for the inside of a sentence. */
  static String quoted(String piece) {
    String plain = plain(piece);
    return "'" + (plain.length() > WORD ? plain.substring(0, WORD) + CUT : plain) + "'";
  }

  /** One printable column per character, whatever was typed, or the mark would not be below it. */
  private static String plain(String text) {
    StringBuilder plain = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            c -> plain.append(Character.isWhitespace(c) ? ' ' : printable(c) ? (char) c : '?'));
    return plain.toString();
  }

  static boolean printable(int character) {
    return character >= ' ' && character <= '~';
  }
}
