package dev.psm.core.reward.formula;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Looks at the mark under a mistake. */
final class Marks {
  private Marks() {}

  /** Reads a formula that must be refused at that column with those words. */
  static FormulaError check(String text, int column, String words) {
    FormulaError error = assertThrows(FormulaError.class, () -> Words.formula(text), text);
    String[] lines = error.getMessage().split(System.lineSeparator(), -1);
    assertEquals(3, lines.length, error.getMessage());
    assertTrue(lines[0].contains("column " + column + ":"), error.getMessage());
    assertTrue(lines[0].contains(words), error.getMessage());
    assertTrue(lines[2].matches(" *\\^"), error.getMessage());
    assertEquals(column - 1, text.codePointCount(0, error.index()), error.getMessage());
    assertEquals("reward formula, column %d: %s".formatted(column, error.problem()), lines[0]);
    if (text.codePointCount(0, text.length()) <= 76) {
      assertEquals(2 + column, lines[2].length(), error.getMessage());
    }
    return error;
  }
}
