package dev.psm.mujoco.suite;

import static dev.psm.mujoco.suite.Checks.filled;
import static dev.psm.mujoco.suite.Checks.observation;
import static dev.psm.mujoco.suite.Checks.reward;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.Seeds;
import dev.psm.core.env.StoredWorld;
import dev.psm.core.reward.Milestone;
import dev.psm.core.reward.Task;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PointMassMazeTest {
  private static final Map<String, double[]> GOALS =
      Map.of(
          "reach_top_left", new double[] {-0.15, 0.15},
          "reach_top_right", new double[] {0.15, 0.15},
          "reach_bottom_left", new double[] {-0.15, -0.15},
          "reach_bottom_right", new double[] {0.15, -0.15});

  private final Domain maze = PointMassMaze.WORLD.openDomain();

  @AfterEach
  void close() {
    maze.close();
  }

  private double[] push(double x, double y, double pushX, double pushY, int steps) {
    maze.start(new double[] {x, y, 0, 0});
    for (int step = 0; step < steps; step++) {
      assertTrue(maze.advance(new double[] {pushX, pushY}));
    }
    return maze.physics();
  }

  @Test
  void theModelHasTheOriginalsSizesAndMass() {
    Checks.assertSizes(new Checks.Sizes(2, 2, 2, 0, 2, 0, 0), maze);
    assertEquals(2, maze.simulation().facts().size("nbody"));
    assertEquals(9, maze.simulation().facts().size("ngeom"));
    assertEquals(0.02, maze.simulation().facts().timestep());
    assertEquals(0.3, Checks.mass(maze));
  }

  @Test
  void awayFromWallsTheBallFollowsItsClosedForm() {
    RandomGenerator random = Seeds.generator(1);
    for (int trial = 0; trial < 20; trial++) {
      double[] place = {-0.2, 0.2};
      double[] velocity = {0.05 * random.nextGaussian(), 0.05 * random.nextGaussian()};
      maze.start(new double[] {place[0], place[1], velocity[0], velocity[1]});
      for (int step = 0; step < 20; step++) {
        double[] push = {2 * random.nextDouble() - 1, 2 * random.nextDouble() - 1};
        assertTrue(maze.advance(push));
        for (int axis = 0; axis < 2; axis++) {
          velocity[axis] = 0.9375 * velocity[axis] + 0.00625 * push[axis];
          place[axis] += 0.02 * velocity[axis];
        }
        double[] expected = {place[0], place[1], velocity[0], velocity[1]};
        assertArrayEquals(expected, maze.physics(), 1e-15);
        assertArrayEquals(expected, observation(maze), 1e-15);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "10, -0.244266185749",
    "50, -0.178809621499",
    "100, -0.0799527666341",
    "150, 0.0200018741861"
  })
  void aFullPushTakesTheBallThroughThePassage(int steps, double expected) {
    assertEquals(expected, push(-0.25, 0.24, 1, 0, steps)[0], 1e-12);
  }

  @ParameterizedTest
  @CsvSource({
    "-0.1, 0.1, 1, 0, -0.0299604598, 0.1",
    "0.1, 0.1, -1, 0, 0.0299604598, 0.1",
    "0.1, -0.1, 0, 1, 0.1, -0.0299604598",
    "-0.1, -0.1, 1, 1, -0.0299604598, -0.0299604598",
    "-0.2, 0.2, -1, 1, -0.290023753, 0.290023753",
    "0.2, -0.2, 1, -1, 0.290023753, -0.290023753"
  })
  void aPressedBallComesToRestAtTheWall(
      double x, double y, double pushX, double pushY, double restX, double restY) {
    double[] physics = push(x, y, pushX, pushY, 1000);
    assertArrayEquals(new double[] {restX, restY, 0, 0}, physics, 1e-9);
  }

  @ParameterizedTest
  @CsvSource({"-0.1, 0.175", "-0.1, 0.05"})
  void theInnerWallStopsTheBallAllAlongItsArm(double x, double y) {
    assertEquals(-0.0299604598, push(x, y, 1, 0, 1000)[0], 1e-9);
  }

  @Test
  void aPushBeyondTheRangeIsClampedInTheMotionAndNotInTheReward() {
    double[] strong = push(-0.2, 0.2, 3, 0, 10);
    assertEquals(3, maze.simulation().ctrl().get(0));
    assertArrayEquals(push(-0.2, 0.2, 1, 0, 10), strong, 0);
  }

  @Test
  void theGoalIsPaidInFullAtRestAndFourFifthsUnderFullPush() {
    GOALS.forEach(
        (task, goal) -> {
          maze.start(new double[] {goal[0], goal[1], 0, 0});
          assertEquals(1, reward(maze, task), 0, task);
          maze.simulation().ctrl().setAll(new double[] {1, 1}, 0);
          assertEquals(0.8, reward(maze, task), 1e-15, task);
          maze.start(new double[] {goal[0] - 0.03, goal[1], 0, 0});
          assertEquals(0.1, reward(maze, task), 1e-12, task);
          maze.simulation().ctrl().setAll(new double[] {0.5, 0}, 0);
          assertEquals(0.1 * (0.875 + 4) / 5, reward(maze, task), 1e-12, task);
        });
  }

  @Test
  void rewardsAreTheirClosedFormsInAnyState() {
    RandomGenerator random = Seeds.generator(2);
    int partly = 0;
    for (int trial = 0; trial < 2000; trial++) {
      double x = 0.58 * random.nextDouble() - 0.29;
      double y = 0.58 * random.nextDouble() - 0.29;
      double[] push = {1.5 * random.nextGaussian(), random.nextGaussian()};
      maze.recall(new double[] {x, y, 0, 0}, 0);
      maze.simulation().ctrl().setAll(push, 0);
      double idle = (Math.max(0, 1 - push[0] * push[0]) + Math.max(0, 1 - push[1] * push[1])) / 2;
      for (Map.Entry<String, double[]> goal : GOALS.entrySet()) {
        double distance = Math.hypot(x - goal.getValue()[0], y - goal.getValue()[1]);
        double far = Math.max(0, (distance - 0.015) / 0.015);
        double near = Math.pow(10, -far * far);
        assertEquals(near * (idle + 4) / 5, reward(maze, goal.getKey()), 1e-12);
        partly += near > 0.01 && near < 1 ? 1 : 0;
      }
    }
    assertTrue(partly > 20, "partly " + partly);
  }

  @Test
  void theWideTasksPayFartherFromTheSameGoalsAndAreInNoAverage() {
    assertEquals(GOALS.keySet(), names(maze.world().tasks()));
    assertEquals(
        GOALS.keySet().stream().map(name -> name + "_wide").collect(Collectors.toSet()),
        names(maze.world().furtherTasks()));
    for (Map.Entry<String, double[]> goal : GOALS.entrySet()) {
      String task = goal.getKey() + "_wide";
      double x = goal.getValue()[0];
      double y = goal.getValue()[1];
      maze.recall(new double[] {x + 0.015, y, 0, 0}, 0);
      assertEquals(1, reward(maze, task), 1e-12, task);
      maze.recall(new double[] {x, y - 0.06, 0, 0}, 0);
      assertEquals(Math.pow(10, -0.25), reward(maze, task), 1e-12, task);
      maze.recall(new double[] {x, y + 0.105, 0, 0}, 0);
      assertEquals(0.1, reward(maze, task), 1e-12, task);
      maze.simulation().ctrl().setAll(new double[] {1, 1}, 0);
      assertEquals(0.08, reward(maze, task), 1e-12, task);
      assertArrayEquals(
          maze.target(maze.world().task(goal.getKey())), maze.target(maze.world().task(task)));
    }
  }

  @Test
  void milestonesHoldInTheTasksRoomAndNearItsGoal() {
    assertEquals(8, maze.world().namedTasks().size());
    for (Task task : maze.world().namedTasks()) {
      GOALS.forEach(
          (name, place) -> {
            boolean isGoal = task.name().replace("_wide", "").equals(name);
            assertMilestones(isGoal, isGoal, task, place[0], place[1]);
            assertMilestones(isGoal, isGoal, task, place[0] + 0.029, place[1]);
            assertMilestones(isGoal, false, task, place[0], place[1] - 0.031);
            assertMilestones(isGoal, false, task, 1.9 * place[0], 0.1 * place[1]);
          });
    }
  }

  private void assertMilestones(boolean inRoom, boolean near, Task task, double x, double y) {
    maze.recall(new double[] {x, y, 0, 0}, 0);
    Map<String, Boolean> found =
        task.milestones().stream()
            .collect(Collectors.toMap(Milestone::name, each -> each.holds(maze)));
    assertEquals(
        Map.of("in its room", inRoom, "within 3 cm", near),
        found,
        () -> "%s at (%s, %s)".formatted(task.name(), x, y));
  }

  @Test
  void furtherTasksAreStoredWithTheWorld() {
    StoredWorld stored = StoredWorld.of(maze.world());
    assertEquals(GOALS.keySet(), names(stored.tasks()));
    assertEquals(names(maze.world().furtherTasks()), names(stored.furtherTasks()));
  }

  private static Set<String> names(List<Task> tasks) {
    return tasks.stream().map(Task::name).collect(Collectors.toSet());
  }

  @Test
  void everyStartIsInTheTopLeftRoom() {
    double[] least = filled(2, 1);
    double[] most = filled(2, -1);
    for (int seed = 0; seed < 500; seed++) {
      RandomGenerator random = Seeds.generator(seed);
      double x = -0.29 + 0.14 * random.nextDouble();
      double y = 0.15 + 0.14 * random.nextDouble();
      maze.start(Seeds.generator(seed));
      double[] physics = maze.physics();
      assertArrayEquals(new double[] {x, y, 0, 0}, physics, 1e-15);
      for (int axis = 0; axis < 2; axis++) {
        least[axis] = Math.min(least[axis], physics[axis]);
        most[axis] = Math.max(most[axis], physics[axis]);
      }
    }
    assertArrayEquals(new double[] {-0.29, 0.15}, least, 2e-3);
    assertArrayEquals(new double[] {-0.15, 0.29}, most, 2e-3);
  }

  @Test
  void actionsAreControls() {
    Checks.assertControls(filled(2, -1), filled(2, 1), maze);
  }
}
