package dev.psm.lab.importing;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.Seeds;
import dev.psm.core.data.Dataset;
import dev.psm.core.data.Episode;
import dev.psm.core.io.numpy.NpzWriter;
import dev.psm.lab.Progress;
import dev.psm.lab.collect.StoredRewards;
import dev.psm.lab.compute.LocalWorkers;
import dev.psm.lab.compute.WorkContext;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ExoRlImportTest {
  private static final int STEPS = 5;

  @TempDir Path root;
  private Importing importing;
  private Path folder;

  @BeforeEach
  void prepare() throws IOException {
    importing = new Importing(root);
    folder = Files.createDirectory(root.resolve("buffer"));
  }

  private static Path byNumpy() throws URISyntaxException {
    return Path.of(ExoRlImportTest.class.getResource("exorl").toURI());
  }

  private void write(String name, NpzWriter npz) {
    npz.write(folder.resolve(name));
  }

  private void refused(String... words) {
    importing.refusedFor("walker", folder, null, words);
  }

  @Test
  void whatNumpySavedIsImportedToTheBit() throws URISyntaxException {
    DatasetImport.Result result = importing.run(byNumpy(), null, "walker");
    assertEquals("exorl", result.format());
    assertEquals(2, result.episodes());
    assertEquals(2 * STEPS, result.transitions());
    List<Episode> episodes = importing.stored();
    for (int i = 0; i < 2; i++) {
      assertRows(new WalkerRows(STEPS, i), episodes.get(i), 1e-6);
    }
  }

  @Test
  void whatOurWriterSavedIsImportedToTheBitAndInTheOrderOfNames() {
    write("episode_000001_9.npz", new WalkerRows(9, 1).npz());
    write("episode_000000_5.npz", new WalkerRows(5, 0).npz());
    importing.run(folder, "exorl", "walker");
    List<Episode> episodes = importing.stored();
    assertRows(new WalkerRows(5, 0), episodes.get(0), 0);
    assertRows(new WalkerRows(9, 1), episodes.get(1), 0);
  }

  /**
   * Rows are not shifted: they are ours already.
   *
   * @param tolerance for what another machine's simulation may differ in
   */
  private static void assertRows(WalkerRows rows, Episode episode, double tolerance) {
    assertArrayEquals(rows.observations, episode.observations(), (float) tolerance);
    assertArrayEquals(rows.actions, episode.actions());
    assertArrayEquals(rows.discounts, episode.discounts());
    assertArrayEquals(rows.physics, episode.physics(), tolerance);
    assertArrayEquals(rows.rewards, episode.extras().get("reward"), (float) tolerance);
  }

  @Test
  void storedRewardsAreThoseOfTheStateThatTheStepLedTo() throws URISyntaxException {
    importing.run(byNumpy(), null, "walker");
    try (Dataset dataset = Dataset.open(importing.out())) {
      WorkContext context = new WorkContext(Progress.SILENT, note -> {}, () -> false);
      LocalWorkers workers = new LocalWorkers(1);
      StoredRewards walk = StoredRewards.compare(dataset, "walk", workers, context);
      assertTrue(walk.largest() < 1e-6, walk.toString());
      assertTrue(walk.mean() <= walk.largest(), walk.toString());
      assertTrue(walk.meanOneEarlier() > 1e-3, walk.toString());
      StoredRewards stand = StoredRewards.compare(dataset, "stand", workers, context);
      assertTrue(stand.mean() > 1e-3, "another task's rewards are others: " + stand);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void rewardsThatHaveNothingToDoWithTheirStatesAreTold(boolean noise) {
    WalkerRows rows = new WalkerRows(400, 0);
    for (int row = 1; noise && row < rows.rows; row++) {
      rows.rewards[row] = Seeds.generator(Seeds.mix(0, row, "noise")).nextFloat();
    }
    write("episode.npz", rows.npz());
    importing.run(folder, null, "walker");
    try (Dataset dataset = Dataset.open(importing.out())) {
      WorkContext context = new WorkContext(Progress.SILENT, note -> {}, () -> false);
      StoredRewards walk = StoredRewards.compare(dataset, "walk", new LocalWorkers(1), context);
      assertEquals(noise, walk.areUnrelated(), walk.toString());
      assertFalse(walk.areLate(), walk.toString());
    }
  }

  /** Rarely paid rewards, of which none is stored, differ as much from the states before. */
  @Test
  void rewardsAreLateOnlyWhereTheStatesBeforeFitClearlyBetter() {
    assertFalse(new StoredRewards(1, 0.05, 0.0499, 0.05, 1).areLate());
    assertTrue(new StoredRewards(1, 0.05, 1e-8, 0.06, 1).areLate());
  }

  @Test
  void rewardsAndPhysicsMayBeMissing() {
    WalkerRows rows = new WalkerRows(STEPS, 0);
    write(
        "episode.npz",
        NpzWriter.stored()
            .add("observation", rows.observations, rows.rows, 24)
            .add("action", rows.actions, rows.rows, 6)
            .add("discount", rows.discounts, rows.rows));
    DatasetImport.Result result = importing.run(folder, null, "walker");
    assertEquals(0, result.columns().physics());
    assertTrue(result.columns().extras().isEmpty());
    assertArrayEquals(rows.observations, importing.stored().get(0).observations());
  }

  @Test
  void otherFilesInTheFolderDoNotMatter() throws IOException {
    Files.createDirectory(folder.resolve("video"));
    Files.writeString(folder.resolve("notes.txt"), "mine");
    write("episode.npz", new WalkerRows(STEPS, 0).npz());
    assertEquals(1, importing.run(folder, null, "walker").episodes());
  }

  @ParameterizedTest
  @ValueSource(strings = {"observation", "action", "discount", "physics", "reward"})
  void anArrayThatIsMissingIsNamed(String missing) {
    write("a.npz", new WalkerRows(STEPS, 0).npz());
    write("b.npz", without(missing).npz(0));
    refused("b.npz has no array '" + missing + "'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"observation", "action", "discount", "physics", "reward"})
  void anArrayOfAnotherLengthIsNamed(String shorter) {
    write("a.npz", new WalkerRows(STEPS, 0).npz());
    write("b.npz", without(shorter).npz(STEPS));
    // The observations decide how many rows there are.
    String named = shorter.equals("observation") ? "action" : shorter;
    refused("b.npz, array " + named + ": expected", "rows of");
  }

  private interface Partly {
    /** The episode with that many rows of one array; with none, without the array. */
    NpzWriter npz(int rows);
  }

  private static Partly without(String name) {
    WalkerRows all = new WalkerRows(STEPS, 0);
    return rows -> {
      NpzWriter npz = NpzWriter.deflated();
      add(npz, "observation", all.observations, 24, name, rows);
      add(npz, "action", all.actions, 6, name, rows);
      add(npz, "reward", all.rewards, 1, name, rows);
      add(npz, "discount", all.discounts, 1, name, rows);
      if (!name.equals("physics")) {
        npz.add("physics", all.physics, STEPS + 1, 18);
      } else if (rows > 0) {
        npz.add("physics", Arrays.copyOf(all.physics, rows * 18), rows, 18);
      }
      return npz;
    };
  }

  private static void add(
      NpzWriter npz, String name, float[] values, int width, String cut, int rows) {
    if (!name.equals(cut)) {
      npz.add(name, values, STEPS + 1, width);
    } else if (rows > 0) {
      npz.add(name, Arrays.copyOf(values, rows * width), rows, width);
    }
  }

  @Test
  void episodesOfAnotherRobotAreRefusedAmongTheRest() {
    write("a.npz", new WalkerRows(STEPS, 0).npz());
    write(
        "b.npz",
        NpzWriter.stored()
            .add("observation", new float[6 * 17], 6, 17)
            .add("action", new float[36], 6, 6)
            .add("discount", new float[6], 6)
            .add("reward", new float[6], 6)
            .add("physics", new double[108], 6, 18));
    refused("b.npz, array observation: expected 6 rows of 24 numbers");
  }

  @Test
  void numbersThatAreNoneAreRefusedByPlace() {
    WalkerRows rows = new WalkerRows(STEPS, 0);
    write("a.npz", rows.npz());
    rows.observations[24 * 3 + 2] = Float.NaN;
    write("b.npz", rows.npz());
    refused("b.npz, episode 1: column 'observation', row 3 holds NaN");
    rows.observations[24 * 3 + 2] = 0;
    rows.physics[18 * 2] = Double.POSITIVE_INFINITY;
    write("b.npz", rows.npz());
    refused("b.npz, episode 1: column 'physics', row 2 holds Infinity");
  }

  @Test
  void aFirstRowThatHoldsAnActionIsRefused() {
    WalkerRows rows = new WalkerRows(STEPS, 0);
    rows.actions[0] = 0.5f;
    write("a.npz", rows.npz());
    refused("a.npz, episode 0: column 'action', row 0", "no step leads to an episode's first row");
  }

  @Test
  void anEpisodeWithoutAStepIsRefused() {
    write("a.npz", new WalkerRows(0, 0).npz());
    refused("a.npz", "at least 2");
  }

  @Test
  void anEmptyFolderIsRefused() {
    refused(folder.toString(), "holds no .npz file; ExoRL has one per episode");
  }

  @Test
  void aFileIsNotAFolder() throws IOException {
    Path file = Files.writeString(root.resolve("file"), "x");
    importing.refused(file, "exorl", file.toString(), "is no folder");
  }

  @Test
  void damagedFilesAreRefusedByName() throws IOException {
    write("a.npz", new WalkerRows(STEPS, 0).npz());
    write("b.npz", new WalkerRows(STEPS, 1).npz());
    byte[] sound = Files.readAllBytes(folder.resolve("b.npz"));
    byte[] flipped = sound.clone();
    flipped[sound.length / 2] ^= 0x10;
    for (byte[] damaged :
        List.of(
            new byte[0],
            Arrays.copyOf(sound, sound.length / 2),
            flipped,
            "text".getBytes(US_ASCII))) {
      Files.write(folder.resolve("b.npz"), damaged);
      refused(folder.resolve("b.npz").toString());
    }
  }
}
