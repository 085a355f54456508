package dev.psm.mujoco.suite;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.psm.core.Seeds;
import dev.psm.core.UserError;
import dev.psm.core.env.Environment;
import dev.psm.core.env.VectorEnvironment;
import java.util.Arrays;
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
    "fetchreach, reach_dense, 2"
  })
  void threadsDoNotShowInTheResults(String name, String task, int threads) {
    int steps = name.equals("walker") ? 30 : 120;
    try (VectorEnvironment<PhysicsEnvironment> together =
        new VectorEnvironment<>(COUNT, threads, i -> PhysicsEnvironment.open(name, task))) {
      int observation = together.observationSpace().size();
      int action = together.actionSpace().size();
      RandomGenerator random = Seeds.generator(6);
      PhysicsEnvironment[] alone = new PhysicsEnvironment[COUNT];
      float[] starts = together.reset(6);
      for (int i = 0; i < COUNT; i++) {
        alone[i] = PhysicsEnvironment.open(name, task);
        float[] start = alone[i].reset(Seeds.mix(6, i, "environment")).observation();
        assertArrayEquals(start, row(starts, i, observation));
      }
      for (int step = 0; step < steps; step++) {
        float[] actions = new float[COUNT * action];
        for (int i = 0; i < actions.length; i++) {
          actions[i] = 2 * random.nextFloat() - 1;
        }
        VectorEnvironment.Batch batch = together.step(actions);
        for (int i = 0; i < COUNT; i++) {
          Environment.Step byHand = alone[i].step(row(actions, i, action));
          assertArrayEquals(byHand.observation(), row(batch.outcomes(), i, observation));
          assertEquals(byHand.reward(), batch.rewards()[i]);
          assertEquals(byHand.truncated(), batch.truncated()[i]);
          float[] next = byHand.ended() ? alone[i].reset().observation() : byHand.observation();
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
                2, 2, i -> PhysicsEnvironment.open("walkr", "run")));
  }
}
