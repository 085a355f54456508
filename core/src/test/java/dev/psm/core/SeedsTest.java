package dev.psm.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SeedsTest {
  /** Stored runs name their seed, so these may never change; computed apart, in Python. */
  @ParameterizedTest
  @CsvSource({
    "0, 0, starts, 4477c66a4a6cec89",
    "0, 0, actions, f4c387fe62847778",
    "1, 0, starts, 1558e3c2a35e17f1",
    "0, 1, starts, df6b432cc0b0fa3",
    "-1, 1099511627776, starts, e4fa12bdc69908ee",
    "42, 7, actions, b3e730edd60b7483"
  })
  void aStreamsSeedIsTheSameForEver(long seed, long index, String role, String expected) {
    assertEquals(expected, Long.toHexString(Seeds.mix(seed, index, role)));
  }

  @Test
  void neighbouringSeedsIndicesAndRolesNeverShareAStream() {
    List<String> roles = List.of("actions", "starts", "tasks", "", "a", "b");
    Set<Long> seen = new HashSet<>();
    int drawn = 0;
    for (long seed = -100; seed < 100; seed++) {
      for (long index = 0; index < 250; index++) {
        for (String role : roles) {
          seen.add(Seeds.mix(seed, index, role));
          drawn++;
        }
      }
    }
    assertEquals(300_000, drawn);
    assertEquals(drawn, seen.size());
  }

  @Test
  void streamsOfNeighboursAreUnlikeEachOther() {
    // 256 neighbours' first numbers fill [0, 1) about as evenly as chance: 16 expected in each
    // sixteenth, and a spread of 4 about it.
    int[] counts = new int[16];
    for (int index = 0; index < 256; index++) {
      counts[(int) (16 * Seeds.generator(Seeds.mix(0, index, "starts")).nextDouble())]++;
    }
    for (int count : counts) {
      assertTrue(count >= 4 && count <= 32, () -> Arrays.toString(counts));
    }
  }

  @Test
  void aGeneratorRepeatsItself() {
    RandomGenerator first = Seeds.generator(3);
    RandomGenerator second = Seeds.generator(3);
    for (int i = 0; i < 100; i++) {
      assertEquals(first.nextLong(), second.nextLong());
    }
  }
}
