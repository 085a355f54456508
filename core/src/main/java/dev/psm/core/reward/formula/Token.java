package dev.psm.core.reward.formula;

/**
 * A word of a formula.
 *
 * @param at where it begins
 * @param value of a number, else 0
 */
record Token(Kind kind, String text, int at, double value) {
  enum Kind {
    NUMBER,
    NAME,
    SYMBOL,
    END
  }

  boolean is(String symbol) {
    return kind == Kind.SYMBOL && text.equals(symbol);
  }

  /** For the inside of a sentence. */
  String shown() {
    return kind == Kind.END ? "the end" : Mistake.quoted(text);
  }
}
