package dev.psm.core.env;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.Seeds;
import dev.psm.core.UserError;
import dev.psm.core.reward.Quantity;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

final class CheckedEnvironmentTest {
  private static final RandomGenerator RANDOM = Seeds.generator(0);

  /** Two numbers are observed, and three are stored of a state. */
  private record Raft(Environment opened) implements World {
    @Override
    public String name() {
      return "raft";
    }

    @Override
    public String title() {
      return "a raft";
    }

    @Override
    public int observationSize() {
      return 2;
    }

    @Override
    public Space actionSpace() {
      return new Space.Discrete(2);
    }

    @Override
    public int episodeSteps() {
      return 5;
    }

    @Override
    public List<Quantity> quantities() {
      return List.of();
    }

    @Override
    public int stateSize() {
      return 3;
    }

    @Override
    public Environment open() {
      return opened;
    }
  }

  /** Gives what it is told to, for whatever it is asked. */
  private record Told(float[] observation, double[] state) implements Environment {
    @Override
    public float[] reset(RandomGenerator random) {
      return observation;
    }

    @Override
    public Step step(float[] action) {
      return action.length == 0 ? null : new Step(observation, false, false);
    }

    @Override
    public double get(Quantity quantity) {
      return 0;
    }

    @Override
    public double[] state() {
      return state;
    }

    @Override
    public float[] start(double[] begun) {
      return observation;
    }

    @Override
    public Optional<double[]> stateFromObservation(float[] observations, int at) {
      return Optional.of(state);
    }

    @Override
    public Optional<double[]> recalledObservation() {
      return Optional.of(state);
    }
  }

  private static Environment open(float[] observation, double[] state) {
    return CheckedEnvironment.open(new Raft(new Told(observation, state)));
  }

  private static void refused(Executable work, String expected, String method, Object found) {
    assertEquals(
        "world raft: expected %s from %s() of %s, found %s; correct its class"
            .formatted(expected, method, Told.class.getName(), found),
        assertThrows(UserError.class, work).getMessage());
  }

  @Test
  void whatIsAsTheWorldSaysIsHandedOn() {
    float[] observation = {1, 2};
    double[] state = {3, 4, 5};
    Environment raft = open(observation, state);
    assertArrayEquals(observation, raft.reset(RANDOM));
    assertArrayEquals(observation, raft.step(new float[1]).observation());
    assertArrayEquals(observation, raft.startHere());
    assertArrayEquals(state, raft.state());
    assertArrayEquals(state, raft.stateFromObservation(observation, 0).orElseThrow());
  }

  @Test
  void anObservationOfAnotherLengthIsRefused() {
    for (float[] wrong : new float[][] {{}, {1}, {1, 2, 3}, null}) {
      Environment raft = open(wrong, new double[3]);
      Object found = wrong == null ? "null" : wrong.length;
      refused(() -> raft.reset(RANDOM), "2 numbers", "reset", found);
      refused(() -> raft.step(new float[1]), "2 numbers", "step", found);
      refused(() -> raft.start(new double[3]), "2 numbers", "start", found);
    }
    refused(
        () -> open(new float[2], new double[3]).recalledObservation(),
        "2 numbers",
        "recalledObservation",
        3);
  }

  @Test
  void aStateOfAnotherLengthIsRefused() {
    for (double[] wrong : new double[][] {{}, {1}, {1, 2, 3, 4}}) {
      Environment raft = open(new float[2], wrong);
      refused(raft::state, "3 numbers", "state", wrong.length);
      refused(
          () -> raft.stateFromObservation(new float[2], 0),
          "3 numbers",
          "stateFromObservation",
          wrong.length);
    }
    refused(() -> open(new float[2], null).state(), "3 numbers", "state", "null");
  }

  @Test
  void nothingIsNoAnswer() {
    refused(
        () -> open(new float[2], new double[3]).step(new float[0]), "something", "step", "null");
    String message =
        assertThrows(UserError.class, () -> CheckedEnvironment.open(new Raft(null))).getMessage();
    assertTrue(message.startsWith("world raft: expected an environment from open() of "), message);
  }

  /** One that it left to the interface would be answered without asking the environment. */
  @Test
  void everyMethodAsksTheEnvironment() throws NoSuchMethodException {
    for (Method method : Environment.class.getMethods()) {
      assertEquals(
          CheckedEnvironment.class,
          CheckedEnvironment.class
              .getMethod(method.getName(), method.getParameterTypes())
              .getDeclaringClass(),
          method.toString());
    }
  }
}
