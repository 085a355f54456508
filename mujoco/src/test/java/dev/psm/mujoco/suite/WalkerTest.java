package dev.psm.mujoco.suite;

import static dev.psm.mujoco.suite.Checks.clamp;
import static dev.psm.mujoco.suite.Checks.filled;
import static dev.psm.mujoco.suite.Checks.observation;
import static dev.psm.mujoco.suite.Checks.quantity;
import static dev.psm.mujoco.suite.Checks.radians;
import static dev.psm.mujoco.suite.Checks.reward;
import static dev.psm.mujoco.suite.Checks.slice;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.Seeds;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WalkerTest {
  private static final double MASS = 28.5403220603121;
  private static final double[] POSE = {0, 0, 0.3, 0.2, -0.5, 0.1, 0.6, -1.0, -0.2};
  private static final double[] HINGE_LOW = {-20, -150, -45, -20, -150, -45};
  private static final double[] HINGE_HIGH = {100, 0, 45, 100, 0, 45};

  private final Domain walker = Walker.WORLD.openDomain();

  @AfterEach
  void close() {
    walker.close();
  }

  private static double[] pose() {
    double[] physics = new double[18];
    System.arraycopy(POSE, 0, physics, 0, 9);
    for (int i = 0; i < 9; i++) {
      physics[9 + i] = 0.1 * (i + 1);
    }
    return physics;
  }

  private static double[] randomPhysics(RandomGenerator random) {
    double[] physics = new double[18];
    for (int i = 0; i < 9; i++) {
      physics[i] = i == 0 ? 1.2 * random.nextDouble() - 1 : 2 * random.nextGaussian();
      physics[9 + i] = 3 * random.nextGaussian();
    }
    return physics;
  }

  @Test
  void theModelHasTheOriginalsSizesAndMass() {
    Checks.assertSizes(new Checks.Sizes(9, 9, 6, 0, 9, 3, 0), walker);
    assertEquals(8, walker.simulation().facts().size("nbody"));
    assertEquals(8, walker.simulation().facts().size("ngeom"));
    assertEquals(0.0025, walker.simulation().facts().timestep());
    assertEquals(MASS, Checks.mass(walker), 1e-12);
    assertEquals(MASS, Planar.massByDensity(walker), 1e-12);
  }

  @Test
  void standingStraightIsSeenAndPaidAsInTheOriginal() {
    walker.start(new double[18]);
    double[] expected = new double[24];
    for (int body = 0; body < 7; body++) {
      expected[2 * body] = 1;
    }
    expected[14] = 1.3;
    assertArrayEquals(expected, observation(walker), 1e-14);
    assertEquals(1, reward(walker, "stand"), 1e-14);
    for (String task : new String[] {"walk", "run", "flip"}) {
      assertEquals(1.0 / 6, reward(walker, task), 1e-14, task);
    }
    assertArrayEquals(
        new double[] {0.00880604681882, 0, 0.77234350921}, Checks.centreOfMass(walker), 1e-11);
  }

  @Test
  void aBentPoseInMotionIsSeenAndMeasuredAsInTheOriginal() {
    walker.start(pose());
    double[] seen = observation(walker);
    double[] orientations = {
      0.955336489126, 0.295520206661, 0.995004165278, 0.0998334166468, 0.82533561491,
      0.564642473395, 0.87758256189, 0.479425538604, 0.955336489126, -0.295520206661,
      0.764842187284, 0.644217687238, 0.621609968271, 0.783326909627
    };
    assertArrayEquals(orientations, slice(seen, 0, 14), 1e-11);
    assertEquals(1.3, seen[14], 1e-14);
    assertArrayEquals(slice(pose(), 9, 9), slice(seen, 15, 9), 0);
    assertEquals(0.294655434581, quantity(walker, "velocity_x"), 1e-11);
    assertEquals(-1.93666197625, quantity(walker, "angular_momentum"), 1e-10);
    assertEquals(-0.10140429115, quantity(walker, "com_x"), 1e-11);
    assertEquals(0.805599966719, quantity(walker, "com_height"), 1e-11);
  }

  @Test
  void theObservationIsEachBodysTotalPitchThenHeightThenVelocities() {
    RandomGenerator random = Seeds.generator(1);
    for (int trial = 0; trial < 20; trial++) {
      double[] physics = randomPhysics(random);
      walker.recall(physics, 0);
      double[] expected = new double[24];
      int at = 0;
      double torso = physics[2];
      // Joint axes are -y, so a joint's angle is taken off the pitch of what it carries.
      double rightThigh = torso - physics[3];
      double rightLeg = rightThigh - physics[4];
      double leftThigh = torso - physics[6];
      double leftLeg = leftThigh - physics[7];
      for (double pitch :
          new double[] {
            torso,
            rightThigh,
            rightLeg,
            rightLeg - physics[5],
            leftThigh,
            leftLeg,
            leftLeg - physics[8]
          }) {
        expected[at++] = Math.cos(pitch);
        expected[at++] = Math.sin(pitch);
      }
      expected[at++] = 1.3 + physics[0];
      System.arraycopy(physics, 9, expected, at, 9);
      assertArrayEquals(expected, observation(walker), 1e-12);
    }
  }

  @Test
  void momentaAreTheSumsOverTheBodies() {
    RandomGenerator random = Seeds.generator(2);
    for (int trial = 0; trial < 20; trial++) {
      Planar planar = new Planar(walker, randomPhysics(random), MASS);
      assertEquals(planar.velocity()[0], quantity(walker, "velocity_x"), 1e-8);
      assertEquals(planar.velocity()[2], quantity(walker, "velocity_z"), 1e-8);
      assertEquals(planar.angularMomentum(), quantity(walker, "angular_momentum"), 1e-7);
      assertArrayEquals(planar.centre(), Checks.centreOfMass(walker), 1e-12);
    }
    Planar planar = new Planar(walker, pose(), MASS);
    assertEquals(-1.93666197625, planar.angularMomentum(), 1e-10);
  }

  @Test
  void rewardsAreTheirClosedFormsInAnyState() {
    RandomGenerator random = Seeds.generator(3);
    int low = 0;
    int moving = 0;
    for (int trial = 0; trial < 200; trial++) {
      double[] physics = randomPhysics(random);
      Planar planar = new Planar(walker, physics, MASS);
      double height = 1.3 + physics[0];
      double upright = (1 + Math.cos(physics[2])) / 2;
      double standing = height >= 1.2 ? 1 : Math.pow(10, -Math.pow((1.2 - height) / 0.6, 2));
      double stand = (3 * standing + upright) / 4;
      double v = planar.velocity()[0];
      double spin = planar.angularMomentum();
      assertEquals(stand, reward(walker, "stand"), 1e-12);
      assertEquals(stand * (5 * clamp(v) + 1) / 6, reward(walker, "walk"), 1e-7);
      assertEquals(stand * (5 * clamp(v / 8) + 1) / 6, reward(walker, "run"), 1e-7);
      assertEquals(stand * (5 * clamp(spin / 5) + 1) / 6, reward(walker, "flip"), 1e-7);
      low += standing < 1 ? 1 : 0;
      moving += v > 0 && v < 1 ? 1 : 0;
    }
    // The trials must have met both sides of the bounds.
    assertTrue(low > 20 && low < 180, "low " + low);
    assertTrue(moving > 10, "moving " + moving);
  }

  @Test
  void atHalfTheHeightATenthIsLeftForStanding() {
    double[] physics = new double[18];
    physics[0] = 0.6 - 1.3;
    walker.recall(physics, 0);
    assertEquals((3 * 0.1 + 1) / 4, reward(walker, "stand"), 1e-14);
  }

  @Test
  void aStartDrawsTheTurnAndThenEachJointInOrder() {
    for (int seed = 0; seed < 50; seed++) {
      RandomGenerator random = Seeds.generator(seed);
      double[] expected = new double[18];
      expected[2] = Math.PI * (2 * random.nextDouble() - 1);
      for (int i = 0; i < 6; i++) {
        double low = radians(HINGE_LOW[i]);
        expected[3 + i] = low + (radians(HINGE_HIGH[i]) - low) * random.nextDouble();
      }
      walker.start(Seeds.generator(seed));
      assertArrayEquals(expected, walker.physics(), 1e-14);
      assertEquals(0, walker.simulation().time());
    }
  }

  @Test
  void startsFillTheJointsRanges() {
    double[] least = filled(9, Double.POSITIVE_INFINITY);
    double[] most = filled(9, Double.NEGATIVE_INFINITY);
    RandomGenerator random = Seeds.generator(4);
    for (int trial = 0; trial < 500; trial++) {
      walker.start(random);
      double[] physics = walker.physics();
      for (int i = 0; i < 9; i++) {
        least[i] = Math.min(least[i], physics[i]);
        most[i] = Math.max(most[i], physics[i]);
      }
    }
    assertEquals(-Math.PI, least[2], 0.05);
    assertEquals(Math.PI, most[2], 0.05);
    for (int i = 0; i < 6; i++) {
      assertTrue(least[3 + i] >= radians(HINGE_LOW[i]) && most[3 + i] <= radians(HINGE_HIGH[i]));
      assertEquals(radians(HINGE_LOW[i]), least[3 + i], 0.06);
      assertEquals(radians(HINGE_HIGH[i]), most[3 + i], 0.06);
    }
  }

  @Test
  void actionsAreControls() {
    Checks.assertControls(filled(6, -1), filled(6, 1), walker);
  }
}
