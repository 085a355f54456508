package dev.psm.mujoco.suite;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.Seeds;
import dev.psm.core.UserError;
import dev.psm.core.env.Environment.Start;
import dev.psm.core.env.Environment.Step;
import java.util.Arrays;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class EpisodeTest {
  static Stream<String> names() {
    return DomainFacts.all().stream().map(DomainFacts::name);
  }

  private static PhysicsEnvironment open(String name) {
    return PhysicsEnvironment.open(name, DomainFacts.named(name).tasks().get(0).name());
  }

  private static float[] draw(PhysicsEnvironment environment, RandomGenerator random) {
    float[] action = new float[environment.domain().facts().actionSize()];
    for (int i = 0; i < action.length; i++) {
      action[i] = 2 * random.nextFloat() - 1;
    }
    return action;
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
    "fetchreach_discrete, 10, 4, 50, 2"
  })
  void anEpisodeRunsToItsLastStepAndIsThenTruncatedAndNeverTerminated(
      String name, int observations, int actions, int steps, double seconds) {
    try (PhysicsEnvironment environment = open(name)) {
      assertEquals(observations, environment.observationSpace().size());
      assertEquals(actions, environment.actionSpace().size());
      RandomGenerator random = Seeds.generator(0);
      Start start = environment.reset(0);
      assertArrayEquals(rounded(environment.domain()), start.observation());
      double before = environment.domain().simulation().time();
      for (int i = 1; i <= steps; i++) {
        Step step = environment.step(draw(environment, random));
        assertFalse(step.terminated());
        assertEquals(i == steps, step.truncated(), "step " + i);
        assertEquals(i == steps, step.ended());
        assertEquals(Map.of(), step.info());
        assertArrayEquals(rounded(environment.domain()), step.observation());
        assertEquals(environment.task().reward(environment.domain()), step.reward());
      }
      assertEquals(seconds, environment.domain().simulation().time() - before, 1e-9);
      float[] action = new float[actions];
      assertThrows(IllegalStateException.class, () -> environment.step(action));
      assertEquals(observations, environment.reset().observation().length);
      assertFalse(environment.step(action).ended());
      assertEquals(0, environment.divergences());
    }
  }

  @ParameterizedTest
  @MethodSource("names")
  void theSameSeedGivesTheSameEpisodeAndTheNextResetAnother(String name) {
    try (PhysicsEnvironment one = open(name);
        PhysicsEnvironment two = open(name)) {
      one.reset(7);
      one.step(draw(one, Seeds.generator(1)));
      one.reset(8);
      two.reset(8);
      assertArrayEquals(one.state(), two.state());
      one.reset();
      assertFalse(Arrays.equals(one.state(), two.state()));
      two.reset();
      RandomGenerator random = Seeds.generator(2);
      for (int i = 0; i < 50; i++) {
        float[] action = draw(one, random);
        assertArrayEquals(one.step(action).observation(), two.step(action).observation());
      }
      assertArrayEquals(one.state(), two.state());
    }
  }

  @ParameterizedTest
  @MethodSource("names")
  void aStoredMomentIsComeBackToExactly(String name) {
    try (PhysicsEnvironment environment = open(name);
        PhysicsEnvironment other = open(name)) {
      environment.reset(3);
      RandomGenerator random = Seeds.generator(3);
      for (int i = 0; i < 30; i++) {
        environment.step(draw(environment, random));
      }
      double[] moment = environment.state();
      float[][] actions = new float[20][];
      Step[] steps = new Step[20];
      for (int i = 0; i < 20; i++) {
        actions[i] = draw(environment, random);
        steps[i] = environment.step(actions[i]);
      }
      double[] end = environment.state();
      for (PhysicsEnvironment each : new PhysicsEnvironment[] {environment, other}) {
        each.setState(moment);
        assertArrayEquals(moment, each.state());
        for (int i = 0; i < 20; i++) {
          Step again = each.step(actions[i]);
          assertArrayEquals(steps[i].observation(), again.observation(), "step " + i);
          assertEquals(steps[i].reward(), again.reward());
          assertEquals(steps[i].truncated(), again.truncated());
        }
        assertArrayEquals(end, each.state());
      }
      double[] wrong = Arrays.copyOf(moment, moment.length + 1);
      String message =
          assertThrows(IllegalArgumentException.class, () -> other.setState(wrong)).getMessage();
      assertEquals(
          "%s: a state has %d numbers, found %d".formatted(name, moment.length, wrong.length),
          message);
    }
  }

  @ParameterizedTest
  @MethodSource("names")
  void aBlownUpEpisodeEndsWithItsLastGoodObservationAndNoReward(String name) {
    try (PhysicsEnvironment environment = open(name)) {
      environment.reset(5);
      float[] action = new float[environment.domain().facts().actionSize()];
      float[] good = environment.step(action).observation();
      for (int i = 0; i < environment.domain().simulation().qvel().size(); i++) {
        environment.domain().simulation().qvel().set(i, i % 2 == 0 ? 1e12 : -1e12);
      }
      Step step = environment.step(action);
      assertTrue(step.truncated());
      assertFalse(step.terminated());
      assertEquals(0, step.reward());
      assertEquals(Map.of("diverged", true), step.info());
      assertArrayEquals(good, step.observation());
      assertEquals(1, environment.divergences());
      assertThrows(IllegalStateException.class, () -> environment.step(action));
      environment.reset(5);
      assertArrayEquals(good, environment.step(action).observation(), "and it recovers");
    }
  }

  @Test
  void aWrongActionIsRefusedBeforeItMovesAnything() {
    try (PhysicsEnvironment environment = open("walker")) {
      assertEquals(
          "walker: call reset before step",
          assertThrows(IllegalStateException.class, () -> environment.step(new float[6]))
              .getMessage());
      environment.reset(0);
      double[] before = environment.state();
      assertEquals(
          "walker: an action has 6 numbers, found 5",
          assertThrows(IllegalArgumentException.class, () -> environment.step(new float[5]))
              .getMessage());
      float[] nan = {0, 0, Float.NaN, 0, 0, 0};
      assertEquals(
          "walker: number 2 of the action must be finite, found NaN",
          assertThrows(IllegalArgumentException.class, () -> environment.step(nan)).getMessage());
      assertArrayEquals(before, environment.state());
    }
  }

  @Test
  void anEnvironmentIsKnownByItsNameAndTask() {
    assertEquals("point_mass_maze", DomainFacts.named("maze").name());
    UserError environment =
        assertThrows(UserError.class, () -> PhysicsEnvironment.open("waker", "stand"));
    assertTrue(environment.getMessage().contains("did you mean 'walker'"));
    assertEquals(2, environment.exitCode());
    UserError task = assertThrows(UserError.class, () -> PhysicsEnvironment.open("walker", "runn"));
    assertTrue(task.getMessage().contains("there is no quantity or task 'runn'"));
    assertTrue(task.getMessage().contains("did you mean 'run'"));
  }
}
