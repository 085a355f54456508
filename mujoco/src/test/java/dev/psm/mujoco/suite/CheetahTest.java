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
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.Seeds;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CheetahTest {
  private static final double[] HINGE_LOW = {-30, -50, -230, -57, -70, -28};
  private static final double[] HINGE_HIGH = {60, 50, 50, 0.40, 50, 28};
  private static final double[] SETTLED_FROM_THE_MIDDLE = {
    -0.0446786170336,
    -0.100930962298,
    0.0340225262908,
    -0.0265752903792,
    0.013838725357,
    -0.0628584926744,
    0.00741874020078,
    -0.0510166881778,
    -0.0379797968779
  };

  private final Cheetah cheetah = new Cheetah();

  @AfterEach
  void close() {
    cheetah.close();
  }

  private static double[] middle() {
    double[] physics = new double[18];
    for (int i = 0; i < 6; i++) {
      physics[3 + i] = radians((HINGE_LOW[i] + HINGE_HIGH[i]) / 2);
    }
    return physics;
  }

  private double[] positions() {
    return cheetah.simulation().qpos().toArray();
  }

  private static double[] randomPhysics(RandomGenerator random) {
    double[] physics = new double[18];
    for (int i = 0; i < 9; i++) {
      physics[i] = random.nextGaussian();
      physics[9 + i] = 3 * random.nextGaussian();
    }
    return physics;
  }

  @Test
  void theModelHasTheOriginalsSizesAndMass() {
    Checks.assertSizes(new Checks.Sizes(9, 9, 6, 0, 9, 3, 0), cheetah);
    assertEquals(8, cheetah.simulation().facts().size("nbody"));
    assertEquals(9, cheetah.simulation().facts().size("ngeom"));
    assertEquals(0.01, cheetah.simulation().facts().timestep());
    assertEquals(14, Checks.mass(cheetah), 1e-12);
    assertEquals(21.1837, Planar.massByDensity(cheetah), 5e-5);
  }

  @Test
  void theNominalPoseIsSeenAsZeroAndPaidNothing() {
    cheetah.start(new double[18]);
    assertArrayEquals(new double[17], observation(cheetah), 1e-14);
    for (String task : new String[] {"run", "run_backward", "walk", "walk_backward"}) {
      assertEquals(0, reward(cheetah, task), task);
    }
    assertArrayEquals(
        new double[] {0.0377677824268, 0, 0.551027615063}, Checks.centreOfMass(cheetah), 1e-12);
  }

  @Test
  void itSettlesFromTheNominalPoseAsTheOriginal() {
    cheetah.start(new double[18]);
    for (int step = 0; step < 200; step++) {
      assertTrue(cheetah.advance(new double[6]));
    }
    double[] expected = {
      -0.000609379177523,
      -0.106435262732,
      0.0379268943716,
      -0.0132522813089,
      0.0265319885771,
      -0.0536533845455,
      0.00701210799781,
      -0.0746302193243,
      -0.0635830798686
    };
    assertArrayEquals(expected, positions(), 1e-11);
    assertEquals(2, cheetah.simulation().contacts());
  }

  @Test
  void aStartSettlesBeforeTheFirstLookAtItsPosture() {
    cheetah.start(Checks.MIDDLE);
    assertArrayEquals(SETTLED_FROM_THE_MIDDLE, positions(), 1e-11);
    assertEquals(0, cheetah.simulation().time());
    assertArrayEquals(new double[6], cheetah.simulation().ctrl().toArray());
    // What settling leaves is not zeroed: neither the velocities nor how far it slid.
    assertNotEquals(0, cheetah.simulation().qvel().get(0));
  }

  @Test
  void aForwardPassBeforeSettlingWouldShow() {
    cheetah.start(middle());
    cheetah.settle();
    assertArrayEquals(
        new double[] {-0.0443830951307, -0.100615990634, 0.0338309748863},
        slice(positions(), 0, 3),
        1e-11);
    assertNotEquals(SETTLED_FROM_THE_MIDDLE[0], positions()[0], 1e-5);
  }

  @Test
  void theLegsAreDrawnInTheModelsOrder() {
    for (int seed = 0; seed < 10; seed++) {
      RandomGenerator random = Seeds.generator(seed);
      double[] drawn = new double[9];
      for (int i = 0; i < 6; i++) {
        double low = radians(HINGE_LOW[i]);
        drawn[3 + i] = low + (radians(HINGE_HIGH[i]) - low) * random.nextDouble();
      }
      cheetah.simulation().reset();
      cheetah.simulation().forwardPassive();
      cheetah.simulation().qpos().setAll(drawn, 0);
      cheetah.settle();
      double[] expected = positions();
      cheetah.start(Seeds.generator(seed));
      // The ranges' degrees are turned to radians by the engine, in other digits than ours.
      assertArrayEquals(expected, positions(), 1e-9, "seed " + seed);
    }
  }

  @Test
  void theObservationIsEverythingButHowFarItRan() {
    double[] physics = randomPhysics(Seeds.generator(1));
    cheetah.recall(physics, 0);
    assertArrayEquals(slice(physics, 1, 17), observation(cheetah), 0);
  }

  @Test
  void momentaAreTheSumsOverTheBodies() {
    RandomGenerator random = Seeds.generator(2);
    for (int trial = 0; trial < 20; trial++) {
      Planar planar = new Planar(cheetah, randomPhysics(random), 14);
      assertEquals(planar.velocity()[0], quantity(cheetah, "velocity_x"), 1e-8);
      assertEquals(planar.velocity()[2], quantity(cheetah, "velocity_z"), 1e-8);
      assertEquals(planar.angularMomentum(), quantity(cheetah, "angular_momentum"), 1e-7);
      assertArrayEquals(planar.centre(), Checks.centreOfMass(cheetah), 1e-12);
    }
  }

  @Test
  void rewardsAreTheirClosedFormsInAnyState() {
    RandomGenerator random = Seeds.generator(3);
    int partly = 0;
    for (int trial = 0; trial < 200; trial++) {
      double v = new Planar(cheetah, randomPhysics(random), 14).velocity()[0];
      assertEquals(clamp(v / 10), reward(cheetah, "run"), 1e-8);
      assertEquals(clamp(-v / 10), reward(cheetah, "run_backward"), 1e-8);
      assertEquals(clamp(v / 2), reward(cheetah, "walk"), 1e-8);
      assertEquals(clamp(-v / 2), reward(cheetah, "walk_backward"), 1e-8);
      partly += Math.abs(v) < 2 ? 1 : 0;
    }
    assertTrue(partly > 20 && partly < 180, "partly " + partly);
  }

  @Test
  void actionsAreControls() {
    Checks.assertControls(filled(6, -1), filled(6, 1), cheetah);
  }
}
