package dev.psm.mujoco.suite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.env.PoseCoordinate;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PoseTest {
  static Stream<String> names() {
    return Robots.all().stream().map(RobotWorld::name);
  }

  private static PoseCoordinate coordinate(PhysicsEnvironment environment, String name) {
    return environment.pose().stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  /** At both ends of every range, however deep in the floor that is. */
  @ParameterizedTest
  @MethodSource("names")
  void everyPoseCanBeStartedIn(String name) {
    try (PhysicsEnvironment environment = Robots.open(name)) {
      Robots.reset(environment, 0);
      double[] still = environment.state();
      int positions = environment.domain().simulation().qpos().size();
      int velocities = environment.domain().simulation().qvel().size();
      Arrays.fill(still, positions, positions + velocities, 0);
      Set<String> seen = new HashSet<>();
      for (PoseCoordinate each : environment.pose()) {
        assertTrue(seen.add(each.name()), each.name());
        assertTrue(each.low() < each.high() && each.index() < positions, each.toString());
        for (double value : new double[] {each.low(), each.high()}) {
          double[] posed = still.clone();
          posed[each.index()] = value;
          for (float number : environment.start(posed)) {
            assertTrue(Float.isFinite(number), each.toString());
          }
          assertEquals(value, environment.state()[each.index()]);
        }
      }
      assertFalse(seen.isEmpty());
    }
  }

  @Test
  void theyHaveTheJointsNamesAndRanges() {
    try (PhysicsEnvironment walker = Robots.open("walker");
        PhysicsEnvironment quadruped = Robots.open("quadruped");
        PhysicsEnvironment maze = Robots.open("maze");
        PhysicsEnvironment arm = Robots.open("fetchreach")) {
      assertEquals(
          List.of(
              "rootz",
              "rootx",
              "rooty",
              "right_hip",
              "right_knee",
              "right_ankle",
              "left_hip",
              "left_knee",
              "left_ankle"),
          walker.pose().stream().map(PoseCoordinate::name).toList());
      assertEquals(
          new PoseCoordinate("rooty", 2, -Math.PI, Math.PI, "rad"), coordinate(walker, "rooty"));
      assertEquals(Math.toRadians(-150), coordinate(walker, "right_knee").low(), 1e-12);
      assertEquals(new PoseCoordinate("root_x", 0, -0.29, 0.29, "m"), coordinate(maze, "root_x"));
      assertEquals(new PoseCoordinate("root_height", 2, 0, 2, "m"), quadruped.pose().get(0));
      assertEquals(17, quadruped.pose().size());
      assertEquals(7, arm.pose().size());
    }
  }

  /** A cheetah observes its joints one by one, so only the posed one differs. */
  @Test
  void aPosedJointChangesWhatIsObservedOfItAlone() {
    try (PhysicsEnvironment cheetah = Robots.open("cheetah")) {
      Robots.reset(cheetah, 0);
      double[] state = cheetah.state();
      Arrays.fill(state, 9, 18, 0);
      float[] before = cheetah.start(state);
      for (PoseCoordinate each : cheetah.pose()) {
        double[] posed = state.clone();
        posed[each.index()] += 0.1;
        float[] after = cheetah.start(posed);
        for (int i = 0; i < after.length; i++) {
          boolean isPosed = i == each.index() - 1;
          assertEquals(before[i] + (isPosed ? 0.1f : 0), after[i], 1e-6f, each.name());
        }
      }
    }
  }

  @Test
  void aKneeBendsTheLegBelowIt() {
    try (PhysicsEnvironment walker = Robots.open("walker")) {
      double[] state = new double[18];
      float[] straight = walker.start(state);
      state[coordinate(walker, "right_knee").index()] = -1;
      float[] bent = walker.start(state);
      for (int i = 0; i < straight.length; i++) {
        // Cosine and sine of torso, thigh, leg and foot on the right; then the left.
        boolean below = i >= 4 && i < 8;
        if (below) {
          assertNotEquals(straight[i], bent[i], "number " + i);
        } else {
          assertEquals(straight[i], bent[i], 1e-6f, "number " + i);
        }
      }
    }
  }
}
