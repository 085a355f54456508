package dev.psm.core.reward.formula;

import static dev.psm.core.reward.formula.Words.X;
import static dev.psm.core.reward.formula.Words.formula;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.UserError;
import dev.psm.core.reward.QuantityTable;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Division by zero and NaN: defined inside a formula, never paid out. */
class NotFiniteTest {
  private static final double NAN = Double.NaN;

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "1 / x; 0; Infinity",
        "-1 / x; 0; -Infinity",
        "x / x; 0; NaN",
        "log(x); 0; -Infinity",
        "log(x); -1; NaN",
        "sqrt(x); -1; NaN",
        "x ^ 0.5; -1; NaN",
        "x ^ 0; 0; 1",
        "x ^ -1; 0; Infinity",
        "exp(x); 1000; Infinity",
        "exp(x); -1000; 0",
        "sin(x); Infinity; NaN",
        "x - x; Infinity; NaN",
        "clip(1 / x, -10, 10); 0; 10",
        "min(1 / x, 5); 0; 5"
      })
  void arithmeticIsThatOfIeee754(String text, double x, double expected) {
    assertEquals(expected, formula(text).value(Words.state(x, 0, 0)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x + 1",
        "x * 0",
        "x ^ 2",
        "x ^ 0",
        "1 ^ x",
        "-x",
        "!x",
        "x < 1",
        "x <= 1",
        "x > 1",
        "x >= 1",
        "x == x",
        "x != x",
        "1 < x",
        "x && 1",
        "x || 1",
        "1 && x",
        "0 || x",
        "x ? 1 : 2",
        "abs(x)",
        "exp(x)",
        "log(x)",
        "sqrt(x)",
        "sin(x)",
        "cos(x)",
        "tanh(x)",
        "min(x, 1)",
        "max(1, x)",
        "clip(x, 0, 1)",
        "clip(1, x, 2)",
        "tolerance(x, 0, 1)",
        "tolerance(x, -inf, inf)",
        "distance(x, 0)"
      })
  void nothingHidesANan(String text) {
    assertEquals(NAN, formula(text).value(Words.state(NAN, 0, 0)));
  }

  @ParameterizedTest
  @CsvSource({
    "x > 0 && log(x) > -5, 0",
    "x <= 0 || log(x) > -5, 1",
    "x > 0 ? log(x) : -5, -5",
    "x != -1 ? 1 / (x + 1) : 0, 0"
  })
  void aSideNotTakenIsNotLookedAt(String text, double expected) {
    assertEquals(expected, formula(text).value(Words.state(-1, 0, 0)));
  }

  @Test
  void aRewardThatIsNotFiniteIsRefusedWithItsState() {
    UserError error =
        assertThrows(UserError.class, () -> formula("1 / x").of(Words.state(0, 0, 0)));
    assertTrue(
        error.getMessage().contains("Infinity in a state with x = 0.00000"), error::getMessage);
  }

  @Test
  void statesWithoutAFiniteRewardAreCounted() {
    QuantityTable table = new QuantityTable(List.of(X), 1000);
    for (int row = 0; row < 1000; row++) {
      table.column(X)[row] = row % 100 - 3;
    }
    UserError error = assertThrows(UserError.class, () -> formula("1 / x").of(table));
    assertTrue(error.getMessage().contains("not finite in 10 of 1,000 states"), error::getMessage);
    assertEquals(UserError.Kind.INVALID, error.kind());
  }

  @ParameterizedTest
  @CsvSource({"1 / 0, 3", "x / 0, 3", "0 / 0, 3", "x / (1 - 1), 3", "log(-1), 1", "inf - inf, 5"})
  @CsvSource({"9 ^ 9 ^ 9, 3", "x + exp(1000), 5", "sqrt(-1) + x, 1", "log(0), 1", "inf * 0, 5"})
  void whatIsWrongInEveryStateIsRefusedWhenRead(String text, int column) {
    Marks.check(text, column, "");
  }

  @Test
  void infinityItselfMayBeUsed() {
    assertEquals(1, Words.value("tolerance(x, -inf, 2 * inf)"));
    assertEquals(3, Words.value("min(x, inf)"));
  }

  @Test
  void whatNoSumOfStepsCouldHoldIsNotPaid() {
    Formula huge = formula("1e300 * x");
    assertEquals(1e303, huge.of(Words.state(1e3, 0, 0)), 1e290);
    String message =
        assertThrows(UserError.class, () -> huge.of(Words.state(-1e5, 0, 0))).getMessage();
    assertTrue(message.contains("scale the formula down"), message);
  }
}
