package dev.psm.lab.run;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.psm.agents.finite.FiniteModel;
import dev.psm.core.UserError;
import dev.psm.core.env.GridMap;
import dev.psm.core.env.GridWorld;
import dev.psm.core.io.Json;
import dev.psm.lab.Progress;
import dev.psm.zeroshot.ZeroShotAgent;
import dev.psm.zeroshot.ZeroShotPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A grid's run is a run like any other. */
class GridRunsTest {
  @TempDir private Path folder;

  private static final class Killed extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** Killed right after so many steps of this process, all else of them done. */
  private static Progress killedAt(long step) {
    return (label, total) ->
        new Progress.Bar() {
          @Override
          public void update(long done, String note) {
            if (done == step) {
              throw new Killed();
            }
          }

          @Override
          public void close() {}
        };
  }

  /** Before the first checkpoint, at one, between two, and while the codebook is being enriched. */
  @ParameterizedTest
  @CsvSource({"psm,3", "psm,10", "psm,19", "psm,20", "psm,27", "fb,14", "fb,30", "laplacian,21"})
  void aKilledRunEndsWithTheSameBits(String agent, int step) throws IOException {
    List<Long> seeds = List.of(2L, 7L);
    Path whole = folder.resolve("whole");
    Path killed = folder.resolve("killed");
    RunDescription run = TinyGrids.describe(agent, seeds);
    TinyGrids.start(run, whole, TinyGrids.context(Progress.SILENT, () -> false));
    assertThrows(
        Killed.class,
        () -> TinyGrids.start(run, killed, TinyGrids.context(killedAt(step), () -> false)));
    TrainingOutcome outcome =
        TinyGrids.resume(killed, TinyGrids.context(Progress.SILENT, () -> false));
    assertTrue(outcome.finished());
    Runs.assertSame(whole, killed, seeds, TinyGrids.STEPS);
    for (long seed : seeds) {
      for (String file : List.of("model.safetensors", "grade.json")) {
        assertArrayEquals(
            Files.readAllBytes(whole.resolve("seed-" + seed).resolve(file)),
            Files.readAllBytes(killed.resolve("seed-" + seed).resolve(file)),
            file);
      }
    }
  }

  @Test
  void checkpointsOfSomeSeedsAreNotThrownAway() throws IOException {
    RunDescription run = TinyGrids.describe("fb", List.of(2L, 7L));
    assertThrows(
        Killed.class,
        () -> TinyGrids.start(run, folder, TinyGrids.context(killedAt(27), () -> false)));
    for (long step : new long[] {10, 20}) {
      Files.delete(Runs.checkpoint(folder, 7, step));
    }
    Files.delete(folder.resolve("seed-7/model.json"));
    String message =
        assertThrows(
                UserError.class,
                () -> TinyGrids.resume(folder, TinyGrids.context(Progress.SILENT, () -> false)))
            .getMessage();
    assertTrue(message.contains("seed 2 has checkpoints of steps [10, 20]"), message);
    assertTrue(Files.exists(Runs.checkpoint(folder, 2, 20)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"model.json", "model.safetensors"})
  void aModelThatAFinishedRunHasLostComesBackFromItsCheckpoint(String lost) throws IOException {
    RunContext undisturbed = TinyGrids.context(Progress.SILENT, () -> false);
    TinyGrids.start(TinyGrids.describe("psm", List.of(2L, 7L)), folder, undisturbed);
    RunFolder run = new RunFolder(folder);
    assertEquals(List.of(), run.seedsWithoutModel());
    List<String> lines = Runs.lines(folder, 7);
    byte[] grade = Files.readAllBytes(run.seed(7).resolve("grade.json"));
    byte[] learned = Files.readAllBytes(run.seed(7).resolve("model.safetensors"));
    Files.delete(run.seed(7).resolve(lost));
    assertEquals(List.of(7L), run.seedsWithoutModel());
    assertTrue(TinyGrids.resume(folder, undisturbed).finished());
    assertEquals(List.of(), run.seedsWithoutModel());
    assertArrayEquals(learned, Files.readAllBytes(run.seed(7).resolve("model.safetensors")));
    assertArrayEquals(grade, Files.readAllBytes(run.seed(7).resolve("grade.json")));
    assertEquals(lines, Runs.lines(folder, 7));
    ZeroShotAgent.load(folder, 7).close();
  }

  @Test
  void aStoppedRunLeavesAModelAndGoesOn() {
    int[] asked = new int[1];
    TrainingOutcome stopped =
        TinyGrids.start(
            TinyGrids.describe("psm", List.of(1L)),
            folder,
            TinyGrids.context(Progress.SILENT, () -> ++asked[0] > 6));
    assertFalse(stopped.finished());
    assertTrue(stopped.step() < TinyGrids.STEPS / 2, "before enrichment");
    try (ZeroShotAgent young = ZeroShotAgent.load(folder)) {
      assertEquals(1, young.solveGoal(TinyGrids.WORLD.observation(0)).act(state(5)).length);
    }
    assertTrue(
        TinyGrids.resume(folder, TinyGrids.context(Progress.SILENT, () -> false)).finished());
  }

  private static float[] state(int state) {
    return TinyGrids.WORLD.observation(state);
  }

  @Test
  void whatAnEvaluationFindsIsLoggedAndKept() {
    TrainingOutcome outcome = TinyGrids.train("psm", 3, folder);
    assertEquals(Grade.ERRORS, outcome.grade());
    FiniteGrade grade = FiniteGrade.read(folder.resolve("seed-3"), TinyGrids.WORLD).orElseThrow();
    assertEquals(grade.meanGoalError(), outcome.grades().get(3L).get("goals"));
    assertEquals(grade.meanValueLoss(), outcome.grades().get(3L).get("rewards"));
    LearningCurve curve = LearningCurve.read(folder.resolve("seed-3"));
    assertEquals(List.of(10L, 20L, 30L, 40L), curve.points().stream().map(p -> p.step()).toList());
    assertEquals(grade.meanGoalError(), curve.last().headline(Grade.ERRORS));
    JsonNode result = Json.read(folder.resolve("result.json"));
    assertEquals(grade.meanGoalError(), result.at("/errors/3/goals").asDouble());
    assertTrue(
        new RunCurves(List.of(folder)).metrics().containsAll(List.of("error/goals", "loss")));
  }

  /** The library's way: load, solve, act, as with a robot. */
  @ParameterizedTest
  @ValueSource(strings = {"psm", "fb", "laplacian"})
  void aGridsAgentSolvesAndActs(String agent) {
    TinyGrids.train(agent, 1, folder);
    try (ZeroShotAgent loaded = ZeroShotAgent.load(folder)) {
      assertEquals(TinyGrids.WORLD, loaded.environment());
      FiniteModel model = (FiniteModel) loaded.model();
      double[] reward = new double[TinyGrids.WORLD.stateCount()];
      reward[TinyGrids.WORLD.map().stateAt(2, 3)] = 1;
      int[] expected = FiniteModel.greedy(model.actionValues(new double[][] {reward})[0]);
      ZeroShotPolicy formula = loaded.solve("row == 2 && col == 3");
      ZeroShotPolicy goal = loaded.solveGoal(state(TinyGrids.WORLD.map().stateAt(2, 3)));
      for (int state = 0; state < expected.length; state++) {
        assertArrayEquals(new float[] {expected[state]}, formula.act(state(state)));
        assertArrayEquals(new float[] {expected[state]}, goal.act(state(state)));
      }
      try (var environment = TinyGrids.WORLD.open()) {
        float[] observation = environment.reset(new SplittableRandom(0));
        for (int step = 0; step < 8; step++) {
          observation = environment.step(formula.act(observation)).observation();
        }
        if (agent.equals("psm")) {
          assertArrayEquals(state(TinyGrids.WORLD.map().stateAt(2, 3)), observation);
        }
      }
      float[] demonstration = {0, 0, 0, 0.25f, 0, 0.5f, 0, 0.75f};
      ZeroShotPolicy follower = loaded.track(demonstration, 1);
      if (agent.equals("psm")) {
        assertArrayEquals(new float[] {GridMap.RIGHT}, follower.act(state(0)));
        assertArrayEquals(new float[] {GridMap.RIGHT}, follower.act(state(1)));
      }
    }
  }

  @Test
  void aRunOfAnotherMapIsRefused() {
    TinyGrids.train("psm", 1, folder);
    RunDescription run = new RunFolder(folder).description();
    GridWorld other = new GridWorld(GridMap.parse("tiny", "....\n....\n....\n"));
    String message =
        assertThrows(
                UserError.class,
                () -> run.data().requireSame(new dev.psm.agents.TrainingData.Complete(other)))
            .getMessage();
    assertTrue(message.contains("not what the run began with"), message);
  }
}
