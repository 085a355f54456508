package dev.psm.lab.importing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.psm.core.data.Episode;
import io.jhdf.HdfFile;
import io.jhdf.WritableHdfFile;
import io.jhdf.api.WritableGroup;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class D4rlImportTest {
  /** Keeps actions exact and within [−1, 1], where they are not scaled. */
  private static final float SCALE = 1 << 16;

  /** What is read at once. */
  private static final int BLOCK = 4096;

  @TempDir Path root;
  private Importing importing;
  private Path file;

  @BeforeEach
  void prepare() {
    importing = new Importing(root);
    file = root.resolve("hopper.hdf5");
  }

  /** How an episode of so many steps ended. */
  private record Run(int steps, boolean terminal) {}

  private static int rows(List<Run> runs) {
    return runs.stream().mapToInt(Run::steps).sum();
  }

  /** Arrays in which every number tells its row. */
  private static Map<String, Object> arrays(List<Run> runs) {
    int rows = rows(runs);
    float[][] observations = new float[rows][2];
    float[][] next = new float[rows][2];
    float[][] actions = new float[rows][1];
    boolean[] terminals = new boolean[rows];
    boolean[] timeouts = new boolean[rows];
    double[][] qpos = new double[rows][1];
    double[][] qvel = new double[rows][2];
    for (int row = 0; row < rows; row++) {
      observations[row] = new float[] {row, -row};
      next[row] = new float[] {row + 1, -row - 1};
      actions[row][0] = (row + 0.5f) / SCALE;
      qpos[row][0] = row + 1e-9;
      qvel[row] = new double[] {7, -row};
    }
    int end = 0;
    for (Run run : runs) {
      end += run.steps;
      terminals[end - 1] = run.terminal;
      timeouts[end - 1] = !run.terminal;
    }
    Map<String, Object> arrays = new TreeMap<>();
    arrays.put("observations", observations);
    arrays.put("next_observations", next);
    arrays.put("actions", actions);
    arrays.put("terminals", terminals);
    arrays.put("timeouts", timeouts);
    arrays.put("infos/qpos", qpos);
    arrays.put("infos/qvel", qvel);
    return arrays;
  }

  private void write(Map<String, Object> arrays) {
    try (WritableHdfFile hdf5 = HdfFile.write(file)) {
      WritableGroup infos = hdf5.putGroup("infos");
      arrays.forEach(
          (name, array) -> {
            if (name.startsWith("infos/")) {
              infos.putDataset(name.substring("infos/".length()), array);
            } else {
              hdf5.putDataset(name, array);
            }
          });
    }
  }

  private static List<Run> short3() {
    return List.of(new Run(3, true), new Run(1, false), new Run(2, true));
  }

  static List<List<Run>> aroundBlocks() {
    List<List<Run>> all = new ArrayList<>();
    all.add(short3());
    for (int steps : new int[] {BLOCK - 1, BLOCK, BLOCK + 1}) {
      all.add(List.of(new Run(steps, false), new Run(3, true), new Run(BLOCK + 5, true)));
    }
    return all;
  }

  @ParameterizedTest
  @MethodSource("aroundBlocks")
  void withSuccessorsEveryActionLeadsSomewhere(List<Run> runs) {
    write(arrays(runs));
    List<Episode> episodes = importing.episodes(file);
    assertEquals(runs.size(), episodes.size());
    int first = 0;
    for (int i = 0; i < runs.size(); i++) {
      Run run = runs.get(i);
      Episode episode = episodes.get(i);
      assertEquals(run.steps, episode.transitions());
      assertEquals(0, episode.physics().length, "the last state's physics is unknown");
      for (int row = 0; row <= run.steps; row++) {
        assertEquals(first + row, episode.observations()[2 * row]);
        assertEquals(-first - row, episode.observations()[2 * row + 1]);
        assertEquals(row == 0 ? 0 : (first + row - 0.5f) / SCALE, episode.actions()[row]);
        boolean over = row == run.steps && run.terminal;
        assertEquals(over ? 0 : 1, episode.discounts()[row]);
      }
      first += run.steps;
    }
  }

  @ParameterizedTest
  @MethodSource("aroundBlocks")
  void withoutSuccessorsTheLastActionIsDropped(List<Run> runs) {
    Map<String, Object> arrays = arrays(runs);
    arrays.remove("next_observations");
    write(arrays);
    List<Episode> episodes = importing.episodes(file);
    int first = 0;
    int found = 0;
    for (Run run : runs) {
      if (run.steps > 1) {
        Episode episode = episodes.get(found++);
        assertEquals(run.steps - 1, episode.transitions());
        for (int row = 0; row < run.steps; row++) {
          assertEquals(first + row, episode.observations()[2 * row]);
          assertEquals(row == 0 ? 0 : (first + row - 0.5f) / SCALE, episode.actions()[row]);
          assertEquals(1, episode.discounts()[row]);
          assertEquals(first + row + 1e-9, episode.physics()[3 * row]);
          assertEquals(7, episode.physics()[3 * row + 1]);
          assertEquals(-first - row, episode.physics()[3 * row + 2]);
        }
      }
      first += run.steps;
    }
    assertEquals(found, episodes.size());
  }

  @Test
  void withoutTimeoutsOnlyTerminalsEndEpisodes() {
    Map<String, Object> arrays = arrays(short3());
    arrays.remove("timeouts");
    write(arrays);
    List<Episode> episodes = importing.episodes(file);
    assertEquals(List.of(3, 3), episodes.stream().map(Episode::transitions).toList());
  }

  @Test
  void withoutTimeoutsAnEpisodeAlsoEndsWhereTheNextRowDoesNotFollow() {
    Map<String, Object> arrays = arrays(List.of(new Run(5, true)));
    arrays.remove("timeouts");
    ((float[][]) arrays.get("next_observations"))[1] = new float[] {99, 98};
    write(arrays);
    List<Episode> episodes = importing.episodes(file);
    assertEquals(List.of(2, 3), episodes.stream().map(Episode::transitions).toList());
    assertEquals(99, episodes.get(0).observations()[4]);
    assertEquals(1, episodes.get(0).discounts()[2]);
    assertEquals(2, episodes.get(1).observations()[0]);
    assertEquals(0, episodes.get(1).actions()[0]);
  }

  @Test
  void withNeitherTimeoutsNorSuccessorsTheEndsCannotBeTold() {
    Map<String, Object> arrays = arrays(short3());
    arrays.remove("timeouts");
    arrays.remove("next_observations");
    write(arrays);
    importing.refused(file, null, "neither timeouts nor next_observations");
  }

  @Test
  void theFilesEndCutsTheLastEpisode() {
    Map<String, Object> arrays = arrays(short3());
    arrays.put("terminals", new float[6]);
    arrays.put("timeouts", new byte[6]);
    write(arrays);
    Episode episode = importing.episodes(file).get(0);
    assertEquals(6, episode.transitions());
    assertEquals(1, episode.discounts()[6]);
  }

  @Test
  void truthValuesMayBeNumbers() {
    for (Object terminals :
        List.of(
            new byte[] {0, 0, 1, 0, 0, 1},
            new double[] {0, 0, 1, 0, 0, 1},
            new long[][] {{0}, {0}, {1}, {0}, {0}, {1}})) {
      importing = new Importing(root.resolve(terminals.getClass().getSimpleName()));
      Map<String, Object> arrays = arrays(short3());
      arrays.put("terminals", terminals);
      write(arrays);
      assertEquals(3, importing.episodes(file).size());
    }
  }

  /** The fixture's README tells how it was made. */
  @Test
  void truthValuesMayBeWhatH5pyMakesOfThem() throws URISyntaxException {
    Path truths = Path.of(D4rlImportTest.class.getResource("truths.hdf5").toURI());
    List<Episode> episodes = importing.episodes(truths);
    assertEquals(List.of(3, 2), episodes.stream().map(Episode::transitions).toList());
    assertArrayEquals(new float[] {1, 1, 1, 0}, episodes.get(0).discounts());
    assertArrayEquals(new float[] {1, 1, 1}, episodes.get(1).discounts());
    assertArrayEquals(new float[] {0, 1, 2, 3, 4, 5, 104, 105}, episodes.get(0).observations());
    assertArrayEquals(new float[] {0, 0.3f, 0.4f}, episodes.get(1).actions());
  }

  @ParameterizedTest
  @ValueSource(strings = {"observations", "actions", "terminals"})
  void anArrayThatIsMissingIsNamed(String missing) {
    Map<String, Object> arrays = arrays(short3());
    arrays.remove(missing);
    write(arrays);
    importing.refused(file, null, file + " has no array '" + missing + "'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"next_observations", "actions", "terminals", "timeouts"})
  void anArrayOfAnotherLengthIsNamed(String shorter) {
    Map<String, Object> arrays = arrays(short3());
    arrays.put(shorter, new float[5][1]);
    write(arrays);
    importing.refused(
        file, null, file + ", array " + shorter + ": expected 6 rows as in observations, found 5");
  }

  @ParameterizedTest
  @ValueSource(strings = {"next_observations", "terminals", "timeouts"})
  void anArrayOfAnotherWidthIsNamed(String wider) {
    Map<String, Object> arrays = arrays(short3());
    arrays.put(wider, new float[6][3]);
    write(arrays);
    importing.refused(file, null, file + ", array " + wider + ": expected", "found 3");
  }

  @Test
  void physicsOfAnotherLengthIsRefused() {
    Map<String, Object> arrays = arrays(short3());
    arrays.remove("next_observations");
    arrays.put("infos/qvel", new double[4][2]);
    write(arrays);
    importing.refused(file, null, "array infos/qvel: expected 6 rows");
  }

  @Test
  void textInsteadOfNumbersIsRefused() {
    Map<String, Object> arrays = arrays(short3());
    arrays.put("actions", new String[] {"a", "b", "c", "d", "e", "f"});
    write(arrays);
    importing.refused(file, null, file + ", array actions: expected numbers, found a");
  }

  @Test
  void aSingleNumberIsNotAnArrayOfRows() {
    Map<String, Object> arrays = arrays(short3());
    arrays.put("observations", 7.0);
    write(arrays);
    importing.refused(file, null, file + ", array observations: expected rows");
  }

  @Test
  void numbersThatAreNoneAreRefusedByFileAndPlace() {
    Map<String, Object> arrays = arrays(short3());
    ((float[][]) arrays.get("actions"))[1][0] = Float.NaN;
    write(arrays);
    importing.refused(file, null, file + ", episode 0: column 'action', row 2 holds NaN");
  }

  @Test
  void oneStepEpisodesWithoutSuccessorsHoldNothing() {
    Map<String, Object> arrays = arrays(List.of(new Run(1, true), new Run(1, true)));
    arrays.remove("next_observations");
    write(arrays);
    importing.refused(file, null, file.toString(), "holds no transition");
  }
}
