package dev.psm.mujoco.suite;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.psm.core.Seeds;
import dev.psm.core.UserError;
import dev.psm.core.env.Environment;
import dev.psm.core.env.VectorEnvironment;
import dev.psm.core.reward.Task;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Physics in a {@link VectorEnvironment}: each simulation keeps to the thread that opened it. */
class VectorPhysicsTest {
  private static final int COUNT = 5;

  @ParameterizedTest
  @CsvSource({
    "walker, run, 1",
    "walker, run, 2",
    "maze, reach_top_left, 1",
    "maze, reach_top_left, 2",
    "fetchreach, reach_dense, 2",
    "fetchreach_discrete, reach_dense, 2"
  })
  void threadsDoNotShowInTheResults(String name, String paid, int threads) {
    RobotWorld world = Robots.named(name);
    Task task = world.task(paid);
    int steps = name.equals("walker") ? 30 : 120;
    try (VectorEnvironment<PhysicsEnvironment> together =
        new VectorEnvironment<>(
            world, COUNT, threads, i -> Robots.open(name), i -> task.reward())) {
      int observation = world.observationSize();
      int action = world.actionSize();
      RandomGenerator random = Seeds.generator(6);
      PhysicsEnvironment[] alone = new PhysicsEnvironment[COUNT];
      RandomGenerator[] chances = new RandomGenerator[COUNT];
      float[] starts = together.reset(6);
      for (int i = 0; i < COUNT; i++) {
        alone[i] = Robots.open(name);
        chances[i] = Seeds.generator(Seeds.mix(6, i, "environment"));
        float[] start = alone[i].reset(chances[i]);
        assertArrayEquals(start, row(starts, i, observation));
      }
      for (int step = 0; step < steps; step++) {
        float[] actions = new float[COUNT * action];
        for (int i = 0; i < COUNT; i++) {
          System.arraycopy(Robots.action(world, random), 0, actions, i * action, action);
        }
        VectorEnvironment.Batch batch = together.step(actions);
        for (int i = 0; i < COUNT; i++) {
          Environment.Step byHand = alone[i].step(row(actions, i, action));
          assertArrayEquals(byHand.observation(), row(batch.outcomes(), i, observation));
          assertEquals(task.reward(alone[i]), batch.rewards()[i]);
          assertEquals(byHand.truncated(), batch.truncated()[i]);
          assertFalse(batch.diverged()[i]);
          float[] next = byHand.ended() ? alone[i].reset(chances[i]) : byHand.observation();
          assertArrayEquals(next, row(batch.observations(), i, observation));
        }
      }
      for (PhysicsEnvironment each : alone) {
        each.close();
      }
      assertEquals(0, together.ask(PhysicsEnvironment::divergences).get(0));
    }
  }

  private static float[] row(float[] rows, int i, int size) {
    return Arrays.copyOfRange(rows, i * size, (i + 1) * size);
  }

  @Test
  void anUnknownEnvironmentIsToldAsTheUsersMistake() {
    assertThrows(
        UserError.class,
        () ->
            new VectorEnvironment<PhysicsEnvironment>(
                Walker.WORLD, 2, 2, i -> Robots.open("walkr")));
  }

  @Test
  void aBlownUpSimulationIsPaidNothingAndBeginsAnew() {
    try (VectorEnvironment<PhysicsEnvironment> together =
        new VectorEnvironment<>(
            PointMassMaze.WORLD, 2, 2, i -> Robots.open("maze"), i -> readings -> 1 + i)) {
      float[] starts = together.reset(3);
      together.ask(
          environment -> {
            if ((float) environment.state()[0] == starts[4]) {
              environment.domain().simulation().qvel().set(0, 1e12);
            }
            return 0;
          });
      VectorEnvironment.Batch batch = together.step(new float[4]);
      assertArrayEquals(new boolean[] {false, true}, batch.diverged());
      assertArrayEquals(new boolean[] {false, true}, batch.truncated());
      assertArrayEquals(new boolean[2], batch.terminated());
      assertArrayEquals(new double[] {1, 0}, batch.rewards());
      assertArrayEquals(row(starts, 1, 4), row(batch.outcomes(), 1, 4), "the last good one");
      assertFalse(
          Arrays.equals(row(starts, 1, 4), row(batch.observations(), 1, 4)), "of a new episode");
      assertEquals(List.of(0L, 1L), together.ask(PhysicsEnvironment::divergences));
      assertArrayEquals(new double[] {1, 2}, together.step(new float[4]).rewards());
    }
  }
}
