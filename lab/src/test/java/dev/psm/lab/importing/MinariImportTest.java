package dev.psm.lab.importing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.psm.core.data.Episode;
import io.jhdf.HdfFile;
import io.jhdf.WritableHdfFile;
import io.jhdf.api.WritableGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class MinariImportTest {
  @TempDir Path root;
  private Importing importing;
  private Path file;

  @BeforeEach
  void prepare() throws IOException {
    importing = new Importing(root);
    file = Files.createDirectories(root.resolve("door/data")).resolve("main_data.hdf5");
  }

  private static WritableGroup episode(WritableHdfFile hdf5, int number, int steps) {
    WritableGroup group = hdf5.putGroup("episode_" + number);
    double[][] observations = new double[steps + 1][3];
    float[][] actions = new float[steps][2];
    for (int row = 0; row <= steps; row++) {
      observations[row] = new double[] {number, row, -row};
      if (row < steps) {
        actions[row] = new float[] {number + 0.5f, row};
      }
    }
    group.putDataset("observations", observations);
    group.putDataset("actions", actions);
    group.putDataset("rewards", new double[steps]);
    return group;
  }

  private static boolean[] last(int steps) {
    boolean[] truths = new boolean[steps];
    truths[steps - 1] = true;
    return truths;
  }

  /** Twelve, so that the order of names is not that of numbers. */
  private void write() {
    try (WritableHdfFile hdf5 = HdfFile.write(file)) {
      for (int number = 0; number < 12; number++) {
        int steps = number + 1;
        WritableGroup group = episode(hdf5, number, steps);
        boolean ended = number % 2 == 0;
        group.putDataset("terminations", ended ? last(steps) : new boolean[steps]);
        group.putDataset("truncations", ended ? new boolean[steps] : last(steps));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"door", "door/data", "door/data/main_data.hdf5"})
  void episodesComeInTheOrderOfTheirNumbers(String source) {
    write();
    DatasetImport.Result result = importing.run(root.resolve(source), null, "door");
    assertEquals("minari", result.format());
    List<Episode> episodes = importing.stored();
    assertEquals(12, episodes.size());
    for (int number = 0; number < 12; number++) {
      Episode episode = episodes.get(number);
      int steps = number + 1;
      assertEquals(steps, episode.transitions());
      for (int row = 0; row <= steps; row++) {
        assertEquals(number, episode.observations()[3 * row]);
        assertEquals(row, episode.observations()[3 * row + 1]);
        assertEquals(row == 0 ? 0 : number + 0.5f, episode.actions()[2 * row]);
        assertEquals(row == 0 ? 0 : row - 1, episode.actions()[2 * row + 1]);
        boolean ended = row == steps && number % 2 == 0;
        assertEquals(ended ? 0 : 1, episode.discounts()[row]);
      }
    }
  }

  @Test
  void numberedActionsAreColumnsOfOneNumber() {
    try (WritableHdfFile hdf5 = HdfFile.write(file)) {
      WritableGroup group = hdf5.putGroup("episode_0");
      group.putDataset("observations", new byte[][] {{1, 2}, {3, 4}, {5, 6}});
      group.putDataset("actions", new long[] {4, 2});
      group.putDataset("terminations", new boolean[2]);
    }
    Episode episode = importing.episodes(file).get(0);
    assertArrayEquals(new float[] {0, 4, 2}, episode.actions());
    assertArrayEquals(new float[] {1, 2, 3, 4, 5, 6}, episode.observations());
  }

  @Test
  void observationsThatAreDictionariesAreRefused() {
    try (WritableHdfFile hdf5 = HdfFile.write(file)) {
      WritableGroup group = hdf5.putGroup("episode_0");
      WritableGroup observations = group.putGroup("observations");
      observations.putDataset("achieved_goal", new float[3][2]);
      group.putDataset("actions", new float[2][1]);
      group.putDataset("terminations", new boolean[2]);
    }
    importing.refused(
        file,
        null,
        file + ", episode_0/observations: expected an array, found a group",
        "flatten them first");
  }

  @ParameterizedTest
  @ValueSource(strings = {"observations", "terminations"})
  void anArrayOfAnotherLengthIsNamed(String wrong) {
    try (WritableHdfFile hdf5 = HdfFile.write(file)) {
      WritableGroup group = hdf5.putGroup("episode_0");
      group.putDataset("actions", new float[4][1]);
      group.putDataset("observations", new float[wrong.equals("observations") ? 4 : 5][2]);
      group.putDataset("terminations", new boolean[wrong.equals("terminations") ? 5 : 4]);
    }
    importing.refused(file, null, file + ", array episode_0/" + wrong + ": expected");
  }

  @Test
  void anEpisodeOfAnotherSizeIsRefused() {
    try (WritableHdfFile hdf5 = HdfFile.write(file)) {
      episode(hdf5, 0, 3).putDataset("terminations", new boolean[3]);
      WritableGroup other = hdf5.putGroup("episode_1");
      other.putDataset("observations", new float[4][5]);
      other.putDataset("actions", new float[3][2]);
      other.putDataset("terminations", new boolean[3]);
    }
    importing.refused(
        file, null, "array episode_1/observations: expected 4 rows of 3 numbers, found 4 of 5");
  }

  @Test
  void anEpisodeThatIsMissingIsNamed() {
    try (WritableHdfFile hdf5 = HdfFile.write(file)) {
      episode(hdf5, 0, 3).putDataset("terminations", new boolean[3]);
      episode(hdf5, 2, 3).putDataset("terminations", new boolean[3]);
    }
    importing.refused(file, null, "has no array 'episode_1/actions'");
  }

  @Test
  void anArrayThatIsMissingIsNamed() {
    try (WritableHdfFile hdf5 = HdfFile.write(file)) {
      episode(hdf5, 0, 3);
    }
    importing.refused(file, null, "has no array 'episode_0/terminations'");
  }

  @Test
  void numbersThatAreNoneAreRefusedByFileAndPlace() {
    try (WritableHdfFile hdf5 = HdfFile.write(file)) {
      episode(hdf5, 0, 3).putDataset("terminations", new boolean[3]);
      WritableGroup bad = hdf5.putGroup("episode_1");
      bad.putDataset("observations", new double[][] {{0, 0, 0}, {0, Double.NaN, 0}});
      bad.putDataset("actions", new float[1][2]);
      bad.putDataset("terminations", new boolean[1]);
    }
    importing.refused(file, null, file + ", episode 1: column 'observation', row 1 holds NaN");
  }
}
