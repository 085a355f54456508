package dev.psm.mujoco.suite;

import static dev.psm.mujoco.suite.Checks.clamp;
import static dev.psm.mujoco.suite.Checks.observation;
import static dev.psm.mujoco.suite.Checks.quantity;
import static dev.psm.mujoco.suite.Checks.reward;
import static dev.psm.mujoco.suite.Checks.slice;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.Seeds;
import dev.psm.mujoco.Simulation;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuadrupedTest {
  private static final int ACCELEROMETER = 48;

  private final Quadruped quadruped = new Quadruped();
  private final Simulation simulation = quadruped.simulation();

  @AfterEach
  void close() {
    quadruped.close();
  }

  private static double[] upright(double height) {
    double[] physics = new double[57];
    physics[2] = height;
    physics[3] = 1;
    return physics;
  }

  private static double[] quaternion(RandomGenerator random) {
    double[] q = new double[4];
    double squared = 0;
    for (int i = 0; i < 4; i++) {
      q[i] = random.nextGaussian();
      squared += q[i] * q[i];
    }
    for (int i = 0; i < 4; i++) {
      q[i] /= Math.sqrt(squared);
    }
    return q;
  }

  @Test
  void theModelHasTheOriginalsSizesAndMass() {
    Checks.assertSizes(new Checks.Sizes(23, 22, 12, 12, 17, 36, 4), quadruped);
    assertEquals(18, simulation.facts().size("nbody"));
    assertEquals(20, simulation.facts().size("ngeom"));
    assertEquals(12, simulation.facts().size("ntendon"));
    assertEquals(0.005, simulation.facts().timestep());
    assertEquals(107.117905840073, Checks.mass(quadruped), 1e-11);
  }

  @Test
  void theNominalPoseIsSeenAndPaidAsInTheOriginal() {
    quadruped.start(upright(0.57));
    double[] expected = new double[78];
    expected[47] = 1;
    assertArrayEquals(expected, observation(quadruped), 1e-13);
    assertEquals(0, simulation.contacts());
    assertEquals(1, reward(quadruped, "stand"), 1e-14);
    assertEquals(0.5, reward(quadruped, "walk"), 1e-14);
    assertEquals(0.5, reward(quadruped, "run"), 1e-14);
    assertEquals(0.772170518972, reward(quadruped, "jump"), 1e-12);
    assertEquals(0.544341037944, quantity(quadruped, "com_height"), 1e-12);
    assertEquals(0.544341037944, Checks.centreOfMass(quadruped)[2], 1e-12);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 0, 0, 0, 0.52",
    "0, 1, 0, 0, 0.20",
    "0.5, 0.5, 0.5, 0.5, 0.67",
    "0.70710678, 0, 0.70710678, 0, 0.67",
    "0.8, -0.2, 0.4, 0.4, 0.82"
  })
  void aStartIsAsLowAsItsOrientationAllows(
      double w, double x, double y, double z, double expected) {
    quadruped.findHeight(new double[] {w, x, y, z});
    assertEquals(expected, simulation.qpos().get(2), 1e-12);
    assertEquals(0, simulation.contacts());
    assertEquals(1 - 2 * (x * x + y * y), quantity(quadruped, "upright"), 1e-8);
  }

  @Test
  void theHeightIsTheSumOfManyCentimetres() {
    quadruped.findHeight(new double[] {1, 0, 0, 0});
    // 53 attempts, so 52 additions; 0.52 itself is another double.
    assertEquals(0.5200000000000002, simulation.qpos().get(2), 0);
  }

  @Test
  void aStartIsAnyOrientationAtRest() {
    double sum = 0;
    double squares = 0;
    int starts = 300;
    for (int seed = 0; seed < starts; seed++) {
      quadruped.start(Seeds.generator(seed));
      double[] physics = quadruped.physics();
      double[] expected = new double[57];
      System.arraycopy(quaternion(Seeds.generator(seed)), 0, expected, 3, 4);
      expected[2] = physics[2];
      assertArrayEquals(expected, physics, 1e-15);
      assertEquals(0, simulation.contacts());
      assertEquals(0, simulation.time());
      double upright = quantity(quadruped, "upright");
      sum += upright;
      squares += upright * upright;
    }
    // The cosine of the tilt of a uniform orientation is itself uniform in [-1, 1].
    assertEquals(0, sum / starts, 3 / Math.sqrt(3.0 * starts));
    assertEquals(1.0 / 3, squares / starts, 3 * Math.sqrt(4.0 / 45 / starts));
  }

  @Test
  void aStartFallsFreelyAndFeelsNothing() {
    quadruped.start(Seeds.generator(5));
    double[] seen = observation(quadruped);
    for (int i = ACCELEROMETER; i < 78; i++) {
      assertEquals(0, seen[i], 1e-9, "number " + i);
    }
  }

  @Test
  void itSettlesOnItsFeetAsTheOriginal() {
    quadruped.start(upright(0.6));
    for (int step = 0; step < 500; step++) {
      assertTrue(quadruped.advance(new double[12]));
    }
    assertEquals(0.453820115742, simulation.qpos().get(2), 1e-9);
    assertEquals(0.4423880849, quantity(quadruped, "com_height"), 1e-9);
    assertEquals(4, simulation.contacts());
    double[] sensors = simulation.sensors().toArray();
    assertArrayEquals(new double[] {0, 0, 9.81}, slice(sensors, 0, 3), 1e-3);
    assertArrayEquals(new double[] {-0.20, 0, -252.2}, slice(sensors, 9, 3), 0.05);
    for (String leg : new String[] {"front_left", "front_right", "back_right", "back_left"}) {
      double pitch = quantity(quadruped, "pitch_" + leg + "_angle");
      double knee = quantity(quadruped, "knee_" + leg + "_angle");
      double ankle = quantity(quadruped, "ankle_" + leg + "_angle");
      if (leg.equals("front_left")) {
        assertEquals(-0.1121, pitch, 5e-5);
        assertEquals(-0.0077, knee, 5e-5);
        assertEquals(0.1190, ankle, 5e-5);
      }
      // The coupling tendon holds their sum.
      assertEquals(0, pitch + knee + ankle, 2e-3, leg);
    }
  }

  @Test
  void accelerationsAreSeenOneSubstepLateAndEverythingElseIsFresh() {
    quadruped.start(upright(0.55));
    for (int t = 0; t < 20; t++) {
      double[] controls = new double[12];
      for (int i = 0; i < 12; i++) {
        controls[i] = 0.5 * Math.sin(i + t);
      }
      quadruped.advance(controls);
    }
    double[] seen = observation(quadruped);
    assertArrayEquals(
        new double[] {1.2128182, -0.246266157, 8.95047804}, slice(seen, ACCELEROMETER, 3), 1e-7);
    simulation.forward();
    double[] fresh = observation(quadruped);
    assertArrayEquals(
        new double[] {1.32204099, -0.956181743, 9.37010568}, slice(fresh, ACCELEROMETER, 3), 1e-7);
    assertArrayEquals(slice(fresh, 0, 48), slice(seen, 0, 48), 1e-12);
    assertArrayEquals(slice(fresh, 51, 3), slice(seen, 51, 3), 1e-12, "gyro");
  }

  @Test
  void theObservationIsInTheOriginalsOrder() {
    RandomGenerator random = Seeds.generator(6);
    double[] physics = upright(0.5);
    for (int i = 7; i < 57; i++) {
      physics[i] = 0.2 * random.nextGaussian();
    }
    quadruped.recall(physics, 0);
    double[] sensors = simulation.sensors().toArray();
    double[] seen = observation(quadruped);
    assertArrayEquals(slice(physics, 7, 16), slice(seen, 0, 16), 0, "angles");
    assertArrayEquals(slice(physics, 29, 16), slice(seen, 16, 16), 0, "velocities");
    assertArrayEquals(slice(physics, 45, 12), slice(seen, 32, 12), 0, "activations");
    assertArrayEquals(slice(sensors, 6, 3), slice(seen, 44, 3), 0, "velocimeter");
    assertEquals(1, seen[47], 1e-15, "upright");
    assertArrayEquals(slice(sensors, 0, 3), slice(seen, 48, 3), 0, "accelerometer");
    assertArrayEquals(slice(sensors, 3, 3), slice(seen, 51, 3), 0, "gyro");
    // An upright body's own axes are the world's.
    assertArrayEquals(slice(physics, 23, 3), slice(seen, 44, 3), 1e-14);
    assertArrayEquals(slice(physics, 26, 3), slice(seen, 51, 3), 1e-14);
    boolean touching = false;
    for (int i = 0; i < 24; i++) {
      double force = sensors[9 + i];
      assertEquals(Math.sinh(seen[54 + i]), force, 1e-9 * (1 + Math.abs(force)), "force " + i);
      touching |= Math.abs(force) > 10;
    }
    assertTrue(touching);
  }

  @Test
  void rewardsAreTheirClosedFormsInAnyState() {
    RandomGenerator random = Seeds.generator(7);
    int partly = 0;
    for (int trial = 0; trial < 200; trial++) {
      double[] q = quaternion(random);
      double[] physics = upright(2 * random.nextDouble());
      System.arraycopy(q, 0, physics, 3, 4);
      double[] velocity = {random.nextGaussian(), random.nextGaussian(), random.nextGaussian()};
      System.arraycopy(velocity, 0, physics, 23, 3);
      quadruped.recall(physics, 0);
      double w = q[0];
      double x = q[1];
      double y = q[2];
      double z = q[3];
      double upright = (1 + 1 - 2 * (x * x + y * y)) / 2;
      // The body's forward axis in the world, times its velocity there.
      double vx =
          (1 - 2 * (y * y + z * z)) * velocity[0]
              + 2 * (x * y + w * z) * velocity[1]
              + 2 * (x * z - w * y) * velocity[2];
      double height = Checks.centreOfMass(quadruped)[2];
      assertEquals(upright, reward(quadruped, "stand"), 1e-12);
      assertEquals(upright * clamp(0.5 + vx), reward(quadruped, "walk"), 1e-12);
      assertEquals(upright * clamp(0.5 + vx / 10), reward(quadruped, "run"), 1e-12);
      assertEquals(upright * clamp(0.5 + height / 2), reward(quadruped, "jump"), 1e-12);
      partly += Math.abs(vx) < 0.5 ? 1 : 0;
    }
    assertTrue(partly > 20 && partly < 180, "partly " + partly);
  }

  @Test
  void actionsAreStretchedToEachActuatorsRange() {
    double[] low = new double[12];
    double[] high = new double[12];
    for (int leg = 0; leg < 4; leg++) {
      System.arraycopy(new double[] {-1, -1, -0.8}, 0, low, 3 * leg, 3);
      System.arraycopy(new double[] {1, 1.1, 0.8}, 0, high, 3 * leg, 3);
    }
    Checks.assertControls(low, high, quadruped);
    double[] controls = new double[12];
    quadruped.toControls(new float[12], controls);
    assertEquals(0.05, controls[1], 1e-15, "no action still lifts a little");
  }
}
