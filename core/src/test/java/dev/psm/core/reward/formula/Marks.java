package dev.psm.core.reward.formula;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.UserError;

/** Looks at the mark under a mistake. */
final class Marks {
  private Marks() {}

  /** Reads a formula that must be refused at that column with those words. */
  static UserError check(String text, int column, String words) {
    UserError error = assertThrows(UserError.class, () -> Words.formula(text), text);
    String[] lines = error.getMessage().split(System.lineSeparator(), -1);
    assertEquals(3, lines.length, error.getMessage());
    assertTrue(lines[0].contains("column " + column + ":"), error.getMessage());
    assertTrue(lines[0].contains(words), error.getMessage());
    assertTrue(lines[2].matches(" *\\^"), error.getMessage());
    if (text.codePointCount(0, text.length()) <= 76) {
      assertEquals(2 + column, lines[2].length(), error.getMessage());
    }
    return error;
  }
}
