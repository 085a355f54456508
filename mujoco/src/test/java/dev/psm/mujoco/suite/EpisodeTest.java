package dev.psm.mujoco.suite;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.Seeds;
import dev.psm.core.UserError;
import dev.psm.core.env.Environment.Step;
import dev.psm.core.env.World;
import dev.psm.core.reward.Task;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class EpisodeTest {
  static Stream<String> names() {
    return Robots.all().stream().map(RobotWorld::name);
  }

  private static float[] draw(PhysicsEnvironment environment, RandomGenerator random) {
    return Robots.action(environment.domain().world(), random);
  }

  private static float[] rounded(Domain domain) {
    double[] exact = Checks.observation(domain);
    float[] rounded = new float[exact.length];
    for (int i = 0; i < exact.length; i++) {
      rounded[i] = (float) exact[i];
    }
    return rounded;
  }

  @ParameterizedTest
  @CsvSource({
    "walker, 24, 6, 1000, 25",
    "cheetah, 17, 6, 1000, 10",
    "quadruped, 78, 12, 1000, 20",
    "point_mass_maze, 4, 2, 1000, 20",
    "fetchreach, 10, 4, 50, 2",
    "fetchreach_discrete, 10, 1, 50, 2"
  })
  void anEpisodeRunsToItsLastStepAndIsThenTruncatedAndNeverTerminated(
      String name, int observations, int actions, int steps, double seconds) {
    try (PhysicsEnvironment environment = Robots.open(name)) {
      World world = environment.domain().world();
      assertEquals(observations, world.observationSize());
      assertEquals(actions, world.actionSize());
      RandomGenerator random = Seeds.generator(0);
      RandomGenerator starts = Seeds.generator(0);
      float[] start = environment.reset(starts);
      assertEquals(observations, start.length);
      assertArrayEquals(rounded(environment.domain()), start);
      double before = environment.domain().simulation().time();
      for (int i = 1; i <= steps; i++) {
        Step step = environment.step(draw(environment, random));
        assertFalse(step.terminated());
        assertEquals(i == steps, step.truncated(), "step " + i);
        assertEquals(i == steps, step.ended());
        assertFalse(step.diverged());
        assertArrayEquals(rounded(environment.domain()), step.observation());
        for (Task task : world.tasks()) {
          assertEquals(task.reward(environment.domain()), task.reward(environment));
        }
      }
      assertEquals(seconds, environment.domain().simulation().time() - before, 1e-9);
      float[] action = new float[actions];
      assertThrows(IllegalStateException.class, () -> environment.step(action));
      assertEquals(observations, environment.reset(starts).length);
      assertFalse(environment.step(action).ended());
      assertEquals(0, environment.divergences());
    }
  }

  @ParameterizedTest
  @MethodSource("names")
  void theSameSeedGivesTheSameEpisodeAndTheNextResetAnother(String name) {
    try (PhysicsEnvironment one = Robots.open(name);
        PhysicsEnvironment two = Robots.open(name)) {
      Robots.reset(one, 7);
      one.step(draw(one, Seeds.generator(1)));
      RandomGenerator ones = Seeds.generator(8);
      RandomGenerator twos = Seeds.generator(8);
      one.reset(ones);
      two.reset(twos);
      assertArrayEquals(one.moment(), two.moment());
      one.reset(ones);
      assertFalse(Arrays.equals(one.moment(), two.moment()));
      two.reset(twos);
      RandomGenerator random = Seeds.generator(2);
      for (int i = 0; i < 50; i++) {
        float[] action = draw(one, random);
        assertArrayEquals(one.step(action).observation(), two.step(action).observation());
      }
      assertArrayEquals(one.moment(), two.moment());
    }
  }

  /** A simulation that knows of no episodes is the measure. */
  @ParameterizedTest
  @MethodSource("names")
  void anEpisodeBegunWhereTheLastEndedGoesOnToTheBit(String name) {
    try (PhysicsEnvironment environment = Robots.open(name);
        Domain endless = Robots.named(name).openDomain()) {
      RandomGenerator random = Seeds.generator(11);
      environment.reset(Seeds.generator(7));
      endless.start(Seeds.generator(7));
      double[] controls = new double[endless.controlSize()];
      int steps = endless.world().episodeSteps();
      for (int i = 1; i <= steps + 30; i++) {
        float[] action = draw(environment, random);
        Step step = environment.step(action);
        endless.toControls(action, controls);
        endless.advance(controls);
        assertArrayEquals(rounded(endless), step.observation(), "step " + i);
        assertEquals(i == steps, step.truncated());
        if (i == steps) {
          assertArrayEquals(step.observation(), environment.startHere());
        }
        assertArrayEquals(endless.physics(), environment.state());
      }
    }
  }

  /** The body does not jump; only what a quadruped feels of forces is not in a stored state. */
  @ParameterizedTest
  @MethodSource("names")
  void anEpisodeBegunInAStoredStateMovesTheSame(String name) {
    try (PhysicsEnvironment environment = Robots.open(name);
        PhysicsEnvironment other = Robots.open(name)) {
      RandomGenerator random = Seeds.generator(12);
      environment.reset(Seeds.generator(8));
      for (int i = 0; i < 40; i++) {
        environment.step(draw(environment, random));
      }
      float[] seen = other.start(environment.state());
      assertArrayEquals(environment.state(), other.state(), 1e-14);
      assertEquals(!name.equals("quadruped"), Arrays.equals(seen, environment.startHere()));
      float[] action = draw(environment, random);
      environment.step(action);
      other.step(action);
      assertArrayEquals(environment.state(), other.state(), 1e-12);
    }
  }

  @Test
  void nothingGoesOnFromWhereNoEpisodeWas() {
    try (PhysicsEnvironment environment = Robots.open("walker")) {
      assertThrows(IllegalStateException.class, environment::startHere);
      environment.reset(Seeds.generator(1));
      environment.recall(environment.state(), 0);
      assertThrows(IllegalStateException.class, environment::startHere);
      environment.start(environment.state());
      environment.startHere();
    }
  }

  @ParameterizedTest
  @MethodSource("names")
  void aStoredMomentIsComeBackToExactly(String name) {
    try (PhysicsEnvironment environment = Robots.open(name);
        PhysicsEnvironment other = Robots.open(name)) {
      Robots.reset(environment, 3);
      RandomGenerator random = Seeds.generator(3);
      for (int i = 0; i < 30; i++) {
        environment.step(draw(environment, random));
      }
      double[] moment = environment.moment();
      float[][] actions = new float[20][];
      Step[] steps = new Step[20];
      double[] rewards = new double[20];
      Task task = environment.domain().world().tasks().get(0);
      for (int i = 0; i < 20; i++) {
        actions[i] = draw(environment, random);
        steps[i] = environment.step(actions[i]);
        rewards[i] = task.reward(environment);
      }
      double[] end = environment.moment();
      for (PhysicsEnvironment each : new PhysicsEnvironment[] {environment, other}) {
        each.restore(moment);
        assertArrayEquals(moment, each.moment());
        for (int i = 0; i < 20; i++) {
          Step again = each.step(actions[i]);
          assertArrayEquals(steps[i].observation(), again.observation(), "step " + i);
          assertEquals(rewards[i], task.reward(each));
          assertEquals(steps[i].truncated(), again.truncated());
        }
        assertArrayEquals(end, each.moment());
      }
      double[] wrong = Arrays.copyOf(moment, moment.length + 1);
      String message =
          assertThrows(IllegalArgumentException.class, () -> other.restore(wrong)).getMessage();
      assertEquals(
          "%s: a moment has %d numbers, found %d".formatted(name, moment.length, wrong.length),
          message);
    }
  }

  @ParameterizedTest
  @MethodSource("names")
  void aBlownUpEpisodeEndsWithItsLastGoodObservationAndSaysSo(String name) {
    try (PhysicsEnvironment environment = Robots.open(name)) {
      Robots.reset(environment, 5);
      float[] action = new float[environment.domain().world().actionSize()];
      float[] good = environment.step(action).observation();
      for (int i = 0; i < environment.domain().simulation().qvel().size(); i++) {
        environment.domain().simulation().qvel().set(i, i % 2 == 0 ? 1e12 : -1e12);
      }
      Step step = environment.step(action);
      assertTrue(step.truncated());
      assertFalse(step.terminated());
      assertTrue(step.diverged());
      assertArrayEquals(good, step.observation());
      assertEquals(1, environment.divergences());
      assertThrows(IllegalStateException.class, () -> environment.step(action));
      Robots.reset(environment, 5);
      assertArrayEquals(good, environment.step(action).observation(), "and it recovers");
    }
  }

  @Test
  void aWrongActionIsRefusedBeforeItMovesAnything() {
    try (PhysicsEnvironment environment = Robots.open("walker")) {
      assertEquals(
          "walker: call reset before step",
          assertThrows(IllegalStateException.class, () -> environment.step(new float[6]))
              .getMessage());
      Robots.reset(environment, 0);
      double[] before = environment.moment();
      assertEquals(
          "walker: an action has 6 numbers, found 5",
          assertThrows(IllegalArgumentException.class, () -> environment.step(new float[5]))
              .getMessage());
      float[] nan = {0, 0, Float.NaN, 0, 0, 0};
      assertEquals(
          "walker: number 2 of the action must be finite, found NaN",
          assertThrows(IllegalArgumentException.class, () -> environment.step(nan)).getMessage());
      assertArrayEquals(before, environment.moment());
    }
  }

  @Test
  void anEnvironmentIsKnownByItsNameAndTask() {
    assertEquals("point_mass_maze", Robots.named("maze").name());
    UserError environment = assertThrows(UserError.class, () -> Robots.open("waker"));
    assertTrue(environment.getMessage().contains("did you mean 'walker'"));
    assertEquals(UserError.Kind.INVALID, environment.kind());
    UserError task =
        assertThrows(UserError.class, () -> Robots.named("walker").taskOrFormula("runn"));
    assertTrue(task.getMessage().contains("there is no quantity or task 'runn'"));
    assertTrue(task.getMessage().contains("did you mean 'run'"));
  }
}
