package dev.psm.agents.affine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CodebookTest {

  @ParameterizedTest
  @ValueSource(ints = {1, 68, 20_000, 50_000})
  void noTwoStatesShareAHash(int states) {
    Codebook codebook = new Codebook(states, 5, 3);
    long distinct =
        java.util.stream.IntStream.range(0, states).map(codebook::hash).distinct().count();
    assertEquals(states, distinct);
    // The last code must find a row for the largest hash.
    for (int state = 0; state < states; state++) {
      assertTrue(codebook.action(Codebook.CODE_COUNT - 1, state) < 5);
    }
  }

  @Test
  void actionsAreInRangeAndRoughlyUniform() {
    Codebook codebook = new Codebook(10, 5, 1);
    for (int state = 0; state < 10; state++) {
      int[] counts = new int[5];
      for (int code = 0; code < Codebook.CODE_COUNT; code++) {
        counts[codebook.action(code, state)]++;
      }
      for (int count : counts) {
        assertEquals(0.2, (double) count / Codebook.CODE_COUNT, 0.01);
      }
    }
  }

  @Test
  void statesChooseIndependently() {
    Codebook codebook = new Codebook(10, 5, 1);
    for (int state = 1; state < 10; state++) {
      int equal = 0;
      for (int code = 0; code < Codebook.CODE_COUNT; code++) {
        equal += codebook.action(code, 0) == codebook.action(code, state) ? 1 : 0;
      }
      assertEquals(0.2, (double) equal / Codebook.CODE_COUNT, 0.01);
    }
  }

  @Test
  void aPolicyDependsOnCodeAndStateOnly() {
    Codebook codebook = new Codebook(68, 5, 7);
    Codebook again = new Codebook(68, 5, 7);
    for (int code : new int[] {0, 1, 12_345, Codebook.CODE_COUNT - 1}) {
      int[] policy = codebook.policy(code);
      assertArrayEquals(policy, again.policy(code));
      for (int state = 67; state >= 0; state--) {
        assertEquals(policy[state], codebook.action(code, state));
        assertEquals(policy[state], codebook.action(code, state));
      }
    }
  }

  @Test
  void anotherSeedOrCodeGivesAnotherPolicy() {
    Codebook codebook = new Codebook(68, 5, 7);
    assertFalse(Arrays.equals(codebook.policy(3), new Codebook(68, 5, 8).policy(3)));
    assertFalse(Arrays.equals(codebook.policy(3), codebook.policy(4)));
  }

  @Test
  void bitsComeLeastSignificantFirst() {
    float[] bits = new float[Codebook.CODE_BITS + 2];
    Codebook.bits(0b1000_0000_0000_1101, bits, 2);
    assertArrayEquals(new float[] {0, 0, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}, bits);
  }
}
