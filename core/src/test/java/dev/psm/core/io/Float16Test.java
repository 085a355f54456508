package dev.psm.core.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.UserError;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class Float16Test {
  private static final int INFINITY = 0x7c00;

  @ParameterizedTest
  @CsvSource({
    "1, 3c00",
    "-2, c000",
    "0, 0",
    "-0.0, 8000",
    "65504, 7bff",
    "0.333251953125, 3555",
    "0x1p-14, 400",
    "0x1.ff8p-15, 3ff",
    "0x1p-24, 1"
  })
  void knownHalves(String value, String bits) {
    short half = (short) Integer.parseInt(bits, 16);
    assertEquals(half, Float16.bits(Float.parseFloat(value)));
    assertEquals(
        Float.floatToRawIntBits(Float.parseFloat(value)),
        Float.floatToRawIntBits(Float16.value(half)));
  }

  @Test
  void everyFiniteHalfSurvivesTheWayThroughAFloat() {
    for (int bits = 0; bits < 1 << 16; bits++) {
      short half = (short) bits;
      if ((bits & INFINITY) == INFINITY) {
        assertTrue(!Float.isFinite(Float16.value(half)));
      } else {
        assertEquals(half, Float16.bits(Float16.value(half)));
      }
    }
  }

  @Test
  void betweenTwoHalvesTheNearerIsTakenAndInTheMiddleTheEven() {
    for (int bits = 0; bits < INFINITY - 1; bits++) {
      float low = Float16.value((short) bits);
      float high = Float16.value((short) (bits + 1));
      float middle = (low + high) / 2;
      assertEquals(bits, Float16.bits(Math.nextDown(middle)));
      assertEquals(bits + 1, Float16.bits(Math.nextUp(middle)));
      assertEquals(bits + (bits & 1), Float16.bits(middle));
    }
  }

  @Test
  void aTensorKeepsItsShapeAndElevenBits() {
    Random random = new Random(1);
    float[] values = new float[600];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextGaussian() * 100;
    }
    TensorData narrow = Float16.narrow("w", TensorData.of(values, 20, 30));
    assertEquals(DType.F16, narrow.dtype());
    TensorData wide = Float16.widen(narrow);
    assertArrayEquals(new long[] {20, 30}, wide.shape());
    float[] back = wide.floats();
    for (int i = 0; i < values.length; i++) {
      assertEquals(values[i], back[i], Math.abs(values[i]) * 0x1p-11);
    }
    assertEquals(narrow, Float16.narrow("w", wide), "a second time nothing is lost");
    assertSame(wide, Float16.widen(wide));
  }

  @ParameterizedTest
  @ValueSource(floats = {65505, -1e9f, Float.POSITIVE_INFINITY, Float.NaN})
  void whatWouldNotBeFiniteIsRefusedByName(float value) {
    TensorData tensor = TensorData.of(new float[] {1, value}, 2);
    UserError error = assertThrows(UserError.class, () -> Float16.narrow("actor.w", tensor));
    assertTrue(error.getMessage().contains("'actor.w'"), error.getMessage());
    assertTrue(error.getMessage().contains("element 1 is " + value), error.getMessage());
    assertThrows(IllegalArgumentException.class, () -> Float16.bits(value));
  }
}
