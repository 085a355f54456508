package dev.psm.app.bundle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.UserError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ByteSizeTest {
  @Test
  void unitsArePowersOf1024() {
    assertEquals(60L << 20, ByteSize.part("60M"));
    assertEquals(100L << 10, ByteSize.part("100k"));
    assertEquals(2L << 30, ByteSize.part("2G"));
    assertEquals(70_000, ByteSize.part("70000"));
  }

  @ParameterizedTest
  @CsvSource({
    "0,0.00 KB",
    "840000,840 KB",
    "999499,999 KB",
    "999500,1.00 MB",
    "1820000,1.82 MB",
    "33870000,33.9 MB",
    "711000000,711 MB"
  })
  void threeDigitsAreTold(long bytes, String words) {
    assertEquals(words, ByteSize.words(bytes));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "M", "-5M", "60MB", "1.5G", "60X", "0", "1K", "99999999999999999999"})
  void otherSizesAreRefused(String text) {
    UserError error = assertThrows(UserError.class, () -> ByteSize.part(text));
    assertEquals(UserError.Kind.INVALID, error.kind());
    assertTrue(error.getMessage().contains("'" + text + "'"), error.getMessage());
  }
}
