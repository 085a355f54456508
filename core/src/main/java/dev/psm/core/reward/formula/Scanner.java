package dev.psm.core.reward.formula;

import dev.psm.core.reward.formula.Token.Kind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Cuts a formula into words, one at a time. */
final class Scanner {
  /** Longer ones first, so that {@code <=} is not taken for {@code <}. */
  private static final List<String> SYMBOLS =
      List.of(
          "<=", ">=", "==", "!=", "&&", "||", "+", "-", "*", "/", "^", "<", ">", "!", "?", ":", "(",
          ")", ",");

  /** What people write who think of another language. */
  private static final Map<String, String> FOREIGN = new HashMap<>();

  static {
    FOREIGN.put("**", "'**' is not known here; a power is written ^, as in x^2");
    FOREIGN.put("=<", "'=<' is not known here; write <=");
    FOREIGN.put("=>", "'=>' is not known here; write >=");
    FOREIGN.put("=", "a formula cannot assign; to compare, write ==");
    FOREIGN.put("&", "'&' is not known here; 'and' is written &&");
    FOREIGN.put("|", "'|' is not known here; 'or' is written ||, and a size abs(x)");
    FOREIGN.put("%", "'%' is not known here; there is no remainder");
    FOREIGN.put("[", "'[' is not known here; group with ( and )");
    FOREIGN.put("{", "'{' is not known here; group with ( and )");
    FOREIGN.put(";", "';' is not known here; a reward is a single formula");
    look("\u2212\u2013\u2014", "-");
    look("\u00d7\u00b7\u22c5\u2217", "*");
    look("\u00f7\u2215", "/");
    look("\u2264", "<=");
    look("\u2265", ">=");
    look("\u2260", "!=");
    look("\u2227", "&&");
    look("\u2228", "||");
    look("\u00ac", "!");
    look("\u00b2", "^2");
    look("\u00b3", "^3");
    look("\u03c0", "pi");
    look("\u221e", "inf");
    look("\u221a", "sqrt(x)");
  }

  private final String text;
  private int at;

  Scanner(String text) {
    this.text = text;
  }

  private static void look(String characters, String instead) {
    for (int i = 0; i < characters.length(); i++) {
      int c = characters.charAt(i);
      FOREIGN.put(
          Character.toString(c),
          "the character U+%04X is not known here; write %s".formatted(c, instead));
    }
  }

  Token next() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
    if (at == text.length()) {
      return new Token(Kind.END, "", at, 0);
    }
    char c = text.charAt(at);
    if (digit(at) || (c == '.' && digit(at + 1))) {
      return number();
    }
    if (letter(c)) {
      int start = at;
      while (at < text.length() && (letter(text.charAt(at)) || digit(at))) {
        at++;
      }
      return new Token(Kind.NAME, text.substring(start, at), start, 0);
    }
    return symbol();
  }

  private Token symbol() {
    for (String pair : List.of("**", "=<", "=>")) {
      if (text.startsWith(pair, at)) {
        throw Mistake.at(text, at, FOREIGN.get(pair));
      }
    }
    for (String symbol : SYMBOLS) {
      if (text.startsWith(symbol, at)) {
        at += symbol.length();
        return new Token(Kind.SYMBOL, symbol, at - symbol.length(), 0);
      }
    }
    int character = text.codePointAt(at);
    String hint = FOREIGN.get(Character.toString(character));
    if (hint == null) {
      hint =
          Mistake.printable(character)
              ? "the character '%c' is not known here".formatted(character)
              : "the character U+%04X is not known here; formulas are plain ASCII text"
                  .formatted(character);
    }
    throw Mistake.at(text, at, hint);
  }

  private Token number() {
    int start = at;
    digits();
    if (at < text.length() && text.charAt(at) == '.') {
      at++;
      digits();
    }
    int mantissaEnd = at;
    if (at < text.length() && (text.charAt(at) == 'e' || text.charAt(at) == 'E')) {
      exponent();
    }
    if (at < text.length() && text.charAt(at) == '.') {
      throw Mistake.at(text, at, "a number has one decimal point");
    }
    if (at < text.length() && letter(text.charAt(at))) {
      throw Mistake.at(
          text,
          at,
          "an operator is missing after the number, as in %s * x"
              .formatted(shortened(text.substring(start, at))));
    }
    String written = text.substring(start, at);
    double value = Double.parseDouble(written);
    boolean zero = text.substring(start, mantissaEnd).chars().noneMatch(c -> c >= '1' && c <= '9');
    if (Double.isInfinite(value)) {
      throw Mistake.at(
          text, start, shortened(written) + " is too large; a number has at most 1.79e308");
    }
    if (value == 0 && !zero) {
      throw Mistake.at(text, start, shortened(written) + " is too small to differ from 0");
    }
    return new Token(Kind.NUMBER, written, start, value);
  }

  private void exponent() {
    int e = at++;
    if (at < text.length() && (text.charAt(at) == '+' || text.charAt(at) == '-')) {
      at++;
    }
    if (!digit(at)) {
      throw Mistake.at(text, e, "digits are missing after the 'e' of this number, as in 1e-3");
    }
    digits();
  }

  private void digits() {
    while (digit(at)) {
      at++;
    }
  }

  private static String shortened(String number) {
    return number.length() > 20 ? number.substring(0, 20) + "..." : number;
  }

  private boolean digit(int index) {
    return index < text.length() && text.charAt(index) >= '0' && text.charAt(index) <= '9';
  }

  private static boolean letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  }
}
