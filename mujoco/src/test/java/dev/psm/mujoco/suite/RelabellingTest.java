package dev.psm.mujoco.suite;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.Seeds;
import dev.psm.core.UserError;
import dev.psm.core.env.Relabelling;
import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.QuantityTable;
import dev.psm.core.reward.Task;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RelabellingTest {
  private static final int ROWS = 1300;

  static List<String> domains() {
    return Robots.all().stream().map(RobotWorld::name).toList();
  }

  private static Relabelling on(RobotWorld facts, int threads) {
    return new Relabelling(facts, threads, (done, total) -> {});
  }

  /** States of random play, and what was paid in each. */
  private record Play(
      double[] states, double[][] rewards, double[][] quantities, double[] observations) {}

  private static Play play(RobotWorld facts, int rows, boolean idle) {
    int size = facts.stateSize();
    double[] states = new double[rows * size];
    double[][] rewards = new double[facts.tasks().size()][rows];
    double[][] quantities = new double[facts.quantities().size()][rows];
    double[] observations = new double[rows * facts.observationSize()];
    double[] observation = new double[facts.observationSize()];
    RandomGenerator random = Seeds.generator(11);
    RandomGenerator starts = Seeds.generator(11);
    try (PhysicsEnvironment environment = new PhysicsEnvironment(facts.openDomain())) {
      environment.reset(starts);
      for (int row = 0; row < rows; row++) {
        float[] action = idle ? new float[facts.actionSize()] : Robots.action(facts, random);
        boolean ended = environment.step(action).ended();
        System.arraycopy(environment.state(), 0, states, row * size, size);
        environment.domain().observe(observation);
        System.arraycopy(
            observation, 0, observations, row * observation.length, observation.length);
        for (int task = 0; task < rewards.length; task++) {
          rewards[task][row] = facts.tasks().get(task).reward(environment);
        }
        for (int i = 0; i < quantities.length; i++) {
          quantities[i][row] = environment.get(facts.quantities().get(i));
        }
        if (ended) {
          environment.reset(starts);
        }
      }
    }
    return new Play(states, rewards, quantities, observations);
  }

  @ParameterizedTest
  @ValueSource(strings = {"walker", "cheetah", "quadruped"})
  void stateRewardsAreWhatWasPaidOnline(String name) {
    RobotWorld facts = Robots.named(name);
    Play play = play(facts, ROWS, false);
    // The engine normalises the quadruped's quaternion once more, here as in dm_control.
    double rounding = name.equals("quadruped") ? 1e-13 : 0;
    double[][] again = on(facts, 2).rewards(facts.tasks(), play.states());
    for (int task = 0; task < again.length; task++) {
      assertArrayEquals(
          play.rewards()[task], again[task], rounding, facts.tasks().get(task).name());
    }
    QuantityTable table = on(facts, 2).quantities(facts.quantities(), play.states());
    for (int i = 0; i < facts.quantities().size(); i++) {
      Quantity quantity = facts.quantities().get(i);
      assertArrayEquals(play.quantities()[i], table.column(quantity), rounding, quantity.name());
    }
  }

  @ParameterizedTest
  @MethodSource("domains")
  void statesShowWhatWasObservedOnlineButForWhatOnlyAStepTells(String name) {
    RobotWorld facts = Robots.named(name);
    int size = facts.observationSize();
    Play play = play(facts, 300, false);
    double[] again = on(facts, 2).observations(play.states()).orElseThrow();
    try (Domain domain = facts.openDomain()) {
      double[] observation = new double[size];
      boolean[] ofTheStep = new boolean[size];
      for (int row = 0; row < 300; row++) {
        domain.recall(play.states(), row * facts.stateSize());
        domain.observe(observation);
        for (int i = 0; i < size; i++) {
          double online = play.observations()[row * size + i];
          if (domain.observesState(i)) {
            assertEquals(online, again[row * size + i], 1e-12, "number " + i);
          } else {
            assertTrue(Double.isNaN(again[row * size + i]));
            ofTheStep[i] |= Math.abs(online - observation[i]) > 1e-3;
          }
        }
      }
      for (int i = 0; i < size; i++) {
        assertEquals(!domain.observesState(i), ofTheStep[i], "number " + i);
      }
    }
  }

  @Test
  void inTheMazeTheForgottenControlCountsAsNone() {
    RobotWorld facts = PointMassMaze.WORLD;
    Task topLeft = facts.task("reach_top_left");
    double[] atGoal = {-0.15, 0.15, 0.03, -0.02};
    double[][] rewards = on(facts, 1).rewards(List.of(topLeft), atGoal);
    assertEquals(1, rewards[0][0]);
    Play idle = play(facts, ROWS, true);
    assertArrayEquals(idle.rewards()[0], on(facts, 2).rewards(facts.tasks(), idle.states())[0]);
    Quantity push = facts.quantity("control_x");
    QuantityTable table = on(facts, 2).quantities(List.of(push), play(facts, ROWS, false).states());
    assertArrayEquals(new double[ROWS], table.column(push));
  }

  @ParameterizedTest
  @MethodSource("domains")
  void theShortWayToAStateMeasuresWhatTheFullOneDoesToTheLastBit(String name) {
    RobotWorld facts = Robots.named(name);
    int size = facts.stateSize();
    double[] states = play(facts, 300, false).states();
    QuantityTable table = on(facts, 2).quantities(facts.quantities(), states);
    double[][] rewards = on(facts, 2).rewards(facts.tasks(), states);
    try (Domain domain = facts.openDomain()) {
      for (int row = 0; row < 300; row++) {
        domain.recall(states, row * size);
        for (Quantity quantity : facts.quantities()) {
          assertEquals(domain.get(quantity), table.column(quantity)[row], quantity.name());
        }
        for (int task = 0; task < rewards.length; task++) {
          assertEquals(facts.tasks().get(task).reward(domain), rewards[task][row]);
        }
      }
    }
  }

  @Test
  void neitherThreadsNorOrderNorSourceShow() {
    RobotWorld facts = Walker.WORLD;
    int size = facts.stateSize();
    double[] states = play(facts, ROWS, false).states();
    double[][] one = on(facts, 1).rewards(facts.tasks(), states);
    double[][] three =
        on(facts, 3)
            .rewards(
                facts.tasks(),
                ROWS,
                row -> Arrays.copyOfRange(states, row * size, (row + 1) * size));
    double[][] backwards =
        on(facts, 2)
            .rewards(
                facts.tasks(),
                ROWS,
                row -> Arrays.copyOfRange(states, (ROWS - 1 - row) * size, (ROWS - row) * size));
    for (int task = 0; task < one.length; task++) {
      assertArrayEquals(one[task], three[task]);
      for (int row = 0; row < ROWS; row++) {
        assertEquals(one[task][row], backwards[task][ROWS - 1 - row]);
      }
    }
  }

  @Test
  void progressGrowsToTheTotal() {
    RobotWorld facts = PointMassMaze.WORLD;
    List<Integer> calls = Collections.synchronizedList(new ArrayList<>());
    new Relabelling(
            facts,
            2,
            (done, total) -> {
              assertEquals(ROWS, total);
              calls.add(done);
            })
        .rewards(facts.tasks(), new double[ROWS * 4]);
    assertTrue(calls.size() > 1);
    assertEquals(calls.stream().sorted().toList(), List.copyOf(calls));
    assertEquals(ROWS, calls.get(calls.size() - 1));
    RuntimeException enough = new RuntimeException("enough");
    Relabelling cancelled =
        new Relabelling(
            facts,
            2,
            (done, total) -> {
              throw enough;
            });
    assertSame(
        enough,
        assertThrows(
            RuntimeException.class, () -> cancelled.rewards(facts.tasks(), new double[ROWS * 4])));
  }

  @Test
  void noRowsAreMeasuredAtOnce() {
    double[][] rewards = on(Walker.WORLD, 2).rewards(Walker.WORLD.tasks(), new double[0]);
    assertEquals(4, rewards.length);
    assertEquals(0, rewards[0].length);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void theLowestBadRowIsRefusedByName(int threads) {
    Relabelling relabelling = on(PointMassMaze.WORLD, threads);
    List<Task> tasks = PointMassMaze.WORLD.tasks();
    double[] states = new double[3000 * 4];
    states[4 * 2900] = Double.NaN;
    states[4 * 1030 + 2] = Double.POSITIVE_INFINITY;
    assertRefused(
        "row 1030 of the stored states of point_mass_maze: number 2 must be finite, found"
            + " Infinity",
        () -> relabelling.rewards(tasks, states));
    assertRefused(
        "row 6030 of the stored states of point_mass_maze: number 2 must be finite, found"
            + " Infinity",
        () -> relabelling.naming(row -> 5000L + row).rewards(tasks, states));
    states[4 * 1029 + 1] = 1e11;
    assertRefused(
        "row 1029 of the stored states of point_mass_maze: the state of the point_mass_maze"
            + " simulation is infinite, NaN or huge",
        () -> relabelling.rewards(tasks, states));
    assertRefused(
        "row 2 of the stored states of point_mass_maze: expected 4 numbers, found 3",
        () -> relabelling.rewards(tasks, new double[11]));
    assertRefused(
        "row 7 of the stored states of point_mass_maze: expected 4 numbers, found 5",
        () ->
            relabelling.quantities(
                PointMassMaze.WORLD.quantities(), 10, row -> new double[row == 7 ? 5 : 4]));
    assertThrows(
        IllegalArgumentException.class,
        () -> relabelling.quantities(List.of(Walker.UPRIGHT), new double[4]));
  }

  private static void assertRefused(String message, Runnable use) {
    assertEquals(message, assertThrows(UserError.class, use::run).getMessage());
  }

  @Test
  void anInterruptEndsThePass() {
    Thread.currentThread().interrupt();
    assertThrows(
        IllegalStateException.class,
        () -> on(PointMassMaze.WORLD, 2).rewards(PointMassMaze.WORLD.tasks(), new double[40_000]));
    assertTrue(Thread.interrupted());
  }
}
