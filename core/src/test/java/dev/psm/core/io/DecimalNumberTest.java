package dev.psm.core.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.UserError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DecimalNumberTest {
  @ParameterizedTest
  @CsvSource({"0,0", "-1.5,-1.5", "+2,2", ".5,0.5", "3.,3", "2e-3,0.002", "1E+2,100", "1e-999,0"})
  void plainDecimalsAreRead(String text, double expected) {
    assertEquals(expected, DecimalNumber.read(text, Double.MAX_VALUE, "here"));
  }

  /** What Java's own parser would take among them. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " 1",
        "1 ",
        "1f",
        "1d",
        "1D",
        "0x1p3",
        "NaN",
        "Infinity",
        "-Infinity",
        "+",
        ".",
        "e5",
        "1e",
        "1_0",
        "1,5",
        "one",
        "١",
        "1e9999999999"
      })
  void anythingElseIsRefusedAtItsPlace(String text) {
    UserError refused =
        assertThrows(
            UserError.class, () -> DecimalNumber.read(text, Double.MAX_VALUE, "a.csv, line 7"));
    assertEquals(
        "a.csv, line 7: expected a finite decimal number, such as -1.5 or 2e-3, found '%s'"
            .formatted(text),
        refused.getMessage());
    assertEquals(UserError.Kind.INVALID, refused.kind());
  }

  @Test
  void whatIsTooLargeIsRefused() {
    for (String text : new String[] {"1e39", "-1e39", "1e999999999"}) {
      UserError refused =
          assertThrows(UserError.class, () -> DecimalNumber.read(text, Float.MAX_VALUE, "x"));
      assertTrue(refused.getMessage().endsWith("found '%s', which is too large".formatted(text)));
    }
  }
}
