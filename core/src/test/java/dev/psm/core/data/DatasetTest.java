package dev.psm.core.data;

import static dev.psm.core.data.SampleEpisodes.LENGTHS;
import static dev.psm.core.data.SampleEpisodes.TRANSITIONS;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.Seeds;
import dev.psm.core.UserError;
import dev.psm.core.io.Safetensors;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DatasetTest {
  @TempDir Path folder;
  private Dataset dataset;

  @BeforeEach
  void writeAndOpen() {
    SampleEpisodes.write(folder);
    dataset = Dataset.open(folder);
  }

  @AfterEach
  void close() {
    dataset.close();
  }

  @Test
  void episodesComeBackAsTheyWentIn() {
    assertEquals(LENGTHS.length, dataset.episodes());
    assertEquals(TRANSITIONS, dataset.transitions());
    assertEquals(TRANSITIONS + LENGTHS.length, dataset.rows());
    for (int i = 0; i < LENGTHS.length; i++) {
      assertTrue(
          SampleEpisodes.same(SampleEpisodes.episode(i), dataset.episode(i)), "episode " + i);
    }
    assertEquals(SampleEpisodes.description(), dataset.description());
  }

  @Test
  void aChunkIsAFileOfNamedTensorsWithItsEpisodes() {
    Safetensors.Contents chunk = Safetensors.read(folder.resolve("chunk-000000.safetensors"));
    long rows = chunk.require("discount").shape()[0];
    assertArrayEquals(new long[] {rows, 3}, chunk.require("observation").shape());
    assertArrayEquals(new long[] {rows, 2}, chunk.require("action").shape());
    assertArrayEquals(new long[] {rows, 2}, chunk.require("physics").shape());
    assertArrayEquals(new long[] {rows}, chunk.require("reward").shape());
    long[] lengths = chunk.require("episode_length").longs();
    assertTrue(lengths.length < LENGTHS.length, "there are to be several chunks");
    assertEquals(LENGTHS[0], lengths[0]);
  }

  @Test
  void everyTransitionIsARealOneAcrossAllBorders() {
    RandomGenerator random = Seeds.generator(1);
    float[] states = new float[6];
    for (int i = 0; i < 4000; i++) {
      long row = dataset.drawRow(random);
      dataset.gatherObservations(new long[] {row, row + 1}, states);
      int episode = (int) states[0];
      int step = (int) states[1];
      assertEquals(row, dataset.firstRow(episode) + step);
      assertEquals(episode, states[3]);
      assertEquals(step + 1, states[4]);
    }
  }

  @Test
  void transitionsAreEquallyLikely() {
    int[] counts = new int[(int) dataset.rows()];
    RandomGenerator random = Seeds.generator(2);
    int draws = 200 * TRANSITIONS;
    for (int i = 0; i < draws; i++) {
      counts[(int) dataset.drawRow(random)]++;
    }
    double chiSquare = 0;
    for (int row = 0; row < counts.length; row++) {
      if (row == dataset.lastRow(dataset.episodeOf(row))) {
        assertEquals(0, counts[row], "no transition starts in an episode's last state");
      } else {
        chiSquare += Math.pow(counts[row] - 200, 2) / 200;
      }
    }
    assertBelowThreeSigma(chiSquare, TRANSITIONS - 1);
  }

  @Test
  void futureStatesAreGeometricUpToTheEpisodesEnd() {
    int episode = 4;
    long row = dataset.firstRow(episode) + 2;
    int steps = (int) (dataset.lastRow(episode) - row);
    double discount = 0.9;
    double[] expected = new double[steps + 1];
    for (int k = 1; k < steps; k++) {
      expected[k] = (1 - discount) * Math.pow(discount, k - 1);
    }
    expected[steps] = Math.pow(discount, steps - 1);
    assertDrawn(expected, row, random -> dataset.futureRow(row, random, discount, 1));
  }

  /** Beyond the end is the last row that strides reach. */
  @Test
  void futureStatesInStridesAreGeometricInStrides() {
    int episode = 4;
    long row = dataset.firstRow(episode) + 2;
    int strides = (int) (dataset.lastRow(episode) - row) / 3;
    double[] expected = new double[strides + 1];
    for (int k = 1; k < strides; k++) {
      expected[k] = 0.1 * Math.pow(0.9, k - 1);
    }
    expected[strides] = Math.pow(0.9, strides - 1);
    assertDrawn(
        expected,
        row,
        random -> {
          long steps = dataset.futureRow(row, random, 0.9, 3) - row;
          assertEquals(0, steps % 3);
          return row + steps / 3;
        });
    RandomGenerator random = Seeds.generator(4);
    long late = dataset.lastRow(episode) - 2;
    assertThrows(IllegalArgumentException.class, () -> dataset.futureRow(late, random, 0.9, 3));
    assertThrows(IllegalArgumentException.class, () -> dataset.futureRow(row, random, 0.9, 0));
  }

  @Test
  void uniformFutureStatesReachTheEpisodesEnd() {
    int episode = 2;
    long row = dataset.firstRow(episode);
    double[] expected = new double[LENGTHS[episode] + 1];
    for (int k = 1; k < expected.length; k++) {
      expected[k] = 1.0 / LENGTHS[episode];
    }
    assertDrawn(expected, row, random -> dataset.uniformFutureRow(row, random));
  }

  @Test
  void theOnlyFutureOfTheLastButOneStateIsTheLast() {
    long last = dataset.lastRow(3);
    RandomGenerator random = Seeds.generator(4);
    assertEquals(last, dataset.futureRow(last - 1, random, 0.99, 1));
    assertEquals(last, dataset.uniformFutureRow(last - 1, random));
    assertEquals(dataset.firstRow(4) + 1, dataset.futureRow(dataset.firstRow(4), random, 0, 1));
    assertThrows(IllegalArgumentException.class, () -> dataset.futureRow(last, random, 0.99, 1));
    assertThrows(IllegalArgumentException.class, () -> dataset.uniformFutureRow(last, random));
    assertThrows(IllegalArgumentException.class, () -> dataset.futureRow(0, random, 1, 1));
  }

  @Test
  void rowsAreReadInBlocksAcrossChunks() {
    int rows = (int) dataset.rows();
    float[] observations = new float[3 * rows + 1];
    double[] physics = new double[2 * rows];
    float[] actions = new float[2 * rows];
    float[] discounts = new float[rows];
    float[] rewards = new float[rows];
    dataset.observations(0, rows, observations, 1);
    for (int row = 0; row < rows; row += 7) {
      int count = Math.min(7, rows - row);
      dataset.physics(row, count, physics, 2 * row);
      dataset.actions(row, count, actions, 2 * row);
      dataset.discounts(row, count, discounts, row);
      dataset.extra("reward", row, count, rewards, row);
    }
    for (int row = 0; row < rows; row++) {
      int episode = dataset.episodeOf(row);
      int step = (int) (row - dataset.firstRow(episode));
      assertEquals(episode * 1000 + step, observations[1 + 3 * row + 2]);
      assertEquals(episode + 1e-9, physics[2 * row]);
      assertEquals(step, actions[2 * row + 1]);
      assertEquals(step == 0 ? 1 : 1f / (1 + step), discounts[row]);
      assertEquals(-step, rewards[row], 0);
    }
    long beyond = dataset.rows() - 1;
    assertThrows(
        IndexOutOfBoundsException.class, () -> dataset.observations(beyond, 2, observations, 0));
    UserError refused =
        assertThrows(UserError.class, () -> dataset.extra("goal", 0, 1, rewards, 0));
    assertTrue(refused.getMessage().contains("no column 'goal'"), refused.getMessage());
  }

  @Test
  void rowsDrawnElsewhereAreGathered() {
    float[] out = new float[6];
    dataset.gatherObservations(new long[] {dataset.lastRow(10), 0}, out);
    assertArrayEquals(new float[] {10, LENGTHS[10], 10000 + LENGTHS[10], 0, 0, 0}, out);
    for (long row : new long[] {dataset.rows(), -1}) {
      assertThrows(
          IndexOutOfBoundsException.class,
          () -> dataset.gatherObservations(new long[] {0, row}, out));
    }
  }

  @Test
  void aClosedDatasetSaysSo() {
    dataset.close();
    dataset.close();
    List.<Runnable>of(
            () -> dataset.gatherObservations(new long[] {0}, new float[3]),
            () -> dataset.observations(0, 1, new float[3], 0),
            () -> dataset.physics(0, 1, new double[2], 0),
            () -> dataset.episode(0))
        .forEach(
            access -> {
              Exception refused = assertThrows(IllegalStateException.class, access::run);
              assertTrue(refused.getMessage().contains("is closed"), refused.getMessage());
            });
  }

  @Test
  void aFileCutShortWhileInUseIsAnErrorAndNotACrash() throws IOException {
    Path other = folder.resolve("other");
    try (DatasetWriter writer = DatasetWriter.create(other, SampleEpisodes.description())) {
      writer.append(SampleEpisodes.episode(0, 10_000));
      writer.flush();
    }
    try (Dataset open = Dataset.open(other)) {
      Path chunk = other.resolve("chunk-000000.safetensors");
      try (RandomAccessFile file = new RandomAccessFile(chunk.toFile(), "rw")) {
        file.setLength(100);
      }
      // Java notices the fault only some accesses later.
      long[] rows = LongStream.range(0, open.rows()).toArray();
      UserError error =
          assertThrows(
              UserError.class, () -> open.gatherObservations(rows, new float[3 * rows.length]));
      assertTrue(error.getMessage().contains("cut short"), error.getMessage());
    }
  }

  @Test
  void aWriterMayGoOnBesideAReader() {
    try (DatasetWriter writer = DatasetWriter.resume(folder)) {
      writer.append(SampleEpisodes.episode(0));
      writer.flush();
    }
    assertEquals(LENGTHS.length, dataset.episodes());
    try (Dataset again = Dataset.open(folder)) {
      assertEquals(LENGTHS.length + 1, again.episodes());
      assertTrue(SampleEpisodes.same(dataset.episode(5), again.episode(5)));
    }
  }

  private interface Draw {
    long row(RandomGenerator random);
  }

  /** Compares how often each number of steps is drawn with its probability. */
  private static void assertDrawn(double[] expected, long row, Draw draw) {
    int draws = 20_000;
    int[] counts = new int[expected.length];
    RandomGenerator random = Seeds.generator(5);
    for (int i = 0; i < draws; i++) {
      counts[(int) (draw.row(random) - row)]++;
    }
    assertEquals(0, counts[0]);
    double chiSquare = 0;
    for (int k = 1; k < counts.length; k++) {
      chiSquare += Math.pow(counts[k] - draws * expected[k], 2) / (draws * expected[k]);
    }
    assertBelowThreeSigma(chiSquare, counts.length - 2);
  }

  /** A chi-square of n degrees of freedom has the mean n and the variance 2 n. */
  private static void assertBelowThreeSigma(double chiSquare, int degrees) {
    assertTrue(
        chiSquare < degrees + 3 * Math.sqrt(2.0 * degrees),
        "chi-square %s of %d degrees of freedom".formatted(chiSquare, degrees));
  }
}
