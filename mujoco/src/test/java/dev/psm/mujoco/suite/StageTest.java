package dev.psm.mujoco.suite;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.Seeds;
import dev.psm.core.reward.Task;
import dev.psm.core.scene.Placed;
import dev.psm.core.scene.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ghosts: what they are made of, and the states they are drawn in. */
class StageTest {
  private static float[] observation(Domain domain) {
    double[] exact = new double[domain.world().observationSize()];
    domain.observe(exact);
    float[] rounded = new float[exact.length];
    for (int i = 0; i < exact.length; i++) {
      rounded[i] = (float) exact[i];
    }
    return rounded;
  }

  private static void move(Domain domain, int steps) {
    float[] action = new float[domain.world().actionSize()];
    double[] controls = new double[action.length];
    for (int step = 0; step < steps; step++) {
      for (int i = 0; i < action.length; i++) {
        action[i] = (float) Math.sin(step * 0.3 + i);
      }
      domain.toControls(action, controls);
      assertTrue(domain.advance(controls));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"walker", "cheetah", "maze"})
  void anObservationTellsThePose(String name) {
    RobotWorld facts = Robots.named(name);
    try (Domain robot = facts.openDomain();
        Domain copy = facts.openDomain()) {
      for (int seed = 0; seed < 20; seed++) {
        robot.start(Seeds.generator(seed));
        move(robot, 10 * seed);
        float[] seen = observation(robot);
        float[] second = new float[2 * seen.length];
        System.arraycopy(seen, 0, second, seen.length, seen.length);
        double[] found = robot.physicsFromObservation(second, seen.length).orElseThrow();
        copy.recall(found, 0);
        assertArrayEquals(seen, observation(copy), 2e-6f, "seed " + seed);
        // The same pose in the same place is the same state, but for whole turns.
        robot.alignUnobserved(found);
        copy.recall(found, 0);
        assertArrayEquals(
            robot.simulation().bodyPositions().toArray(),
            copy.simulation().bodyPositions().toArray(),
            1e-5);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"quadruped", "fetchreach"})
  void whereManyPosesLookTheSameNoneIsMadeUp(String name) {
    RobotWorld facts = Robots.named(name);
    try (Domain robot = facts.openDomain()) {
      robot.start(Seeds.generator(0));
      assertTrue(robot.physicsFromObservation(observation(robot), 0).isEmpty());
    }
  }

  /** What the quadruped observes does not change as it is moved and turned. */
  @Test
  void aStateBroughtHereIsObservedAsBefore() {
    RobotWorld facts = Robots.named("quadruped");
    try (Domain robot = facts.openDomain();
        Domain copy = facts.openDomain()) {
      robot.start(Seeds.generator(3));
      move(robot, 50);
      copy.start(Seeds.generator(4));
      move(copy, 20);
      double[] stored = copy.physics();
      copy.recall(stored, 0);
      int joints = 16;
      double upright = copy.get(facts.quantity("upright"));
      robot.alignUnobserved(stored);
      copy.recall(stored, 0);
      assertEquals(upright, copy.get(facts.quantity("upright")), 1e-12);
      double[] here = robot.simulation().qpos().toArray();
      double[] there = copy.simulation().qpos().toArray();
      assertEquals(here[0], there[0]);
      assertEquals(here[1], there[1]);
      assertFalse(here[2] == there[2], "the height is the state's own");
      assertEquals(heading(here), heading(there), 1e-9);
      assertEquals(joints, there.length - 7);
    }
  }

  private static double heading(double[] q) {
    return Math.atan2(2 * (q[3] * q[6] + q[4] * q[5]), 1 - 2 * (q[5] * q[5] + q[6] * q[6]));
  }

  @ParameterizedTest
  @ValueSource(strings = {"walker", "cheetah", "quadruped", "maze", "fetchreach"})
  void aGhostIsThePaleCopyOfWhatMoves(String name) {
    RobotWorld facts = Robots.named(name);
    try (Domain robot = facts.openDomain()) {
      robot.start(Seeds.generator(0));
      Stage stage = new Stage(robot, facts.tasks().get(0));
      List<Placed> ghost = stage.ghost();
      assertTrue(!ghost.isEmpty() && ghost.size() < stage.shapes().size());
      for (Placed one : ghost) {
        assertFalse(one.shape().kind() == Shape.Kind.PLANE, "the ground is nobody's ghost");
        assertTrue(one.shape().colour().alpha() < 0.6);
        assertTrue(
            stage.shapes().stream()
                .anyMatch(solid -> Arrays.equals(solid.position(), one.position())));
      }
    }
  }

  /** A viewer is sent the shapes once and then only where they are. */
  @ParameterizedTest
  @ValueSource(strings = {"walker", "cheetah", "quadruped", "maze", "fetchreach"})
  void theShapesStayTheSameWhileTheyMove(String name) {
    RobotWorld facts = Robots.named(name);
    try (PhysicsEnvironment environment = Robots.open(name)) {
      RandomGenerator random = Seeds.generator(5);
      for (Task task : facts.tasks()) {
        environment.reset(random);
        Stage stage = new Stage(environment.domain(), task);
        List<Placed> first = stage.shapes();
        while (!environment.step(Robots.action(facts, random)).ended()) {
          assertEquals(shapes(first), shapes(stage.shapes()));
        }
        assertTrue(
            IntStream.range(0, first.size())
                .filter(stage::canBePushed)
                .anyMatch(
                    i ->
                        !Arrays.equals(first.get(i).position(), stage.shapes().get(i).position())));
        environment.reset(random);
        assertEquals(shapes(first), shapes(stage.shapes()));
      }
    }
  }

  private static List<Shape> shapes(List<Placed> placed) {
    return placed.stream().map(Placed::shape).toList();
  }

  @Test
  void theMarkOfAGoalFollowsIt() {
    try (PhysicsEnvironment arm = Robots.open("fetchreach")) {
      Robots.reset(arm, 0);
      Stage stage = new Stage(arm.domain(), arm.domain().world().tasks().get(0));
      double[] goal = {1.4, 0.7, 0.6};
      arm.replaceGoal(goal);
      assertTrue(stage.shapes().stream().anyMatch(each -> Arrays.equals(goal, each.position())));
    }
  }

  @Test
  void onlyATaskOfTheMazeMarksItsRoom() {
    RobotWorld maze = Robots.named("maze");
    try (Domain domain = maze.openDomain()) {
      assertNotNull(domain.target(maze.task("reach_top_left")));
      Task away = maze.taskOrFormula("distance_top_left");
      assertNull(domain.target(away), "who flees from a room does not aim at it");
    }
  }
}
