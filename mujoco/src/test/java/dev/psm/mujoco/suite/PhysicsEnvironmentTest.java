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
import dev.psm.core.env.Space;
import dev.psm.core.env.World;
import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.Task;
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
    return Robots.all().stream().map(RobotWorld::name).toList();
  }

  private static float[] action(PhysicsEnvironment environment, RandomGenerator random) {
    return Robots.action(environment.domain().world(), random);
  }

  private static void assertFinite(float[] observation) {
    for (float number : observation) {
      assertTrue(Float.isFinite(number), Arrays.toString(observation));
    }
  }

  @ParameterizedTest
  @MethodSource("domains")
  void anEpisodeHasItsFixedLengthAndIsOnlyEverTruncated(String name) {
    try (PhysicsEnvironment environment = Robots.open(name)) {
      IllegalStateException early =
          assertThrows(
              IllegalStateException.class,
              () -> environment.step(new float[environment.domain().world().actionSize()]));
      assertEquals(name + ": call reset before step", early.getMessage());
      RandomGenerator random = Seeds.generator(1);
      RandomGenerator starts = Seeds.generator(1);
      assertFinite(environment.reset(starts));
      int length = environment.domain().world().episodeSteps();
      for (int i = 1; i <= length; i++) {
        Environment.Step step = environment.step(action(environment, random));
        assertFalse(step.terminated());
        assertEquals(i == length, step.truncated());
        assertEquals(environment.domain().world().observationSize(), step.observation().length);
        assertFinite(step.observation());
      }
      assertThrows(
          IllegalStateException.class, () -> environment.step(action(environment, random)));
      environment.reset(starts);
      environment.step(action(environment, random));
      assertEquals(0, environment.divergences());
    }
  }

  @Test
  void aBadActionIsRefusedWithItsPlaceAndTheStateStays() {
    try (PhysicsEnvironment environment = Robots.open("walker")) {
      Robots.reset(environment, 0);
      double[] before = environment.moment();
      assertRefused(environment, null, "walker: there is no action");
      assertRefused(environment, new float[5], "walker: an action has 6 numbers, found 5");
      for (float bad : new float[] {Float.NaN, Float.POSITIVE_INFINITY}) {
        float[] action = new float[6];
        action[4] = bad;
        assertRefused(
            environment, action, "walker: number 4 of the action must be finite, found " + bad);
      }
      assertArrayEquals(before, environment.moment());
    }
  }

  private static void assertRefused(
      PhysicsEnvironment environment, float[] action, String message) {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> environment.step(action));
    assertEquals(message, refused.getMessage());
  }

  static List<String> vectorDomains() {
    return Robots.all().stream()
        .filter(world -> world.actionSpace() instanceof Space.Box)
        .map(RobotWorld::name)
        .toList();
  }

  @ParameterizedTest
  @MethodSource("vectorDomains")
  void anActionBeyondItsBoundsActsAsTheBound(String name) {
    try (PhysicsEnvironment clamped = Robots.open(name);
        PhysicsEnvironment wild = Robots.open(name)) {
      Robots.reset(clamped, 2);
      Robots.reset(wild, 2);
      float[] one = new float[clamped.domain().world().actionSize()];
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
    try (PhysicsEnvironment environment = Robots.open(name);
        PhysicsEnvironment healthy = Robots.open(name)) {
      RandomGenerator random = Seeds.generator(3);
      int blown = 0;
      for (Function<PhysicsEnvironment, View> place : places) {
        for (double bad : new double[] {Double.NaN, 1e12}) {
          Robots.reset(environment, 3);
          Environment.Step good = environment.step(action(environment, random));
          place.apply(environment).set(0, bad);
          Environment.Step last = environment.step(action(environment, random));
          assertArrayEquals(good.observation(), last.observation());
          assertFinite(last.observation());
          assertTrue(last.truncated());
          assertFalse(last.terminated());
          assertTrue(last.diverged());
          assertEquals(++blown, environment.divergences());
          assertThrows(
              IllegalStateException.class, () -> environment.step(action(environment, random)));
        }
      }
      // Over by divergence is over for good, also by way of a stored moment.
      double[] over = environment.moment();
      environment.restore(over);
      assertThrows(
          IllegalStateException.class, () -> environment.step(action(environment, random)));

      assertArrayEquals(Robots.reset(healthy, 4), Robots.reset(environment, 4));
      for (int i = 0; i < 20; i++) {
        float[] action = action(environment, random);
        Environment.Step step = environment.step(action);
        assertFalse(step.diverged());
        assertArrayEquals(healthy.step(action).observation(), step.observation());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("domains")
  void aRestoredMomentContinuesToTheLastBitHereAndElsewhere(String name) {
    try (PhysicsEnvironment environment = Robots.open(name);
        PhysicsEnvironment other = Robots.open(name)) {
      RandomGenerator random = Seeds.generator(5);
      Robots.reset(environment, 5);
      int length = Math.min(50, environment.domain().world().episodeSteps());
      double[] middle = null;
      List<float[]> actions = new ArrayList<>();
      List<Environment.Step> steps = new ArrayList<>();
      List<Double> rewards = new ArrayList<>();
      Task task = environment.domain().world().tasks().get(0);
      for (int i = 0; i < length; i++) {
        if (i == 20) {
          middle = environment.moment();
        }
        actions.add(action(environment, random));
        steps.add(environment.step(actions.get(i)));
        rewards.add(task.reward(environment));
      }
      double[] end = environment.moment();
      for (PhysicsEnvironment restored : List.of(environment, other)) {
        restored.restore(middle);
        assertArrayEquals(middle, restored.moment());
        for (int i = 20; i < length; i++) {
          Environment.Step again = restored.step(actions.get(i));
          assertArrayEquals(steps.get(i).observation(), again.observation(), "step " + i);
          assertEquals(rewards.get(i), task.reward(restored), "step " + i);
          assertEquals(steps.get(i).truncated(), again.truncated(), "step " + i);
        }
        assertArrayEquals(end, restored.moment());
      }
    }
  }

  /** Its torso has a quaternion, which the engine would normalise once more. */
  @Test
  void everyMomentOfTheQuadrupedIsRestoredToTheLastBit() {
    try (PhysicsEnvironment environment = Robots.open("quadruped");
        PhysicsEnvironment other = Robots.open("quadruped")) {
      RandomGenerator random = Seeds.generator(12);
      Robots.reset(environment, 12);
      for (int i = 0; i < 200; i++) {
        double[] state = environment.moment();
        other.restore(state);
        assertArrayEquals(state, other.moment(), "step " + i);
        float[] action = action(environment, random);
        environment.step(action);
        other.step(action);
        assertArrayEquals(environment.moment(), other.moment(), "step " + i);
      }
      double[] unnormalised = environment.moment();
      unnormalised[2 + 3] += 1;
      other.restore(unnormalised);
      assertFinite(other.step(action(other, random)).observation());
    }
  }

  @Test
  void aMomentThatCannotBeIsRefused() {
    try (PhysicsEnvironment environment = Robots.open("walker")) {
      Robots.reset(environment, 0);
      double[] state = environment.moment();
      IllegalArgumentException wrongLength =
          assertThrows(IllegalArgumentException.class, () -> environment.restore(new double[3]));
      assertEquals(
          "walker: a moment has %d numbers, found 3".formatted(state.length),
          wrongLength.getMessage());
      double[] nan = state.clone();
      nan[7] = Double.NaN;
      IllegalArgumentException notFinite =
          assertThrows(IllegalArgumentException.class, () -> environment.restore(nan));
      assertEquals(
          "walker: number 7 of a moment must be finite, found NaN", notFinite.getMessage());
      double[] late = state.clone();
      late[0] = 1001;
      assertThrows(IllegalArgumentException.class, () -> environment.restore(late));
      assertArrayEquals(state, environment.moment(), "and leaves the environment as it was");
    }
  }

  @ParameterizedTest
  @MethodSource("domains")
  void theSameSeedGivesTheSameEpisodesAndTheSameGeneratorGoesOn(String name) {
    try (PhysicsEnvironment one = Robots.open(name);
        PhysicsEnvironment two = Robots.open(name)) {
      Robots.reset(two, 99);
      two.step(new float[two.domain().world().actionSize()]);
      // What the environment did before must not show.
      RandomGenerator ones = Seeds.generator(8);
      RandomGenerator twos = Seeds.generator(8);
      double[] first = startOf(one, ones);
      assertArrayEquals(first, startOf(two, twos));
      for (int i = 0; i < 3; i++) {
        one.reset(ones);
        two.reset(twos);
        assertArrayEquals(one.moment(), two.moment());
        assertNotEquals(Arrays.toString(first), Arrays.toString(one.moment()), "a new start");
      }
      assertArrayEquals(first, startOf(one, Seeds.generator(8)));
      assertNotEquals(Arrays.toString(first), Arrays.toString(startOf(one, Seeds.generator(9))));
    }
  }

  private static double[] startOf(PhysicsEnvironment environment, RandomGenerator random) {
    environment.reset(random);
    return environment.moment();
  }

  @ParameterizedTest
  @MethodSource("domains")
  void anEpisodeMayBeginInAStoredState(String name) {
    try (PhysicsEnvironment environment = Robots.open(name);
        PhysicsEnvironment other = Robots.open(name)) {
      World world = environment.domain().world();
      RandomGenerator random = Seeds.generator(6);
      Robots.reset(environment, 6);
      for (int i = 0; i < 20; i++) {
        environment.step(action(environment, random));
      }
      double[] stored = environment.state();
      assertEquals(world.stateSize(), stored.length);
      assertArrayEquals(environment.domain().physics(), stored);
      float[] here = environment.start(stored);
      assertEquals(world.observationSize(), here.length);
      assertArrayEquals(here, other.start(stored), "whatever was before");
      assertArrayEquals(environment.state(), other.state());
      for (int i = 1; i <= world.episodeSteps() && i <= 60; i++) {
        float[] action = action(environment, random);
        Environment.Step step = environment.step(action);
        assertEquals(i == world.episodeSteps(), step.truncated(), "a whole episode");
        assertArrayEquals(step.observation(), other.step(action).observation());
      }
      int size = world.stateSize();
      IllegalArgumentException wrong =
          assertThrows(
              IllegalArgumentException.class, () -> environment.start(new double[size + 1]));
      assertEquals(
          "%s: the physics of a state has %d numbers, found %d".formatted(name, size, size + 1),
          wrong.getMessage());
    }
  }

  @ParameterizedTest
  @MethodSource("domains")
  void aRecalledStateIsMeasuredButNotGoneOnFrom(String name) {
    try (PhysicsEnvironment environment = Robots.open(name);
        PhysicsEnvironment other = Robots.open(name)) {
      World world = environment.domain().world();
      int size = world.stateSize();
      RandomGenerator random = Seeds.generator(7);
      Robots.reset(environment, 7);
      Robots.reset(other, 8);
      double[] states = new double[20 * size];
      for (int i = 0; i < 20; i++) {
        environment.step(action(environment, random));
        System.arraycopy(environment.state(), 0, states, i * size, size);
      }
      for (int i : new int[] {13, 2, 19}) {
        environment.recall(states, i * size);
        other.domain().recall(states, i * size);
        assertArrayEquals(other.state(), environment.state());
        for (Quantity quantity : world.quantities()) {
          assertEquals(other.domain().get(quantity), environment.get(quantity), quantity.name());
        }
      }
      assertThrows(
          IllegalStateException.class, () -> environment.step(action(environment, random)));
      assertArrayEquals(Robots.reset(other, 9), Robots.reset(environment, 9));
    }
  }

  @Test
  void aClosedEnvironmentSaysSo() {
    PhysicsEnvironment environment = Robots.open("maze");
    Robots.reset(environment, 0);
    environment.close();
    environment.close();
    assertThrows(IllegalStateException.class, () -> environment.step(new float[2]));
    assertThrows(IllegalStateException.class, () -> environment.reset(Seeds.generator(0)));
    assertThrows(IllegalStateException.class, () -> environment.start(new double[4]));
    assertThrows(IllegalStateException.class, () -> environment.recall(new double[4], 0));
    assertThrows(IllegalStateException.class, environment::state);
    assertThrows(IllegalStateException.class, environment::moment);
  }

  @Test
  void anUnknownNameIsToldWithTheNearest() {
    assertUsage(
        "there is no environment 'wlaker', nor a file of that name; did you mean 'walker'?",
        () -> Robots.open("wlaker"));
    assertUsage(
        "there is no environment 'humanoid', nor a file of that name; known: cheetah, fetchreach,"
            + " fetchreach_discrete, four-rooms, four-rooms-dark, four-rooms-large, gridworld,"
            + " point_mass_maze, quadruped, spiral, walker",
        () -> Robots.open("humanoid"));
    assertUsage(
        "walker has no task 'wakl'; did you mean 'walk'?",
        () -> Robots.named("walker").task("wakl"));
    assertUsage(
        "walker has no quantity 'torso_heigth'; did you mean 'torso_height'?",
        () -> Robots.named("walker").quantity("torso_heigth"));
    assertEquals("point_mass_maze", Robots.named("maze").name());
  }

  private static void assertUsage(String message, Runnable use) {
    UserError error = assertThrows(UserError.class, use::run);
    assertEquals(message, error.getMessage());
    assertEquals(UserError.Kind.INVALID, error.kind());
  }
}
