package dev.psm.agents.training;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.torch.Device;
import dev.psm.torch.Tensors;
import java.util.Arrays;
import java.util.List;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;

class ActionCodebookTest {
  private static final int ACTION = 2;
  private static final int SIZE = 65_536 + 20_000;
  private final ActionCodebook codebook = new ActionCodebook(List.of(1L, 2L), ACTION, Device.CPU);

  private static Tensor both(long... values) {
    long[] twice = Arrays.copyOf(values, 2 * values.length);
    System.arraycopy(values, 0, twice, values.length, values.length);
    return Tensors.longs(twice, 2, values.length);
  }

  private float[] actions(long code, long row) {
    return Tensors.toFloats(codebook.actions(both(code), both(row)));
  }

  /** Every entry of the table: seeds × size × action. */
  private float[] table() {
    long[] rows = new long[SIZE];
    for (int row = 0; row < SIZE; row++) {
      rows[row] = row;
    }
    return Tensors.toFloats(codebook.actions(both(new long[SIZE]), both(rows)));
  }

  @Test
  void actionsFillTheWholeRangeUniformly() {
    float[] table = table();
    assertEquals(2 * SIZE * ACTION, table.length);
    int[] tenths = new int[20];
    for (float action : table) {
      assertTrue(action >= -1 && action < 1, "action " + action);
      tenths[(int) Math.floor((action + 1) * 10)]++;
    }
    for (int count : tenths) {
      assertEquals(table.length / 20.0, count, 0.03 * table.length / 20, Arrays.toString(tenths));
    }
  }

  @Test
  void aPolicyDoesTheSameInAStateWhateverElseIsInTheBatch() {
    float[] alone = actions(77, 1234);
    Tensor codes = both(5, 77, 77, 9, 77);
    Tensor rows = both(8, 1234, 3, 1234, 1234);
    Tensor batch = codebook.actions(codes, rows);
    for (int place : new int[] {1, 4}) {
      assertArrayEquals(alone, Tensors.toFloats(batch.select(1, place)));
    }
    for (int place : new int[] {0, 2, 3}) {
      assertFalse(Arrays.equals(alone, Tensors.toFloats(batch.select(1, place))));
    }
  }

  @Test
  void theTableIsReadAtCodePlusRowAndAgainFromTheStart() {
    float[] table = table();
    long code = 65_535;
    for (long row : new long[] {0, 1, 20_000, 20_001, 1_000_000, 5_000_000_000L}) {
      int place = (int) ((code + row) % SIZE);
      float[] found = actions(code, row);
      for (int seed = 0; seed < 2; seed++) {
        for (int i = 0; i < ACTION; i++) {
          assertEquals(table[(seed * SIZE + place) * ACTION + i], found[seed * ACTION + i]);
        }
      }
    }
  }

  @Test
  void everySeedHasATableOfItsOwnWhoeverIsBesideIt() {
    float[] found = actions(3, 4);
    assertFalse(Arrays.equals(Arrays.copyOf(found, 2), Arrays.copyOfRange(found, 2, 4)));
    Tensor code = Tensors.longs(new long[] {3}, 1, 1);
    Tensor row = Tensors.longs(new long[] {4}, 1, 1);
    assertArrayEquals(
        Arrays.copyOfRange(found, 2, 4),
        Tensors.toFloats(new ActionCodebook(List.of(2L), ACTION, Device.CPU).actions(code, row)));
  }

  @Test
  void codesAreTheirBitsFromTheLeastSignificant() {
    float[] bits = Tensors.toFloats(codebook.bits(both(0, 1, 6, 65_535)));
    assertEquals(2 * 4 * 16, bits.length);
    float[] expected = new float[16];
    assertArrayEquals(expected, Arrays.copyOfRange(bits, 0, 16));
    expected[0] = 1;
    assertArrayEquals(expected, Arrays.copyOfRange(bits, 16, 32));
    expected = new float[16];
    expected[1] = 1;
    expected[2] = 1;
    assertArrayEquals(expected, Arrays.copyOfRange(bits, 32, 48));
    Arrays.fill(expected, 1);
    assertArrayEquals(expected, Arrays.copyOfRange(bits, 48, 64));
  }
}
