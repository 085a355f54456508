package dev.psm.lab.run;

import static dev.psm.lab.run.TinyAgents.MAZE;
import static dev.psm.lab.run.TinyAgents.refused;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.Seeds;
import dev.psm.core.env.Environment;
import dev.psm.core.env.World;
import dev.psm.core.env.Worlds;
import dev.psm.core.reward.Task;
import dev.psm.core.stats.Summary;
import dev.psm.lab.Film;
import dev.psm.lab.Progress;
import dev.psm.zeroshot.Prompt;
import dev.psm.zeroshot.ZeroShotAgent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PromptTrialTest {
  @TempDir private static Path shared;
  private static Path data;
  private static ZeroShotAgent agent;

  @BeforeAll
  static void train() {
    data = shared.resolve("data");
    TinyAgents.collect(MAZE, data);
    agent = TinyAgents.train(MAZE, data, List.of(0L)).get(0);
  }

  private static Map<String, List<Map<String, Double>>> played(Prompt prompt, long startSeed) {
    return new PromptTrial(agent, prompt, prompt.solve(agent), startSeed).run(2, Progress.SILENT);
  }

  @Test
  void aRewardIsMeasuredByItsReturn() {
    Prompt everywhere = new Prompt.Reward(MAZE.taskOrFormula("2"));
    Map<String, List<Map<String, Double>>> measured = played(everywhere, 0);
    assertEquals(Set.of(PromptTrial.AGENT, PromptTrial.RANDOM), measured.keySet());
    measured
        .values()
        .forEach(
            each ->
                assertEquals(List.of(Map.of("return", 2000.0), Map.of("return", 2000.0)), each));
    Prompt away = new Prompt.Reward(MAZE.taskOrFormula("x * x + y"));
    assertEquals(played(away, 3), played(away, 3), "a trial can be repeated");
    assertFalse(played(away, 3).equals(played(away, 4)), "starts are drawn by the seed");
  }

  @Test
  void aGoalIsMeasuredByDistances() {
    Prompt goal = PromptData.goal(data, 500, MAZE);
    Map<String, Double> first = played(goal, 0).get(PromptTrial.AGENT).get(0);
    assertEquals(
        List.of("distanceAtStart", "closestDistance", "distanceAtEnd"),
        List.copyOf(first.keySet()));
    assertTrue(first.get("closestDistance") <= first.get("distanceAtStart"));
    assertTrue(first.get("closestDistance") <= first.get("distanceAtEnd"));
    assertEquals(
        first.get("distanceAtStart"),
        played(goal, 0).get(PromptTrial.RANDOM).get(0).get("distanceAtStart"),
        "all begin in the same states");
  }

  @Test
  void aDemonstrationIsFollowedFromWhereItBegan() {
    Prompt.Demonstration recorded = PromptData.demonstration(data, 0, MAZE, 5);
    Map<String, List<Map<String, Double>>> measured = played(recorded, 0);
    assertEquals(
        Set.of(PromptTrial.AGENT, PromptTrial.RANDOM, PromptTrial.STILL), measured.keySet());
    try (Environment environment = MAZE.open()) {
      float[] start =
          environment.start(Arrays.copyOf(recorded.physics().orElseThrow(), MAZE.stateSize()));
      for (int i = 0; i < start.length; i++) {
        assertEquals(recorded.observations()[i], start[i], 1e-6);
      }
    }
    double still = measured.get(PromptTrial.STILL).get(0).get("trackingError");
    assertTrue(still > 0 && still < 10, "standing still strays from a random walk: " + still);
  }

  @Test
  void whoDoesExactlyWhatWasShownHasNoTrackingError() {
    try (Environment environment = MAZE.open()) {
      int width = MAZE.observationSize();
      float[] still = new float[21 * width];
      float[] first = environment.reset(Seeds.generator(5));
      double[] physics = environment.state();
      System.arraycopy(first, 0, still, 0, width);
      for (int step = 1; step <= 20; step++) {
        float[] now = environment.step(new float[2]).observation();
        System.arraycopy(now, 0, still, step * width, width);
      }
      Prompt shown = new Prompt.Demonstration(still, 5, "still", Optional.of(physics));
      assertEquals(0, played(shown, 0).get(PromptTrial.STILL).get(1).get("trackingError"), 1e-9);
      assertTrue(played(shown, 0).get(PromptTrial.RANDOM).get(0).get("trackingError") > 0.01);
    }
  }

  @Test
  void aPolicyCanBeFilmed() {
    Path file = shared.resolve("film.gif");
    Prompt goal = PromptData.goal(data, 10, MAZE);
    PromptTrial.Filmed filmed =
        new PromptTrial(agent, goal, goal.solve(agent), 0)
            .film(new Film.Settings(64, 48, 0.2, 0), file, Progress.SILENT);
    assertTrue(filmed.result().frames() > 1 && Files.exists(file));
    assertEquals(0, filmed.result().reward());
    assertTrue(filmed.ghost());
  }

  @Test
  void spreadCountsInStandardDeviations() {
    Spread spread = Spread.of(new float[] {1, 10, 7, 3, 30, 7}, 3);
    assertEquals(0, spread.distance(new float[] {1, 2, 3}, new float[] {1, 2, 9}, 0));
    assertEquals(
        1, spread.distance(new float[] {0, 0, 0}, new float[] {9, 9, 9, 1, 10, 0}, 1), 1e-12);
  }

  @Test
  void anEvaluationCanBeRepeatedOnAnyNumberOfThreads() {
    List<Task> tasks = TaskList.of("reach_top_left, clip(x, 0, 1), y", MAZE);
    Evaluation one = Evaluation.run(agent, tasks, 3, 7, 1, Progress.SILENT);
    Evaluation two = Evaluation.run(agent, tasks, 3, 7, 2, Progress.SILENT);
    assertEquals(
        List.of("reach_top_left", "clip(x, 0, 1)", "y"), List.copyOf(one.returns().keySet()));
    one.returns()
        .forEach((task, returns) -> assertArrayEquals(returns, two.returns().get(task), task));
    assertEquals(Summary.of(one.returns().get("y")).mean(), one.mean("y"));
    Evaluation other = Evaluation.run(agent, tasks, 3, 8, 2, Progress.SILENT);
    assertFalse(one.mean("y") == other.mean("y"), "starts are drawn by the seed");
  }

  @Test
  void ofATaskTheSameComesOutWhicheverOthersAreAskedFor() {
    List<Task> tasks = TaskList.of("reach_top_left, clip(x, 0, 1), y", MAZE);
    Evaluation all = Evaluation.run(agent, tasks, 2, 7, 2, Progress.SILENT);
    Evaluation one = Evaluation.run(agent, tasks.subList(2, 3), 2, 7, 2, Progress.SILENT);
    // The actor multiplies larger matrices with all of them, which may change the last bits.
    assertArrayEquals(all.returns().get("y"), one.returns().get("y"), 1e-3);
    assertEquals(0, all.divergences());
  }

  @Test
  void tasksAreNamesAndFormulas() {
    World walker = Worlds.named("walker");
    assertEquals(walker.tasks(), TaskList.of("all", walker));
    assertEquals(
        List.of("run", "walk"), TaskList.of("run,walk", walker).stream().map(Task::name).toList());
    refused(() -> TaskList.of("walk,wlak", walker), "did you mean 'walk'?");
    refused(() -> TaskList.of("walk,,run", walker), "commas between them");
    refused(() -> TaskList.of("walk, walk", walker), "'walk' is named twice");
    refused(() -> TaskList.of("", walker), "commas");
  }
}
