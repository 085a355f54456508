package dev.psm.lab.run;

import static dev.psm.lab.run.TinyAgents.MAZE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.Seeds;
import dev.psm.core.env.Environment;
import dev.psm.core.env.World;
import dev.psm.core.env.Worlds;
import dev.psm.core.scene.Placed;
import dev.psm.zeroshot.Prompt;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GhostTest {
  private static final World QUADRUPED = Worlds.named("quadruped");

  @TempDir private Path folder;

  private static double[] place(Ghost ghost, Environment robot, int step) {
    List<Placed> shapes = ghost.at(robot, step);
    assertEquals(1, shapes.size(), "the ball");
    return shapes.get(0).position();
  }

  @Test
  void aGoalStandsWhereItIsToBeReached() {
    float[] goal = {0.2f, -0.1f, 0, 0};
    try (Environment robot = MAZE.open();
        Ghost ghost = Ghost.of(new Prompt.Goal(goal, "goal.csv", Optional.empty()), MAZE)) {
      robot.reset(Seeds.generator(0));
      for (int step : new int[] {0, 999}) {
        assertEquals(0.2, place(ghost, robot, step)[0], 1e-6);
        assertEquals(-0.1, place(ghost, robot, step)[1], 1e-6);
      }
    }
  }

  @Test
  void aDemonstrationGoesOnStepByStepAndStaysAtItsEnd() {
    TinyAgents.collect(MAZE, folder);
    Prompt.Demonstration shown = PromptData.demonstration(folder, 1, MAZE, 5);
    Prompt.Demonstration seen =
        new Prompt.Demonstration(shown.observations(), 5, "a file", Optional.empty());
    int last = shown.observations().length / MAZE.observationSize() - 1;
    for (Prompt.Demonstration prompt : List.of(shown, seen)) {
      try (Environment robot = MAZE.open();
          Ghost ghost = Ghost.of(prompt, MAZE)) {
        robot.reset(Seeds.generator(0));
        for (int step : new int[] {0, 400, last, last + 100}) {
          int at = Math.min(step, last) * MAZE.observationSize();
          assertEquals(shown.observations()[at], place(ghost, robot, step)[0], 1e-6);
          assertEquals(shown.observations()[at + 1], place(ghost, robot, step)[1], 1e-6);
        }
      }
    }
  }

  @Test
  void aPoseComesFromPhysicsWhereObservationsDoNotTellIt() {
    try (Environment robot = QUADRUPED.open()) {
      robot.reset(Seeds.generator(0));
      float[] observation = new float[QUADRUPED.observationSize()];
      Prompt known = new Prompt.Goal(observation, "a dataset", Optional.of(robot.state()));
      Prompt unknown = new Prompt.Goal(observation, "a file", Optional.empty());
      try (Ghost first = Ghost.of(known, QUADRUPED);
          Ghost second = Ghost.of(unknown, QUADRUPED)) {
        assertTrue(first.isKnown() && first.at(robot, 0).size() > 10);
        assertFalse(second.isKnown());
        assertTrue(second.at(robot, 0).isEmpty());
      }
    }
  }

  @Test
  void aRewardHasNone() {
    try (Environment robot = MAZE.open();
        Ghost ghost = Ghost.of(new Prompt.Reward(MAZE.tasks().get(0)), MAZE)) {
      assertTrue(ghost.at(robot, 0).isEmpty());
    }
  }

  @Test
  void captionsNameWhatIsPursuedWithoutThePlaceOnDisk() {
    TinyAgents.collect(MAZE, folder.resolve("maze"));
    Path data = folder.resolve("maze");
    assertEquals("goal: row 7 of maze", PromptData.goal(data, 7, MAZE).task().name());
    assertEquals(
        "demonstration: episode 1 of maze",
        PromptData.demonstration(data, 1, MAZE, 5).task().name());
  }
}
