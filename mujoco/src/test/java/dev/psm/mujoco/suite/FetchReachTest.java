package dev.psm.mujoco.suite;

import static dev.psm.mujoco.suite.Checks.observation;
import static dev.psm.mujoco.suite.Checks.quantity;
import static dev.psm.mujoco.suite.Checks.reward;
import static dev.psm.mujoco.suite.Checks.slice;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.Seeds;
import dev.psm.core.env.Volume;
import dev.psm.mujoco.Simulation;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FetchReachTest {
  private final FetchReach arm = (FetchReach) FetchReach.WORLD.openDomain();
  private final Simulation simulation = arm.simulation();

  @AfterEach
  void close() {
    arm.close();
  }

  private double[] grip() {
    return slice(observation(arm), 0, 3);
  }

  private double[] site() {
    int site = simulation.id(Simulation.Kind.SITE, "grip");
    return slice(simulation.sitePositions().toArray(), 3 * site, 3);
  }

  /** The first numbered action along the axis of the largest error, towards the goal. */
  private static int greedy(double[] grip, double[] goal) {
    int axis = 0;
    for (int i = 1; i < 3; i++) {
      if (Math.abs(goal[i] - grip[i]) > Math.abs(goal[axis] - grip[axis])) {
        axis = i;
      }
    }
    return goal[axis] > grip[axis] ? axis : 3 + axis;
  }

  @Test
  void theModelHasTheOriginalsJointsAndMass() {
    Checks.assertSizes(new Checks.Sizes(15, 15, 0, 0, 15, 0, 1), arm);
    assertEquals(1, simulation.facts().size("nmocap"));
    assertEquals(0.002, simulation.facts().timestep());
    // 2000 of it the table. The original's 2120.5175 counts 0.441 of its fixed marker boxes too.
    assertEquals(2120.0765, Checks.mass(arm), 1e-9);
  }

  @Test
  void setUpDragsTheGripperAlongTheOriginalsPath() {
    simulation.reset();
    double[] base = {0.4049, 0.48, 0};
    for (int i = 0; i < 3; i++) {
      simulation.qpos().set(i, base[i]);
    }
    simulation.forward();
    double[] before = site();
    assertArrayEquals(new double[] {1.8398, 0.7441, 0.786}, before, 1e-4);
    double[] target = {before[0] - 0.498, before[1] + 0.005, before[2] - 0.231};
    assertArrayEquals(new double[] {1.3418, 0.7491, 0.555}, target, 1e-4);
    simulation.mocapPosition().setAll(target, 0);
    simulation.mocapQuaternion().setAll(new double[] {1, 0, 1, 0}, 0);
    double[] expected = {
      1.556163, 1.366757, 1.344267, 1.341832, 1.341701, 1.341772, 1.341822, 1.341848, 1.341856,
      1.341855
    };
    double[] found = new double[10];
    for (int i = 0; i < 10; i++) {
      assertTrue(simulation.step(20));
      found[i] = site()[0];
    }
    assertArrayEquals(expected, found, 1e-6);
    assertArrayEquals(arm.home(), site(), 0, "the arm's own set-up is this one");
  }

  @Test
  void theGripperWaitsWhereTheOriginalsDoes() {
    double[] home = {1.3418550217214211, 0.749100508107922, 0.5347069462371321};
    assertArrayEquals(home, arm.home(), 1e-12);
    try (FetchReach floating = FetchReach.withoutBaseContacts()) {
      double[] without = {1.3418288974539387, 0.7491003579902843, 0.534738237549892};
      assertArrayEquals(without, floating.home(), 1e-12);
    }
  }

  @Test
  void theVolumeOfItsWorldIsWhereGoalsLie() {
    Volume goals = arm.world().volume().orElseThrow();
    assertEquals(216, goals.cells());
    for (int axis = 0; axis < 3; axis++) {
      Volume.Axis range = goals.axes().get(axis);
      assertEquals(List.of("gripper_x", "gripper_y", "gripper_z").get(axis), range.quantity());
      assertEquals(arm.home()[axis] - 0.15, range.low(), 1e-9);
      assertEquals(arm.home()[axis] + 0.15, range.high(), 1e-9);
    }
  }

  @Test
  void theFirstObservationIsTheOriginals() {
    arm.start(Seeds.generator(0));
    double[] seen = observation(arm);
    assertArrayEquals(
        new double[] {1.3418548590918855, 0.7491005080081806, 0.5347072045329273},
        slice(seen, 0, 3),
        1e-12);
    assertArrayEquals(new double[] {2.0023e-4, 6.9238e-5}, slice(seen, 3, 2), 1e-8);
    assertArrayEquals(
        new double[] {-3.2534e-6, -2.2e-9, 5.1658e-6, 4.7688e-6, -2.3181e-6},
        slice(seen, 5, 5),
        1e-10);
    assertEquals(0.4, simulation.time(), 1e-12);
  }

  @Test
  void everyEpisodeStartsInTheSamePostureAndOnlyTheGoalIsDrawn() {
    arm.start(Seeds.generator(0));
    double[] first = arm.physics();
    double[] least = Checks.filled(3, 1);
    double[] most = Checks.filled(3, -1);
    for (int seed = 0; seed < 300; seed++) {
      arm.advance(new double[] {1, 1, 1, 0});
      arm.start(Seeds.generator(seed));
      assertArrayEquals(slice(first, 0, 30), slice(arm.physics(), 0, 30), 0);
      RandomGenerator random = Seeds.generator(seed);
      for (int axis = 0; axis < 3; axis++) {
        double offset = 0.3 * random.nextDouble() - 0.15;
        assertEquals(arm.home()[axis] + offset, arm.goal()[axis], 1e-15);
        assertEquals(arm.goal()[axis], arm.physics()[30 + axis], 0);
        least[axis] = Math.min(least[axis], offset);
        most[axis] = Math.max(most[axis], offset);
      }
    }
    assertArrayEquals(Checks.filled(3, -0.15), least, 8e-3);
    assertArrayEquals(Checks.filled(3, 0.15), most, 8e-3);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0, 0.0295",
    "1, 1, 0.0307",
    "2, 2, 0.0304",
    "3, 0, -0.0302",
    "4, 1, -0.0307",
    "5, 2, -0.0305"
  })
  void aNumberedActionMovesAlongItsAxis(int action, int axis, double expected) {
    arm.start(Seeds.generator(0));
    double[] before = grip();
    double[] direction = FetchReach.direction(action);
    assertEquals(0, direction[3]);
    assertTrue(arm.advance(direction));
    double[] after = grip();
    for (int i = 0; i < 3; i++) {
      assertEquals(i == axis ? expected : 0, after[i] - before[i], i == axis ? 5e-5 : 3e-3);
    }
    if (action != 5) {
      assertTrue(arm.advance(direction));
      assertEquals(0.033, Math.abs(grip()[axis] - after[axis]), 1.5e-3, "a held action");
    }
  }

  /** Gymnasium-Robotics' own reach.xml with its meshes, at df28ecd, under MuJoCo 2.2.2. */
  @ParameterizedTest
  @CsvSource({
    "0, 0, 1.5392513470826352",
    "1, 1, 1.0778969890204844",
    "2, 2, 0.8602629553791696",
    "3, 0, 1.0761187367817002",
    "4, 1, 0.4202508844076643",
    "5, 2, 0.4152862813713704"
  })
  void tenStepsTheSameWayEndWhereTheOriginalsDo(int action, int axis, double expected) {
    arm.start(Seeds.generator(0));
    for (int step = 0; step < 10; step++) {
      assertTrue(arm.advance(FetchReach.direction(action)));
    }
    assertEquals(expected, grip()[axis], 1e-9);
  }

  @Test
  void theTableStopsTheGripperInTheFourthStepDown() {
    // From the same run of the original as above.
    double[] heights = {
      0.5041695734183816,
      0.47073284693316364,
      0.43760181329785186,
      0.4145608838078681,
      0.4149842079082664,
      0.41518952728008873,
      0.41525453659493666,
      0.41527607303149755,
      0.4152835194951541,
      0.4152862813713704
    };
    arm.start(Seeds.generator(0));
    for (int step = 0; step < 10; step++) {
      arm.advance(FetchReach.direction(5));
      assertEquals(heights[step], grip()[2], 1e-9, "step " + step);
      assertEquals(step < 3 ? 3 : 11, simulation.contacts(), "eight under the fingers");
    }
  }

  @Test
  void fiftyIdleStepsLetTheGripperSink() {
    arm.start(Seeds.generator(0));
    for (int step = 0; step < 50; step++) {
      arm.advance(new double[4]);
    }
    assertArrayEquals(new double[] {1.34306, 0.74911, 0.52556}, grip(), 1e-5);
  }

  @Test
  void theSimplestControllerReachesEveryGoal() {
    int reached = 0;
    double distances = 0;
    int inside = 0;
    for (int episode = 0; episode < 100; episode++) {
      arm.start(Seeds.generator(episode));
      for (int step = 0; step < 50; step++) {
        arm.advance(FetchReach.direction(greedy(grip(), arm.goal())));
        inside += reward(arm, "reach") == 0 ? 1 : 0;
      }
      distances += quantity(arm, "distance_to_goal");
      reached += reward(arm, "reach") == 0 ? 1 : 0;
    }
    assertEquals(100, reached);
    // The fact sheet's goals were others: 0.0176 m and 45.8 of 50 steps are means over 100 of them.
    assertEquals(0.0176, distances / 100, 0.002);
    assertEquals(45.8, inside / 100.0, 0.7);
  }

  @Test
  void theFourthNumberIsIgnoredAndTheOthersAreClipped() {
    arm.start(Seeds.generator(0));
    arm.advance(new double[] {0.5, 7, -1, 0});
    double[] one = arm.physics();
    arm.start(Seeds.generator(0));
    arm.advance(new double[] {0.5, 1, -3, 1});
    assertArrayEquals(one, arm.physics(), 0);
  }

  @Test
  void fingersAreShutAfterEveryStepButKeepTheirVelocity() {
    arm.start(Seeds.generator(0));
    arm.advance(FetchReach.direction(2));
    double[] seen = observation(arm);
    assertArrayEquals(new double[2], slice(seen, 3, 2), 0);
    double[] velocities = slice(simulation.qvel().toArray(), 13, 2);
    assertArrayEquals(
        new double[] {0.04 * velocities[0], 0.04 * velocities[1]}, slice(seen, 8, 2), 1e-15);
    assertTrue(velocities[0] != 0);
  }

  @Test
  void theGripsVelocityIsItsMotion() {
    arm.start(Seeds.generator(0));
    arm.advance(FetchReach.direction(1));
    arm.advance(FetchReach.direction(0));
    double[] seen = observation(arm);
    double[] physics = arm.physics();
    double step = 1e-6;
    double[][] places = new double[2][];
    for (int side = 0; side < 2; side++) {
      double[] moved = physics.clone();
      for (int i = 0; i < 15; i++) {
        moved[i] += (2 * side - 1) * step * physics[15 + i];
      }
      arm.recall(moved, 0);
      places[side] = site();
    }
    for (int axis = 0; axis < 3; axis++) {
      double velocity = (places[1][axis] - places[0][axis]) / (2 * step);
      assertEquals(0.04 * velocity, seen[5 + axis], 1e-9);
    }
  }

  @Test
  void reachingIsPaidWithinFiveCentimetresAndDenselyByDistance() {
    arm.start(Seeds.generator(0));
    double[] physics = arm.physics();
    double[] grip = grip();
    for (double distance : new double[] {0, 0.02, 0.0499, 0.0501, 0.3}) {
      physics[30] = grip[0] + 0.6 * distance;
      physics[31] = grip[1];
      physics[32] = grip[2] - 0.8 * distance;
      arm.recall(physics, 0);
      assertEquals(distance <= 0.05 ? 0 : -1, reward(arm, "reach"), "at " + distance);
      assertEquals(-distance, reward(arm, "reach_dense"), 1e-12);
    }
  }

  @Test
  void numberedActionsAreTheSixDirections() {
    double[][] expected = {
      {1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {-1, 0, 0, 0}, {0, -1, 0, 0}, {0, 0, -1, 0}
    };
    for (int action = 0; action < 6; action++) {
      assertArrayEquals(expected[action], FetchReach.direction(action));
    }
  }

  @Test
  void actionsAreTakenAsTheyAre() {
    double[] controls = new double[4];
    arm.toControls(new float[] {-1, 0, 0.5f, 1}, controls);
    assertArrayEquals(new double[] {-1, 0, 0.5, 1}, controls);
  }
}
