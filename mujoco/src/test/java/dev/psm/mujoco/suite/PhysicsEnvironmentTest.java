package dev.psm.mujoco.suite;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.Seeds;
import dev.psm.core.UserError;
import dev.psm.core.env.Environment;
import dev.psm.mujoco.View;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PhysicsEnvironmentTest {
  static List<String> domains() {
    return DomainFacts.all().stream().map(DomainFacts::name).toList();
  }

  private static PhysicsEnvironment open(String name) {
    return PhysicsEnvironment.open(name, DomainFacts.named(name).tasks().get(0).name());
  }

  private static float[] action(PhysicsEnvironment environment, RandomGenerator random) {
    float[] action = new float[environment.actionSpace().size()];
    for (int i = 0; i < action.length; i++) {
      action[i] = 2 * random.nextFloat() - 1;
    }
    return action;
  }

  private static void assertFinite(float[] observation) {
    for (float number : observation) {
      assertTrue(Float.isFinite(number), Arrays.toString(observation));
    }
  }

  @ParameterizedTest
  @MethodSource("domains")
  void anEpisodeHasItsFixedLengthAndIsOnlyEverTruncated(String name) {
    try (PhysicsEnvironment environment = open(name)) {
      IllegalStateException early =
          assertThrows(
              IllegalStateException.class,
              () -> environment.step(new float[environment.actionSpace().size()]));
      assertEquals(name + ": call reset before step", early.getMessage());
      RandomGenerator random = Seeds.generator(1);
      assertFinite(environment.reset(1).observation());
      int length = environment.domain().facts().episodeSteps();
      for (int i = 1; i <= length; i++) {
        Environment.Step step = environment.step(action(environment, random));
        assertFalse(step.terminated());
        assertEquals(i == length, step.truncated());
        assertEquals(environment.observationSpace().size(), step.observation().length);
        assertFinite(step.observation());
      }
      assertThrows(
          IllegalStateException.class, () -> environment.step(action(environment, random)));
      environment.reset();
      environment.step(action(environment, random));
      assertEquals(0, environment.divergences());
    }
  }

  @Test
  void aBadActionIsRefusedWithItsPlaceAndTheStateStays() {
    try (PhysicsEnvironment environment = open("walker")) {
      environment.reset(0);
      double[] before = environment.state();
      assertRefused(environment, null, "walker: there is no action");
      assertRefused(environment, new float[5], "walker: an action has 6 numbers, found 5");
      for (float bad : new float[] {Float.NaN, Float.POSITIVE_INFINITY}) {
        float[] action = new float[6];
        action[4] = bad;
        assertRefused(
            environment, action, "walker: number 4 of the action must be finite, found " + bad);
      }
      assertArrayEquals(before, environment.state());
    }
  }

  private static void assertRefused(
      PhysicsEnvironment environment, float[] action, String message) {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> environment.step(action));
    assertEquals(message, refused.getMessage());
  }

  @ParameterizedTest
  @MethodSource("domains")
  void anActionBeyondItsBoundsActsAsTheBound(String name) {
    try (PhysicsEnvironment clamped = open(name);
        PhysicsEnvironment wild = open(name)) {
      clamped.reset(2);
      wild.reset(2);
      float[] one = new float[clamped.actionSpace().size()];
      float[] huge = new float[one.length];
      Arrays.fill(one, 1);
      Arrays.fill(huge, Float.MAX_VALUE);
      for (int i = 0; i < 10; i++) {
        assertArrayEquals(clamped.step(one).observation(), wild.step(huge).observation());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("domains")
  void aBlowUpTruncatesWithTheLastGoodObservationAndAResetHeals(String name) {
    List<Function<PhysicsEnvironment, View>> places =
        List.of(
            environment -> environment.domain().simulation().qpos(),
            environment -> environment.domain().simulation().qvel());
    try (PhysicsEnvironment environment = open(name);
        PhysicsEnvironment healthy = open(name)) {
      RandomGenerator random = Seeds.generator(3);
      int blown = 0;
      for (Function<PhysicsEnvironment, View> place : places) {
        for (double bad : new double[] {Double.NaN, 1e12}) {
          environment.reset(3);
          Environment.Step good = environment.step(action(environment, random));
          place.apply(environment).set(0, bad);
          Environment.Step last = environment.step(action(environment, random));
          assertArrayEquals(good.observation(), last.observation());
          assertFinite(last.observation());
          assertEquals(0, last.reward());
          assertTrue(last.truncated());
          assertFalse(last.terminated());
          assertEquals(true, last.info().get("diverged"));
          assertEquals(++blown, environment.divergences());
          assertThrows(
              IllegalStateException.class, () -> environment.step(action(environment, random)));
        }
      }
      // Over by divergence is over for good, also by way of a stored state.
      double[] over = environment.state();
      environment.setState(over);
      assertThrows(
          IllegalStateException.class, () -> environment.step(action(environment, random)));

      assertArrayEquals(healthy.reset(4).observation(), environment.reset(4).observation());
      for (int i = 0; i < 20; i++) {
        float[] action = action(environment, random);
        Environment.Step step = environment.step(action);
        assertEquals(List.of(), List.copyOf(step.info().keySet()));
        assertArrayEquals(healthy.step(action).observation(), step.observation());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("domains")
  void aRestoredStateContinuesToTheLastBitHereAndElsewhere(String name) {
    try (PhysicsEnvironment environment = open(name);
        PhysicsEnvironment other = open(name)) {
      RandomGenerator random = Seeds.generator(5);
      environment.reset(5);
      int length = Math.min(50, environment.domain().facts().episodeSteps());
      double[] middle = null;
      List<float[]> actions = new ArrayList<>();
      List<Environment.Step> steps = new ArrayList<>();
      for (int i = 0; i < length; i++) {
        if (i == 20) {
          middle = environment.state();
        }
        actions.add(action(environment, random));
        steps.add(environment.step(actions.get(i)));
      }
      double[] end = environment.state();
      for (PhysicsEnvironment restored : List.of(environment, other)) {
        restored.setState(middle);
        assertArrayEquals(middle, restored.state());
        for (int i = 20; i < length; i++) {
          Environment.Step again = restored.step(actions.get(i));
          assertArrayEquals(steps.get(i).observation(), again.observation(), "step " + i);
          assertEquals(steps.get(i).reward(), again.reward(), "step " + i);
          assertEquals(steps.get(i).truncated(), again.truncated(), "step " + i);
        }
        assertArrayEquals(end, restored.state());
      }
    }
  }

  /** Its torso has a quaternion, which the engine would normalise once more. */
  @Test
  void everyStateOfTheQuadrupedIsRestoredToTheLastBit() {
    try (PhysicsEnvironment environment = open("quadruped");
        PhysicsEnvironment other = open("quadruped")) {
      RandomGenerator random = Seeds.generator(12);
      environment.reset(12);
      for (int i = 0; i < 200; i++) {
        double[] state = environment.state();
        other.setState(state);
        assertArrayEquals(state, other.state(), "step " + i);
        float[] action = action(environment, random);
        environment.step(action);
        other.step(action);
        assertArrayEquals(environment.state(), other.state(), "step " + i);
      }
      double[] unnormalised = environment.state();
      unnormalised[2 + 3] += 1;
      other.setState(unnormalised);
      assertFinite(other.step(action(other, random)).observation());
    }
  }

  @Test
  void aStateThatCannotBeIsRefused() {
    try (PhysicsEnvironment environment = open("walker")) {
      environment.reset(0);
      double[] state = environment.state();
      IllegalArgumentException wrongLength =
          assertThrows(IllegalArgumentException.class, () -> environment.setState(new double[3]));
      assertEquals(
          "walker: a state has %d numbers, found 3".formatted(state.length),
          wrongLength.getMessage());
      double[] nan = state.clone();
      nan[7] = Double.NaN;
      IllegalArgumentException notFinite =
          assertThrows(IllegalArgumentException.class, () -> environment.setState(nan));
      assertEquals("walker: number 7 of a state must be finite, found NaN", notFinite.getMessage());
      double[] late = state.clone();
      late[0] = 1001;
      assertThrows(IllegalArgumentException.class, () -> environment.setState(late));
      assertArrayEquals(state, environment.state(), "and leaves the environment as it was");
    }
  }

  @ParameterizedTest
  @MethodSource("domains")
  void theSameSeedGivesTheSameEpisodesAndResetWithoutOneGoesOn(String name) {
    try (PhysicsEnvironment one = open(name);
        PhysicsEnvironment two = open(name)) {
      two.reset(99);
      two.step(new float[two.actionSpace().size()]);
      // What the environment did before must not show.
      double[] first = startOf(one, 8);
      assertArrayEquals(first, startOf(two, 8));
      for (int i = 0; i < 3; i++) {
        one.reset();
        two.reset();
        assertArrayEquals(one.state(), two.state());
        assertNotEquals(Arrays.toString(first), Arrays.toString(one.state()), "a new start");
      }
      assertArrayEquals(first, startOf(one, 8));
      assertNotEquals(Arrays.toString(first), Arrays.toString(startOf(one, 9)));
    }
  }

  private static double[] startOf(PhysicsEnvironment environment, long seed) {
    environment.reset(seed);
    return environment.state();
  }

  @Test
  void aClosedEnvironmentSaysSo() {
    PhysicsEnvironment environment = open("maze");
    environment.reset(0);
    environment.close();
    environment.close();
    assertThrows(IllegalStateException.class, () -> environment.step(new float[2]));
    assertThrows(IllegalStateException.class, environment::reset);
    assertThrows(IllegalStateException.class, environment::state);
  }

  @Test
  void anUnknownNameIsToldWithTheNearest() {
    assertUsage(
        "there is no environment 'wlaker'; did you mean 'walker'?",
        () -> PhysicsEnvironment.open("wlaker", "walk"));
    assertUsage(
        "there is no environment 'humanoid'; known: cheetah, fetchreach, fetchreach_discrete,"
            + " point_mass_maze, quadruped, walker",
        () -> PhysicsEnvironment.open("humanoid", "walk"));
    assertUsage(
        "walker has no task 'wakl'; did you mean 'walk'?",
        () -> DomainFacts.named("walker").task("wakl"));
    assertUsage(
        "walker has no quantity 'torso_heigth'; did you mean 'torso_height'?",
        () -> DomainFacts.named("walker").quantity("torso_heigth"));
    assertEquals("point_mass_maze", DomainFacts.named("maze").name());
  }

  private static void assertUsage(String message, Runnable use) {
    UserError error = assertThrows(UserError.class, use::run);
    assertEquals(message, error.getMessage());
    assertEquals(2, error.exitCode());
  }
}
