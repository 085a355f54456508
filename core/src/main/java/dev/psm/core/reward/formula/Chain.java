package dev.psm.core.reward.formula;

import java.util.ArrayList;
import java.util.List;

/** A sum with its terms or a product with its factors, as places in a text. */
final class Chain {
  private static final String ONE = "1";

  private final String text;
  private final int level;
  private final List<Part> parts = new ArrayList<>();

  /**
   * @param prefix what makes the value an operand by itself: a sign, or the numerator of a divisor
   */
  private record Part(String prefix, int from, int to) {}

  /** Begins with the value that stands from {@code from} to {@code to}. */
  Chain(String text, int level, int from, int to) {
    this.text = text;
    this.level = level;
    parts.add(new Part("", from, to));
  }

  /** How tightly its operators hold. */
  int level() {
    return level;
  }

  /** Joins the value that stands between the operator and {@code to}. */
  void add(Token operator, int to) {
    String prefix =
        switch (operator.text()) {
          case "-" -> "-";
          case "/" -> "1 / ";
          default -> "";
        };
    parts.add(new Part(prefix, operator.at() + operator.text().length(), to));
  }

  /**
   * The operands as formulas of their own, of which the last holds all that would be too many;
   * empty if the whole is the only one.
   */
  List<String> operands(int most) {
    int last = parts.get(parts.size() - 1).to;
    List<String> operands = new ArrayList<>();
    for (Part part : parts) {
      int to = operands.size() == most - 1 ? last : part.to;
      String operand = part.prefix + text.substring(part.from, to).strip();
      // The 1 of 1 / x is in the divisor's own formula.
      if (!operand.equals(ONE) || level != Parser.PRODUCT) {
        operands.add(operand);
      }
      if (to == last) {
        break;
      }
    }
    return operands.size() > 1 ? operands : List.of();
  }
}
