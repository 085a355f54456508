package dev.psm.agents.training;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.Seeds;
import dev.psm.core.data.Columns;
import dev.psm.core.data.Dataset;
import dev.psm.core.data.DatasetDescription;
import dev.psm.core.data.DatasetWriter;
import dev.psm.core.data.Episode;
import dev.psm.core.io.Json;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StartsTest {
  private static final int DRAWS = 6_000;
  @TempDir private Path folder;

  private Dataset data(int... lengths) {
    DatasetDescription description =
        new DatasetDescription("some", "none", "none", Json.object(), 1, new Columns(1, 1, 0));
    try (DatasetWriter writer = DatasetWriter.create(folder, description)) {
      for (int length : lengths) {
        float[] discounts = new float[length + 1];
        Arrays.fill(discounts, 1);
        writer.append(
            new Episode(
                new float[length + 1], new float[length + 1], discounts, new double[0], Map.of()));
      }
      writer.flush();
    }
    return Dataset.open(folder);
  }

  /** Of 1,002 episodes only two have 50 steps. */
  @Test
  void rareStartsAreDrawnAtOnceAndAllAlike() {
    int[] lengths = new int[1_002];
    Arrays.fill(lengths, 2);
    lengths[33] = 52;
    lengths[1_000] = 50;
    try (Dataset data = data(lengths)) {
      Starts starts = new Starts(data, 50);
      long first = data.firstRow(33);
      long[] expected = {first, first + 1, first + 2, data.firstRow(1_000)};
      assertArrayEquals(expected, starts.rows());
      assertEquals(4, starts.count());
      RandomGenerator seeded = Seeds.generator(3);
      int[] asked = {0};
      RandomGenerator random =
          () -> {
            asked[0]++;
            return seeded.nextLong();
          };
      int[] counts = new int[4];
      for (int i = 0; i < DRAWS; i++) {
        int which = Arrays.binarySearch(expected, starts.draw(random));
        assertTrue(which >= 0, "a row that is no start");
        counts[which]++;
      }
      assertEquals(DRAWS, asked[0]);
      for (int count : counts) {
        assertEquals(1_500, count, 200);
      }
    }
  }

  @Test
  void commonStartsAreDrawnAllAlike() {
    try (Dataset data = data(9, 1, 5)) {
      Starts starts = new Starts(data, 3);
      long[] expected = {0, 1, 2, 3, 4, 5, 6, 12, 13, 14};
      assertArrayEquals(expected, starts.rows());
      RandomGenerator random = Seeds.generator(4);
      int[] counts = new int[expected.length];
      for (int i = 0; i < DRAWS; i++) {
        counts[Arrays.binarySearch(expected, starts.draw(random))]++;
      }
      for (int count : counts) {
        assertEquals(600, count, 150);
      }
    }
  }
}
