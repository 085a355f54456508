package dev.psm.lab.collect;

import static dev.psm.lab.collect.Collecting.MAZE;
import static dev.psm.lab.collect.Collecting.TINY;
import static dev.psm.lab.collect.Collecting.refused;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.agents.rnd.RndSettings;
import dev.psm.core.data.Columns;
import dev.psm.core.data.Dataset;
import dev.psm.core.data.DatasetDescription;
import dev.psm.core.data.DatasetWriter;
import dev.psm.core.data.Episode;
import dev.psm.core.env.World;
import dev.psm.core.env.Worlds;
import dev.psm.core.io.Json;
import dev.psm.core.settings.Settings;
import dev.psm.lab.Progress;
import dev.psm.lab.collect.Collecting.Policy;
import dev.psm.mujoco.MujocoLibrary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class CollectionTest {
  @TempDir Path root;

  private static Collection.Plan plan(long steps, int environments, int threads, long seed) {
    return new Collection.Plan(steps, environments, threads, seed);
  }

  private static Collection.Result random(long steps, Path folder) {
    return Collection.atRandom(MAZE, plan(steps, 2, 1, 5), folder, Progress.SILENT);
  }

  @Test
  void wholeEpisodesAreStoredUntilThereAreEnoughSteps() {
    Collection.Result result = random(2001, root);
    assertEquals(0, result.stored());
    assertEquals(3000, result.added());
    assertEquals(0, result.divergences());
    assertEquals(Map.of(), result.metrics());
    assertTrue(
        result.physicsSeconds() + result.explorerSeconds() + result.writingSeconds()
            <= result.seconds());
    try (Dataset dataset = Dataset.open(root)) {
      assertEquals(3, dataset.episodes());
      assertEquals(3000, dataset.transitions());
      assertEquals(3003, dataset.rows());
      DatasetDescription description = dataset.description();
      assertEquals("point_mass_maze", description.environment());
      assertEquals("random", description.collector());
      assertEquals(MujocoLibrary.load().engine(), description.engine());
      assertEquals(5, description.seed());
      assertEquals("{\"environments\":2}", Json.line(description.settings()));
    }
  }

  @Test
  void aRowHoldsAStateTheActionThatLedThereAndThePhysicsBehindIt() {
    random(2000, root);
    List<Episode> episodes = Collecting.episodes(root);
    for (Episode episode : episodes) {
      assertEquals(1001, episode.rows());
      for (float discount : episode.discounts()) {
        assertEquals(1, discount);
      }
      // The maze's observation is its physics.
      for (int i = 0; i < episode.physics().length; i++) {
        assertEquals((float) episode.physics()[i], episode.observations()[i]);
      }
      assertArrayEquals(new float[2], Arrays.copyOf(episode.actions(), 2));
      for (int i = 2; i < episode.actions().length; i++) {
        assertTrue(episode.actions()[i] != 0 && Math.abs(episode.actions()[i]) <= 1);
      }
    }
    // The ball speeds up towards where it was just pushed.
    Episode first = episodes.get(0);
    double[] agreement = new double[2];
    for (int row = 1; row < first.rows(); row++) {
      double change = first.physics()[4 * row + 2] - first.physics()[4 * row - 2];
      agreement[0] += change * first.actions()[2 * row];
      agreement[1] += row == 1 ? 0 : change * first.actions()[2 * row - 2];
    }
    assertTrue(agreement[0] > 3 * Math.abs(agreement[1]), Arrays.toString(agreement));
    assertNotEquals(first.physics()[0], episodes.get(1).physics()[0], "starts differ");
  }

  @ParameterizedTest
  @EnumSource
  void threadsLeaveNoTraceInTheFiles(Policy policy) throws IOException {
    policy.collect(MAZE, plan(6000, 3, 1, 9), root.resolve("one"), Progress.SILENT);
    policy.collect(MAZE, plan(6000, 3, 2, 9), root.resolve("two"), Progress.SILENT);
    Map<String, byte[]> one = files(root.resolve("one"));
    Map<String, byte[]> two = files(root.resolve("two"));
    assertEquals(one.keySet(), two.keySet());
    assertEquals(3, one.size(), "two chunks and a checkpoint");
    one.forEach((name, bytes) -> assertArrayEquals(bytes, two.get(name), name));
  }

  /** All but the manifest, which tells the time. */
  private static Map<String, byte[]> files(Path folder) throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    try (Stream<Path> listed = Files.list(folder)) {
      for (Path file : listed.toList()) {
        String name = file.getFileName().toString();
        if (!name.equals("dataset.json") && !name.equals(".lock")) {
          files.put(name, Files.readAllBytes(file));
        }
      }
    }
    return files;
  }

  @Test
  void theSeedAndThePolicyDecideWhatHappens() {
    random(1000, root.resolve("a"));
    Collection.atRandom(MAZE, plan(1000, 2, 1, 6), root.resolve("b"), Progress.SILENT);
    Collection.byCuriosity(MAZE, plan(4000, 2, 1, 5), TINY, root.resolve("c"), Progress.SILENT);
    float[] one = Collecting.episodes(root.resolve("a")).get(0).actions();
    assertFalse(Arrays.equals(one, Collecting.episodes(root.resolve("b")).get(0).actions()));
    List<Episode> curious = Collecting.episodes(root.resolve("c"));
    assertFalse(Arrays.equals(one, curious.get(0).actions()));
    try (Dataset dataset = Dataset.open(root.resolve("c"))) {
      assertEquals("rnd", dataset.description().collector());
      assertEquals(16, dataset.description().settings().path("width").asInt());
    }
  }

  @Test
  void curiosityLearnsAndSaysSo() {
    List<String> notes = new ArrayList<>();
    Progress progress =
        (label, total) ->
            new Progress.Bar() {
              @Override
              public void update(long done, String note) {
                assertTrue(done <= total);
                notes.add(note);
              }

              @Override
              public void close() {
                notes.add("closed");
              }
            };
    Collection.Result result =
        Collection.byCuriosity(MAZE, plan(4000, 2, 1, 0), TINY, root, progress);
    assertTrue(result.metrics().get("rnd_loss") > 0);
    assertEquals("", notes.get(0));
    assertTrue(notes.get(1999).startsWith("intrinsic reward "), notes.get(1999));
    // The round before anything is learned has a bar of its own.
    assertEquals(2002, notes.size());
  }

  @Test
  void aFinishedCollectionIsLeftAlone() throws IOException {
    random(2000, root);
    Map<String, byte[]> before = files(root);
    Collection.Result again =
        Collection.atRandom(
            MAZE,
            plan(1500, 2, 1, 5),
            root,
            (label, total) -> {
              throw new AssertionError("there is nothing to show progress of");
            });
    assertEquals(2000, again.stored());
    assertEquals(0, again.added());
    files(root).forEach((name, bytes) -> assertArrayEquals(before.get(name), bytes));
  }

  @Test
  void anotherCollectionsFolderIsRefusedByWhatDiffers() {
    random(1000, root);
    World cheetah = Worlds.named("cheetah");
    Progress silent = Progress.SILENT;
    refused(
        () -> Collection.atRandom(cheetah, plan(2000, 2, 1, 5), root, silent),
        root.toString(),
        "environment point_mass_maze, not cheetah");
    refused(() -> Collection.atRandom(MAZE, plan(2000, 2, 1, 6), root, silent), "seed 5, not 6");
    refused(
        () -> Collection.atRandom(MAZE, plan(2000, 3, 1, 5), root, silent),
        "environments 2, not 3");
    refused(
        () -> Collection.byCuriosity(MAZE, plan(2000, 2, 1, 5), TINY, root, silent),
        "policy random, not rnd");
    assertEquals(1, Collecting.episodes(root).size());
  }

  @Test
  void otherSettingsAreRefusedByName() {
    Collection.byCuriosity(MAZE, plan(1000, 1, 1, 0), TINY, root, Progress.SILENT);
    RndSettings wider = Settings.override(TINY, List.of("width=17", "noise=0.3"));
    refused(
        () -> Collection.byCuriosity(MAZE, plan(2000, 1, 1, 0), wider, root, Progress.SILENT),
        "noise 0.2, not 0.3");
  }

  @Test
  void dataOfAnotherEngineAndDataFromElsewhereAreRefused() {
    random(1000, root.resolve("ours"));
    Episode episode = Collecting.episodes(root.resolve("ours")).get(0);
    Path old = root.resolve("old engine");
    write(old, "MuJoCo 1.0", episode);
    refused(
        () -> random(2000, old), "engine MuJoCo 1.0, not MuJoCo " + MujocoLibrary.load().version());
    Path stranger = root.resolve("no state");
    write(stranger, MujocoLibrary.load().engine(), episode);
    refused(() -> random(2000, stranger), "no state of the collector");
  }

  private static void write(Path folder, String engine, Episode episode) {
    DatasetDescription description =
        new DatasetDescription(
            MAZE.name(),
            engine,
            "random",
            Json.object().put("environments", 2),
            5,
            new Columns(4, 2, 4));
    try (DatasetWriter writer = DatasetWriter.create(folder, description)) {
      writer.append(episode);
      writer.flush();
    }
  }

  @Test
  void twoCollectorsOnOneFolderAreRefused() {
    Progress meddler =
        (label, total) -> {
          refused(() -> random(1000, root), "another run is writing the dataset", root.toString());
          return Progress.SILENT.start(label, total);
        };
    Collection.atRandom(MAZE, plan(1000, 2, 1, 5), root, meddler);
    assertEquals(1, Collecting.episodes(root).size());
  }

  @Test
  void impossiblePlansAreRefused() {
    refused(() -> plan(0, 1, 1, 0), "steps: must be at least 1, found 0");
    refused(() -> plan(1, 0, 1, 0), "environments: must be from 1 to 1024");
    refused(() -> plan(1, 1, -1, 0), "threads: must be at least 1");
    World numbered = Worlds.named("fetchreach_discrete");
    refused(
        () -> Collection.byCuriosity(numbered, plan(1, 1, 1, 0), TINY, root, Progress.SILENT),
        "fetchreach_discrete has numbered ones");
  }

  @Test
  void aReplayThatCannotTakeAnEpisodeIsRefusedBeforeTheFirstStep() {
    for (String setting : List.of("replayCapacity=999", "nStep=1001")) {
      RndSettings settings = Settings.override(TINY, List.of(setting));
      refused(
          () -> Collection.byCuriosity(MAZE, plan(1, 1, 1, 0), settings, root, Progress.SILENT),
          "an episode of point_mass_maze has 1000 steps",
          setting.replaceAll("\\D", ""));
    }
    assertFalse(Files.exists(root.resolve("dataset.json")));
  }

  @Test
  void numberedActionsAreStoredAsNumbers() {
    Collection.atRandom(
        Worlds.named("fetchreach_discrete"), plan(100, 2, 2, 0), root, Progress.SILENT);
    Set<Float> seen = new TreeSet<>();
    for (Episode episode : Collecting.episodes(root)) {
      assertEquals(episode.rows(), episode.actions().length, "one number each");
      for (float action : episode.actions()) {
        seen.add(action);
      }
    }
    assertEquals(Set.of(0f, 1f, 2f, 3f, 4f, 5f), seen);
  }

  @Test
  void aFailureBeforeTheFirstRoundIsStoredLeavesTheFolderFree() {
    Path folder = root.resolve("failed");
    assertThrows(
        Collecting.Killed.class,
        () ->
            Collection.atRandom(
                MAZE, new Collection.Plan(1000, 1, 1, 0), folder, Collecting.killedAtStep(5)));
    assertFalse(Files.exists(folder));
  }

  @Test
  void aFinishedDatasetIsOnlyRead() throws IOException {
    Path folder = root.resolve("finished");
    Collection.Plan plan = new Collection.Plan(1000, 1, 1, 0);
    Collection.atRandom(MAZE, plan, folder, Progress.SILENT);
    Files.delete(folder.resolve(".lock"));
    assertEquals(0, Collection.atRandom(MAZE, plan, folder, Progress.SILENT).added());
    assertFalse(Files.exists(folder.resolve(".lock")));
  }
}
