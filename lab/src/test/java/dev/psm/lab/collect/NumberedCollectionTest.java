package dev.psm.lab.collect;

import static dev.psm.lab.collect.Collecting.MAZE;
import static dev.psm.lab.collect.Collecting.TINY;
import static dev.psm.lab.collect.Collecting.refused;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.agents.rnd.DqnSettings;
import dev.psm.core.UserError.Kind;
import dev.psm.core.data.Dataset;
import dev.psm.core.data.Episode;
import dev.psm.core.env.Environment;
import dev.psm.core.env.Space;
import dev.psm.core.env.World;
import dev.psm.core.env.Worlds;
import dev.psm.core.reward.Quantity;
import dev.psm.lab.Progress;
import dev.psm.lab.collect.Collecting.Killed;
import dev.psm.lab.compute.WorkContext;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Exploration by DQN: numbered actions, episodes of 50 steps, rounds of 20 of them. */
final class NumberedCollectionTest {
  private static final World ARM = Worlds.named("fetchreach_discrete");

  /** Learns from the second round on. */
  private static final DqnSettings LEARNS =
      new DqnSettings(16, 8, 16, 40, 1, 0.98, 1e-3, 0.05, 0.3, 1000, 5000);

  private static final long STEPS = 2500;

  @TempDir Path root;

  private static Collection.Result collect(long steps, Path folder, Progress progress) {
    return Collection.byCuriosity(
        ARM, new Collection.Plan(steps, 20, 1, 4), LEARNS, folder, progress);
  }

  private List<Episode> uninterrupted() {
    Path folder = root.resolve("uninterrupted");
    collect(STEPS, folder, Progress.SILENT);
    return Collecting.episodes(folder);
  }

  @Test
  void itLearnsAndStoresNumbers() {
    Collection.Result result = collect(STEPS, root, Progress.SILENT);
    assertEquals(STEPS, result.added());
    assertTrue(result.metrics().get("intrinsic_reward") > 0);
    assertTrue(result.metrics().get("q_loss") > 0);
    Set<Float> seen = new TreeSet<>();
    for (Episode episode : Collecting.episodes(root)) {
      assertEquals(51, episode.actions().length, "one number each");
      for (float action : episode.actions()) {
        seen.add(action);
      }
    }
    assertEquals(Set.of(0f, 1f, 2f, 3f, 4f, 5f), seen);
    try (Dataset dataset = Dataset.open(root)) {
      assertEquals("dqn-rnd", dataset.description().collector());
      assertEquals(0.3, dataset.description().settings().path("epsilon").asDouble());
    }
  }

  @Test
  void aRunKilledInTheMiddleOfRoundsRepeatsThem() throws IOException {
    List<Episode> expected = uninterrupted();
    Path folder = root.resolve("killed");
    // In the first round, in its last step, in the third round, in its first step.
    for (long step : new long[] {20, 50, 130, 1}) {
      Progress progress = Collecting.killedAtStep(step);
      assertThrows(Killed.class, () -> collect(STEPS, folder, progress));
    }
    Collection.Result rest = collect(STEPS, folder, Progress.SILENT);
    assertEquals(2000, rest.stored());
    assertEquals(500, rest.added());
    Collecting.assertSame(expected, Collecting.episodes(folder));
    // Networks, optimiser and statistics too.
    assertArrayEquals(state(root.resolve("uninterrupted")), state(folder));
  }

  /** The newest checkpoint. */
  private static byte[] state(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      Path newest =
          files.filter(file -> file.toString().endsWith(".state")).max(Path::compareTo).get();
      return Files.readAllBytes(newest);
    }
  }

  @Test
  void askingForMoreLaterIsAskingForItAtOnce() {
    Path folder = root.resolve("in goes");
    for (long steps : new long[] {25, 51, 1000, 2150, STEPS}) {
      collect(steps, folder, Progress.SILENT);
      assertEquals((steps + 49) / 50, Collecting.episodes(folder).size());
    }
    Collecting.assertSame(uninterrupted(), Collecting.episodes(folder));
  }

  /** A plugin's world may have changed since the data was begun. */
  @Test
  void aWorldThatHasChangedSinceIsRefusedBeforeAStepIsMade() throws IOException {
    Collection.Plan plan = new Collection.Plan(3000, 20, 1, 4);
    List<Map<String, Object>> changes =
        List.of(
            Map.of("actionSpace", new Space.Discrete(4), "actionUnits", new Space.Discrete(4)),
            Map.of("achievedGoal", new int[] {0}),
            Map.of("stateSize", 7),
            Map.of("episodeSteps", 49));
    List<String> told =
        List.of(
            "described with actions 0 to 5, but the environment of that name has 0 to 3",
            "goals of the numbers [0, 1, 2]",
            "numbers per stored state",
            "steps per episode 50, not 49");
    collect(1000, root.resolve("curious"), Progress.SILENT);
    Collection.atRandom(
        ARM, new Collection.Plan(1000, 20, 1, 4), root.resolve("random"), Progress.SILENT);
    for (int i = 0; i < changes.size(); i++) {
      World changed = changed(changes.get(i));
      Path curious = root.resolve("curious");
      byte[] before = Files.readAllBytes(curious.resolve("dataset.json"));
      refused(
          () -> Collection.byCuriosity(changed, plan, LEARNS, curious, Progress.SILENT),
          told.get(i));
      assertArrayEquals(before, Files.readAllBytes(curious.resolve("dataset.json")));
      Path random = root.resolve("random");
      before = Files.readAllBytes(random.resolve("dataset.json"));
      refused(() -> Collection.atRandom(changed, plan, random, Progress.SILENT), told.get(i));
      assertArrayEquals(before, Files.readAllBytes(random.resolve("dataset.json")));
    }
  }

  private static World changed(Map<String, Object> answers) {
    return (World)
        Proxy.newProxyInstance(
            World.class.getClassLoader(),
            new Class<?>[] {World.class},
            (proxy, method, arguments) -> {
              try {
                Object changed = answers.get(method.getName());
                if (changed != null) {
                  return changed;
                }
                return method.invoke(ARM, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @Test
  void aWorldThatGivesNoNumbersIsNamedWithTheStep() {
    Environment broken =
        new Environment() {
          @Override
          public float[] reset(RandomGenerator random) {
            return new float[ARM.observationSize()];
          }

          @Override
          public Step step(float[] action) {
            float[] observation = new float[ARM.observationSize()];
            observation[2] = Float.NaN;
            return new Step(observation, false, false);
          }

          @Override
          public double[] state() {
            return new double[ARM.stateSize()];
          }

          @Override
          public double get(Quantity quantity) {
            return 0;
          }
        };
    World world = changed(Map.of("open", broken));
    refused(
        Kind.FAILED,
        () ->
            Collection.atRandom(
                world, new Collection.Plan(100, 1, 1, 0), root.resolve("new"), Progress.SILENT),
        "fetchreach_discrete: number 2 (from 0) of the observation is NaN after step 1");
    assertFalse(Files.exists(root.resolve("new/dataset.json")));
  }

  @Test
  void everyPolicySaysWhichActionsItIsFor() {
    Collection.Plan plan = new Collection.Plan(1, 1, 1, 0);
    Progress silent = Progress.SILENT;
    refused(
        () -> Collection.byCuriosity(ARM, plan, TINY, root, silent),
        "fetchreach_discrete has numbered ones: collect with dqn-rnd");
    refused(
        () -> Collection.byCuriosity(MAZE, plan, LEARNS, root, silent),
        "point_mass_maze has vectors: collect with rnd");
    refused(
        () -> Collection.byWandering(ARM, plan, WanderSettings.USUAL, root, WorkContext.of(silent)),
        "fetchreach_discrete has numbered ones: collect with random or dqn-rnd");
    assertFalse(Files.exists(root.resolve("dataset.json")));
  }

  @Test
  void aGridIsExploredToo() {
    World grid = Worlds.named("gridworld");
    Collection.Plan plan = new Collection.Plan(2000, 4, 1, 0);
    DqnSettings settings = new DqnSettings(16, 8, 16, 10, 1, 0.98, 1e-3, 0.05, 0.3, 100, 5000);
    assertTrue(
        Collection.byCuriosity(grid, plan, settings, root, Progress.SILENT).metrics().get("q_loss")
            > 0);
    try (Dataset dataset = Dataset.open(root)) {
      assertTrue(Coverage.of(dataset, 1).visitedShare() > 0);
    }
  }
}
