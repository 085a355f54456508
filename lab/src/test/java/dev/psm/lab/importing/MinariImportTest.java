package dev.psm.lab.importing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.data.Episode;
import dev.psm.core.env.ActionScaling;
import dev.psm.core.env.Space;
import dev.psm.core.io.Json;
import dev.psm.core.reward.Quantity;
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
        actions[row] = new float[] {number / 16f, row / 16f};
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
        assertEquals(row == 0 ? 0 : number / 16f, episode.actions()[2 * row]);
        assertEquals(row == 0 ? 0 : (row - 1) / 16f, episode.actions()[2 * row + 1]);
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
    assertEquals(new Space.Discrete(5), importing.world().actionSpace());
    assertArrayEquals(new float[] {1, 2, 3, 4, 5, 6}, episode.observations());
  }

  /** Two transitions, with whatever is observed. */
  private static WritableGroup dictionary(WritableHdfFile hdf5, String name) {
    WritableGroup group = hdf5.putGroup(name);
    group.putDataset("actions", new float[2][1]);
    group.putDataset("terminations", new boolean[2]);
    return group.putGroup("observations");
  }

  @Test
  void dictionariesAreJoinedInTheOrderOfTheirKeys() {
    try (WritableHdfFile hdf5 = HdfFile.write(file)) {
      WritableGroup observations = dictionary(hdf5, "episode_0");
      observations.putDataset("time", new double[] {10, 11, 12});
      observations.putDataset("goal", new float[][] {{1, 2}, {3, 4}, {5, 6}});
      WritableGroup arm = observations.putGroup("arm-left");
      arm.putDataset("q", new int[][] {{7}, {8}, {9}});
      for (int i = 10; i >= 9; i--) {
        arm.putDataset("_index_" + i, new float[] {i, i, i});
      }
    }
    Episode episode = importing.episodes(file).get(0);
    assertArrayEquals(
        new float[] {7, 9, 10, 1, 2, 10, 8, 9, 10, 3, 4, 11, 9, 9, 10, 5, 6, 12},
        episode.observations());
    assertEquals(
        List.of(
            "arm_left_q_0", "arm_left__index_9", "arm_left__index_10", "goal_0", "goal_1", "time"),
        importing.world().quantities().stream().map(Quantity::name).toList());
  }

  @Test
  void anEpisodeWithOtherKeysIsNamed() {
    try (WritableHdfFile hdf5 = HdfFile.write(file)) {
      dictionary(hdf5, "episode_0").putDataset("goal", new float[3][2]);
      dictionary(hdf5, "episode_1").putDataset("gaol", new float[3][2]);
    }
    importing.refused(
        file,
        null,
        file + ", episode_1: expected the arrays [/observations/goal] as in episode_0",
        "found [/observations/gaol]");
  }

  @Test
  void anArrayOfADictionaryHasTheSameSizeInEveryEpisode() {
    try (WritableHdfFile hdf5 = HdfFile.write(file)) {
      dictionary(hdf5, "episode_0").putDataset("goal", new float[3][2]);
      dictionary(hdf5, "episode_1").putDataset("goal", new float[3][4]);
    }
    importing.refused(
        file,
        null,
        "array episode_1/observations/goal: expected 3 rows of 2 numbers, found 3 of 4");
  }

  @Test
  void keysThatBecomeOneNameAreTold() {
    try (WritableHdfFile hdf5 = HdfFile.write(file)) {
      WritableGroup observations = dictionary(hdf5, "episode_0");
      observations.putDataset("a-b", new float[3]);
      observations.putDataset("a_b", new float[3]);
    }
    importing.refused(file, null, "the name 'a_b' is there twice", "names: ");
  }

  @Test
  void anEmptyDictionaryIsTold() {
    try (WritableHdfFile hdf5 = HdfFile.write(file)) {
      dictionary(hdf5, "episode_0");
    }
    importing.refused(file, null, "episode_0/observations: expected arrays, found an empty group");
  }

  @Test
  void actionsThatAreDictionariesAreRefused() {
    try (WritableHdfFile hdf5 = HdfFile.write(file)) {
      WritableGroup group = hdf5.putGroup("episode_0");
      group.putDataset("observations", new float[3][1]);
      group.putGroup("actions").putDataset("push", new float[2]);
      group.putDataset("terminations", new boolean[2]);
    }
    importing.refused(file, null, "episode_0/actions: expected an array, found a group", "flatten");
  }

  private void writeActions(Object actions, String space) throws IOException {
    try (WritableHdfFile hdf5 = HdfFile.write(file)) {
      WritableGroup group = hdf5.putGroup("episode_0");
      group.putDataset("observations", new float[3][1]);
      group.putDataset("actions", actions);
      group.putDataset("rewards", new float[] {0.5f, 2});
      group.putDataset("terminations", new boolean[2]);
    }
    if (space != null) {
      ObjectNode metadata = Json.object().put("action_space", space);
      Json.write(file.resolveSibling("metadata.json"), metadata);
    }
  }

  @Test
  void actionsAreScaledByTheBoundsThatMinariTells() throws IOException {
    writeActions(
        new float[][] {{5, 0.5f, 9}, {-10, 0, 3}},
        "{\"type\": \"Box\", \"low\": [-10, 0, -Infinity], \"high\": [10, 1, Infinity]}");
    assertArrayEquals(
        new float[] {0, 0, 0, 0.5f, 0, 1, -1, -1, -1}, importing.episodes(file).get(0).actions());
    assertArrayEquals(new float[] {0, 0.5f, 2}, importing.stored().get(0).extras().get("reward"));
    Space.Box units = (Space.Box) importing.world().actionUnits();
    assertArrayEquals(new float[] {-10, 0, 3}, units.low());
    assertArrayEquals(new float[] {10, 1, 9}, units.high());
    assertArrayEquals(
        new float[] {5, 0.5f, 9, -10, 0, 3},
        ActionScaling.of(importing.world())
            .orElseThrow()
            .toUnits(new float[] {0.5f, 0, 1, -1, -1, -1}));
  }

  @Test
  void withoutBoundsTheDataHasSome() throws IOException {
    writeActions(new float[][] {{5, 0.5f, 7}, {-10, 0, 7}}, "broken");
    assertArrayEquals(
        new float[] {0, 0, 0, 1, 0.5f, 0, -1, 0, 0}, importing.episodes(file).get(0).actions());
    Space.Box units = (Space.Box) importing.world().actionUnits();
    assertArrayEquals(new float[] {-10, -1, 7}, units.low());
    assertArrayEquals(new float[] {5, 1, 7}, units.high());
  }

  @Test
  void numberedActionsHaveAsManyAsMinariTells() throws IOException {
    writeActions(new long[] {4, 2}, "{\"type\": \"Discrete\", \"start\": 0, \"n\": 7}");
    assertArrayEquals(new float[] {0, 4, 2}, importing.episodes(file).get(0).actions());
    assertEquals(new Space.Discrete(7), importing.world().actionSpace());
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
      bad.putDataset("rewards", new float[1]);
      bad.putDataset("terminations", new boolean[1]);
    }
    importing.refused(file, null, file + ", episode 1: column 'observation', row 1 holds NaN");
  }
}
