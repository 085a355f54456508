package dev.psm.lab.importing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.psm.core.data.Episode;
import dev.psm.core.io.numpy.NpzWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class OgBenchImportTest {
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
    file = root.resolve("maze.npz");
  }

  /** Trajectories of so many states, every number of which tells its row. */
  private static final class Rows {
    final int rows;
    final float[] observations;
    final float[] actions;
    final float[] terminals;
    final double[] qpos;
    final double[] qvel;

    Rows(int... states) {
      rows = Arrays.stream(states).sum();
      observations = new float[2 * rows];
      actions = new float[rows];
      terminals = new float[rows];
      qpos = new double[2 * rows];
      qvel = new double[rows];
      for (int row = 0; row < rows; row++) {
        observations[2 * row] = row;
        observations[2 * row + 1] = -row;
        actions[row] = (row + 0.5f) / SCALE;
        qpos[2 * row] = row + 1e-9;
        qpos[2 * row + 1] = 3;
        qvel[row] = -row;
      }
      int end = 0;
      for (int count : states) {
        end += count;
        terminals[end - 1] = 1;
      }
    }

    NpzWriter npz() {
      return NpzWriter.deflated()
          .add("observations", observations, rows, 2)
          .add("actions", actions, rows, 1);
    }

    NpzWriter npzWithPhysics() {
      return npz().add("qpos", qpos, rows, 2).add("qvel", qvel, rows, 1);
    }
  }

  private static void assertRows(int[] states, List<Episode> episodes, boolean physics) {
    assertEquals(states.length, episodes.size());
    int first = 0;
    for (int i = 0; i < states.length; i++) {
      Episode episode = episodes.get(i);
      assertEquals(states[i], episode.rows(), "of trajectory " + i);
      for (int row = 0; row < states[i]; row++) {
        int source = first + row;
        assertEquals(source, episode.observations()[2 * row]);
        assertEquals(-source, episode.observations()[2 * row + 1]);
        // The action taken in the state before; the trajectory's last leads nowhere.
        assertEquals(row == 0 ? 0 : (source - 0.5f) / SCALE, episode.actions()[row]);
        assertEquals(1, episode.discounts()[row]);
        if (physics) {
          assertEquals(source + 1e-9, episode.physics()[3 * row]);
          assertEquals(3, episode.physics()[3 * row + 1]);
          assertEquals(-source, episode.physics()[3 * row + 2]);
        }
      }
      first += states[i];
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void actionsMoveToTheStateTheyLedTo(boolean physics) {
    int[] states = {4, 2, 3};
    Rows rows = new Rows(states);
    (physics ? rows.npzWithPhysics() : rows.npz())
        .add("terminals", rows.terminals, rows.rows)
        .write(file);
    DatasetImport.Result result = importing.run(file, null, "elsewhere");
    assertEquals("ogbench", result.format());
    assertEquals(physics ? 3 : 0, result.columns().physics());
    assertEquals(6, result.transitions());
    assertRows(states, importing.stored(), physics);
  }

  @Test
  void terminalsMayBeTruthValues() {
    int[] states = {2, 5};
    Rows rows = new Rows(states);
    boolean[] terminals = new boolean[7];
    terminals[1] = true;
    terminals[6] = true;
    rows.npz().add("terminals", terminals, 7).write(file);
    assertRows(states, importing.episodes(file), false);
  }

  @Test
  void theFilesEndEndsTheLastTrajectory() {
    Rows rows = new Rows(3, 3);
    rows.terminals[5] = 0;
    rows.npz().add("terminals", rows.terminals, 6).write(file);
    assertRows(new int[] {3, 3}, importing.episodes(file), false);
  }

  static List<int[]> aroundBlocks() {
    List<int[]> all = new ArrayList<>();
    for (int states : new int[] {BLOCK - 1, BLOCK, BLOCK + 1}) {
      all.add(new int[] {states, 3, 2 * BLOCK, 2});
    }
    return all;
  }

  @ParameterizedTest
  @MethodSource("aroundBlocks")
  void bordersOfBlocksLeaveNoTrace(int[] states) {
    Rows rows = new Rows(states);
    rows.npzWithPhysics().add("terminals", rows.terminals, rows.rows).write(file);
    assertRows(states, importing.episodes(file), true);
  }

  @Test
  void anArrayThatIsMissingIsNamed() {
    new Rows(3).npz().write(file);
    importing.refused(file, null, file.toString(), "has no array 'terminals'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"actions", "terminals", "qpos", "qvel"})
  void anArrayOfAnotherLengthIsNamed(String shorter) {
    Rows rows = new Rows(3, 3);
    NpzWriter npz = NpzWriter.stored().add("observations", rows.observations, 6, 2);
    for (String name : List.of("actions", "terminals", "qpos", "qvel")) {
      int count = name.equals(shorter) ? 5 : 6;
      npz.add(name, new float[count], count, 1);
    }
    npz.write(file);
    importing.refused(
        file, null, file.toString(), "array " + shorter + ": expected 6 rows as in observations");
  }

  @Test
  void terminalsOfSeveralNumbersAreRefused() {
    new Rows(4).npz().add("terminals", new float[8], 4, 2).write(file);
    importing.refused(file, null, "array terminals: expected one number a row");
  }

  @Test
  void aTrajectoryOfOneStateIsRefusedByRow() {
    Rows rows = new Rows(3, 1, 3);
    rows.npz().add("terminals", rows.terminals, 7).write(file);
    importing.refused(file, null, file.toString(), "row 3: a trajectory of a single state");
  }

  @Test
  void numbersThatAreNoneAreRefusedByFileAndPlace() {
    Rows rows = new Rows(3, 3);
    rows.observations[2 * 4] = Float.NaN;
    rows.npz().add("terminals", rows.terminals, 6).write(file);
    importing.refused(file, null, file + ", episode 1: column 'observation', row 1 holds NaN");
  }

  @Test
  void aFileWithoutRowsIsRefused() {
    NpzWriter.stored()
        .add("observations", new float[0], 0, 2)
        .add("actions", new float[0], 0, 1)
        .add("terminals", new float[0], 0)
        .write(file);
    importing.refused(file, null, file.toString(), "holds no transition");
  }

  @Test
  void damagedFilesAreRefusedByName() throws IOException {
    Rows rows = new Rows(300);
    rows.npz().add("terminals", rows.terminals, 300).write(file);
    byte[] sound = Files.readAllBytes(file);
    byte[] flipped = sound.clone();
    flipped[200] ^= 0x10;
    for (byte[] damaged : List.of(new byte[0], Arrays.copyOf(sound, sound.length - 9), flipped)) {
      Files.write(file, damaged);
      importing.refused(file, null, file.toString());
    }
    Files.write(file, sound);
    assertArrayEquals(rows.observations, importing.episodes(file).get(0).observations());
  }

  @Test
  void aFolderIsNotAFile() {
    importing.refused(root, "ogbench", root.toString());
  }
}
