package dev.psm.mujoco.suite;

import static dev.psm.core.reward.Tolerance.tolerance;
import static dev.psm.mujoco.suite.Checks.quantity;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.Seeds;
import dev.psm.core.env.World;
import dev.psm.core.reward.QuantityTable;
import dev.psm.core.reward.Task;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rewards of stored states, as relabelling computes them, against those paid on the way. */
class RecallTest {

  /** The states of an episode one after the other, and what each task paid in them. */
  private record Episode(double[] physics, double[][] rewards, int steps) {}

  private static Episode record(Domain domain, int steps, double pace) {
    World facts = domain.world();
    double[] physics = new double[(steps + 1) * facts.stateSize()];
    double[][] rewards = new double[facts.tasks().size()][steps + 1];
    RandomGenerator random = Seeds.generator(11);
    float[] action = new float[facts.actionSize()];
    double[] controls = new double[facts.actionSize()];
    for (int step = 0; step <= steps; step++) {
      if (step > 0) {
        for (int i = 0; i < action.length; i++) {
          action[i] = (float) (pace * (2 * random.nextFloat() - 1));
        }
        domain.toControls(action, controls);
        assertTrue(domain.advance(controls));
      }
      double[] state = domain.physics();
      System.arraycopy(state, 0, physics, step * state.length, state.length);
      for (int task = 0; task < rewards.length; task++) {
        rewards[task][step] = facts.tasks().get(task).reward(domain);
      }
    }
    return new Episode(physics, rewards, steps);
  }

  @ParameterizedTest
  @ValueSource(strings = {"walker", "cheetah", "quadruped", "fetchreach"})
  void storedStatesArePaidAsTheyWereOnline(String name) {
    RobotWorld facts = Robots.named(name);
    try (Domain domain = facts.openDomain();
        Domain other = facts.openDomain()) {
      domain.start(Seeds.generator(2));
      Episode episode = record(domain, facts.episodeSteps(), 1);
      QuantityTable table = new QuantityTable(facts.quantities(), episode.steps + 1);
      for (int step = episode.steps; step >= 0; step--) {
        other.recall(episode.physics, step * facts.stateSize());
        table.measure(step, other);
        for (int task = 0; task < facts.tasks().size(); task++) {
          Task paid = facts.tasks().get(task);
          double online = episode.rewards[task][step];
          assertEquals(online, paid.reward(other), 1e-12, paid.name() + " at step " + step);
        }
      }
      List<Task> tasks = facts.tasks();
      for (int task = 0; task < tasks.size(); task++) {
        assertArrayEquals(episode.rewards[task], table.rewards(tasks.get(task)), 1e-12);
      }
    }
  }

  @Test
  void inTheMazeAStoredStateIsPaidAsIfNothingHadBeenPushed() {
    RobotWorld facts = PointMassMaze.WORLD;
    try (Domain maze = facts.openDomain();
        Domain other = facts.openDomain()) {
      maze.start(new double[] {-0.16, 0.16, 0, 0});
      Episode episode = record(maze, 400, 1);
      int near = 0;
      for (int step = 0; step <= episode.steps; step++) {
        other.recall(episode.physics, step * facts.stateSize());
        assertEquals(0, quantity(other, "control_x"));
        assertEquals(0, quantity(other, "control_y"));
        for (int task = 0; task < 4; task++) {
          Task paid = facts.tasks().get(task);
          String room = paid.name().substring("reach_".length());
          double full = tolerance(quantity(other, "distance_" + room), 0, 0.015, 0.015);
          assertEquals(full, paid.reward(other), 0, "the control factor is exactly 1");
          double online = episode.rewards[task][step];
          assertTrue(online <= full && online >= 0.8 * full, paid.name() + " at step " + step);
          near += step > 0 && full > 0.5 && online < full ? 1 : 0;
        }
      }
      assertTrue(near > 50, "the episode must have been near its goal, and was " + near + " times");
    }
  }

  @Test
  void recallingForgetsWhatWasThereBefore() {
    try (Domain quadruped = Quadruped.WORLD.openDomain()) {
      quadruped.start(Seeds.generator(3));
      Episode episode = record(quadruped, 50, 1);
      quadruped.recall(episode.physics, 25 * 57);
      double[] once = Checks.observation(quadruped);
      quadruped.recall(episode.physics, 40 * 57);
      quadruped.recall(episode.physics, 25 * 57);
      assertArrayEquals(once, Checks.observation(quadruped), 0);
    }
  }
}
