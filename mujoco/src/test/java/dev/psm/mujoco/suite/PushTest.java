package dev.psm.mujoco.suite;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.env.Scenery;
import dev.psm.core.scene.Placed;
import dev.psm.core.scene.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PushTest {
  static List<RobotWorld> robots() {
    return Robots.all();
  }

  private static Scenery scenery(PhysicsEnvironment environment) {
    return environment.scenery(environment.domain().world().tasks().get(0)).orElseThrow();
  }

  /** The first shape that can be pushed: a walker's torso. */
  private static int body(Scenery scenery) {
    return IntStream.range(0, scenery.shapes().size())
        .filter(scenery::canBePushed)
        .findFirst()
        .orElseThrow();
  }

  private static double[] middle(Scenery scenery, int shape) {
    return scenery.shapes().get(shape).position();
  }

  private static double[] forces(PhysicsEnvironment environment) {
    return environment.domain().simulation().appliedForces().toArray();
  }

  private static float[] idle(PhysicsEnvironment environment) {
    return new float[environment.domain().world().actionSize()];
  }

  @ParameterizedTest
  @CsvSource({"300, 0, 1", "-300, 0, 1", "0, 1500, 0", "0, -1500, 0"})
  void aPushedWalkerMovesInTheDirectionOfTheForce(double x, double z, int velocity) {
    try (PhysicsEnvironment pushed = Robots.open("walker");
        PhysicsEnvironment left = Robots.open("walker")) {
      Robots.reset(pushed, 1);
      Robots.reset(left, 1);
      Scenery scenery = scenery(pushed);
      int torso = body(scenery);
      scenery.push(torso, middle(scenery, torso), new double[] {x, 0, z});
      pushed.step(idle(pushed));
      left.step(idle(left));
      double gained =
          pushed.domain().simulation().qvel().get(velocity)
              - left.domain().simulation().qvel().get(velocity);
      assertTrue(gained * (x + z) > 0, "gained " + gained + " m/s");
      assertArrayEquals(new double[forces(pushed).length], forces(pushed), "it lasts one step");
    }
  }

  /** Beyond the step nothing is left of a push but the motion. */
  @ParameterizedTest
  @MethodSource("robots")
  void whatFollowsAPushFollowsFromTheStateAlone(RobotWorld robot) {
    try (PhysicsEnvironment pushed = Robots.open(robot.name());
        PhysicsEnvironment other = Robots.open(robot.name())) {
      Robots.reset(pushed, 2);
      Robots.reset(other, 2);
      Scenery scenery = scenery(pushed);
      for (int shape = 0; shape < scenery.shapes().size(); shape++) {
        scenery.push(shape, middle(scenery, shape), new double[] {1, 2, 3});
      }
      pushed.step(idle(pushed));
      other.step(idle(other));
      assertFalse(Arrays.equals(pushed.state(), other.state()));
      other.restore(pushed.moment());
      for (int i = 0; i < 10; i++) {
        assertArrayEquals(
            pushed.step(idle(pushed)).observation(), other.step(idle(other)).observation());
      }
      assertArrayEquals(pushed.moment(), other.moment());
    }
  }

  @Test
  void pushesAddUpAndDoNotOutliveAReset() {
    try (PhysicsEnvironment environment = Robots.open("quadruped")) {
      Robots.reset(environment, 0);
      Scenery scenery = scenery(environment);
      int torso = body(scenery);
      double[] point = middle(scenery, torso);
      scenery.push(torso, point, new double[] {1, -2, 3});
      double[] once = forces(environment);
      scenery.push(torso, point, new double[] {1, -2, 3});
      double[] twice = forces(environment);
      for (int i = 0; i < once.length; i++) {
        assertEquals(2 * once[i], twice[i]);
      }
      Robots.reset(environment, 0);
      assertArrayEquals(new double[once.length], forces(environment));
    }
  }

  @Test
  void aForceBesideTheCentreOfMassTurnsTheBody() {
    assertTrue(turned(0.2) > turned(0) && turned(0) > turned(-0.2));
  }

  /** The walker's pitch velocity after a push forward, so far above the middle of its torso. */
  private static double turned(double height) {
    try (PhysicsEnvironment environment = Robots.open("walker")) {
      Robots.reset(environment, 1);
      Scenery scenery = scenery(environment);
      int torso = body(scenery);
      double[] point = middle(scenery, torso);
      point[2] += height;
      scenery.push(torso, point, new double[] {100, 0, 0});
      environment.step(idle(environment));
      return environment.domain().simulation().qvel().get(2);
    }
  }

  /** A floor, walls and the mark of a goal belong to the world. */
  @ParameterizedTest
  @ValueSource(strings = {"walker", "maze", "fetchreach"})
  void whatIsFixedToTheWorldIsNotMoved(String name) {
    try (PhysicsEnvironment pushed = Robots.open(name);
        PhysicsEnvironment left = Robots.open(name)) {
      Robots.reset(pushed, 4);
      Robots.reset(left, 4);
      Scenery scenery = scenery(pushed);
      List<Placed> shapes = scenery.shapes();
      assertFalse(scenery.canBePushed(0));
      assertTrue(shapes.stream().anyMatch(each -> each.shape().kind() == Shape.Kind.PLANE));
      for (int shape = 0; shape < shapes.size(); shape++) {
        if (!scenery.canBePushed(shape)) {
          scenery.push(shape, new double[] {5, 5, 5}, new double[] {1e3, 1e3, 1e3});
        }
      }
      for (int i = 0; i < 3; i++) {
        assertArrayEquals(
            left.step(idle(left)).observation(), pushed.step(idle(pushed)).observation());
      }
    }
  }

  @Test
  void whatIsNoForceIsRefused() {
    try (PhysicsEnvironment environment = Robots.open("walker")) {
      Robots.reset(environment, 0);
      Scenery scenery = scenery(environment);
      double[] none = new double[3];
      for (double[] bad :
          new double[][] {{Double.NaN, 0, 0}, {0, 0, Double.POSITIVE_INFINITY}, {0, 0}}) {
        assertThrows(IllegalArgumentException.class, () -> scenery.push(1, none, bad));
        assertThrows(IllegalArgumentException.class, () -> scenery.push(1, bad, none));
      }
      assertThrows(IndexOutOfBoundsException.class, () -> scenery.push(99, none, none));
      assertArrayEquals(new double[forces(environment).length], forces(environment));
    }
  }
}
