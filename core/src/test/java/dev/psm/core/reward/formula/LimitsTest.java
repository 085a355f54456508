package dev.psm.core.reward.formula;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.UserError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LimitsTest {

  @Test
  void aMegabyteOfTextIsRefusedUnread() {
    FormulaError error =
        assertThrows(FormulaError.class, () -> Words.formula("\u0000".repeat(1 << 20)));
    assertEquals(Formula.MAX_LENGTH, error.index());
    assertTrue(
        error.getMessage().contains("at most 10,000 characters, found 1,048,576"),
        error.getMessage());
  }

  @ParameterizedTest
  @CsvSource({
    "'(', x, ')', 101",
    "'-', x, '', 101",
    "'!', x, '', 101",
    "'+', x, '', 101",
    "'x^', x, '', 201",
    "'sin(', x, ')', 401",
    "'x ? x : ', x, '', 797",
    "'x ? ', x, ' : x', 401",
    "'max(x, ', x, ')', 698"
  })
  void nestingEndsAtALimit(String before, String middle, String after, int column) {
    int limit = Formula.MAX_DEPTH;
    String deepest = before.repeat(limit - 1) + middle + after.repeat(limit - 1);
    Words.formula(deepest);
    Marks.check(before.repeat(limit) + middle + after.repeat(limit), column, "100 levels deep");
    Marks.check(before.repeat(10_000 / before.length()), column, "100 levels deep");
  }

  @Test
  void tenThousandParenthesesAreRefusedAtTheHundredth() {
    Marks.check("(".repeat(10_000), 101, "100 levels deep");
    assertThrows(UserError.class, () -> Words.formula("(".repeat(10_000) + "x"));
    Marks.check(")".repeat(10_000), 1, "found ')'");
  }

  @Test
  void aPowerTowerIsRefused() {
    Marks.check("9^9^9^9^9^9", 8, "infinite");
    Marks.check("x^9^9^9^9", 6, "infinite");
    Marks.check("9^".repeat(4000) + "9", 201, "100 levels deep");
  }

  @Test
  void aLongSumIsNotDeep() {
    assertEquals(3 * 2000, Words.value("x" + "+x".repeat(1999)));
  }

  @Test
  void costEndsAtALimit() {
    Marks.check("x" + "+x".repeat(2500), 5000, "a cost of 5,000");
    Marks.check("x" + "+sin(x)".repeat(1000), 5001, "a cost of 5,000");
  }
}
