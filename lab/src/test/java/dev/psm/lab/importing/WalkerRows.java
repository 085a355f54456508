package dev.psm.lab.importing;

import dev.psm.core.Seeds;
import dev.psm.core.env.Environment;
import dev.psm.core.env.World;
import dev.psm.core.env.Worlds;
import dev.psm.core.io.numpy.NpzWriter;
import dev.psm.lab.RandomEpisodes;
import java.nio.file.Path;
import java.util.Arrays;

/** A walker's steps at random, paid for walking, laid out as ExoRL does. */
final class WalkerRows {
  static final World WORLD = Worlds.named("walker");

  final int rows;
  final float[] observations;
  final float[] actions;
  final float[] rewards;
  final float[] discounts;
  final double[] physics;

  WalkerRows(int steps, long seed) {
    rows = steps + 1;
    observations = new float[rows * WORLD.observationSize()];
    actions = new float[rows * WORLD.actionSize()];
    rewards = new float[rows];
    discounts = new float[rows];
    physics = new double[rows * WORLD.stateSize()];
    Arrays.fill(discounts, 1);
    float[] action = new float[WORLD.actionSize()];
    try (Environment environment = WORLD.open()) {
      put(environment, 0, environment.reset(Seeds.generator(seed)), action, 0);
      for (int row = 1; row < rows; row++) {
        RandomEpisodes.draw(WORLD, Seeds.generator(Seeds.mix(seed, row, "actions")), action);
        Environment.Step step = environment.step(action);
        put(environment, row, step.observation(), action, WORLD.task("walk").reward(environment));
      }
    }
  }

  private void put(
      Environment environment, int row, float[] observation, float[] action, double reward) {
    System.arraycopy(observation, 0, observations, row * observation.length, observation.length);
    System.arraycopy(action, 0, actions, row * action.length, action.length);
    double[] state = environment.state();
    System.arraycopy(state, 0, physics, row * state.length, state.length);
    rewards[row] = (float) reward;
  }

  /** All arrays; the writer may still be given more. */
  NpzWriter npz() {
    return NpzWriter.deflated()
        .add("observation", observations, rows, WORLD.observationSize())
        .add("action", actions, rows, WORLD.actionSize())
        .add("reward", rewards, rows, 1)
        .add("discount", discounts, rows, 1)
        .add("physics", physics, rows, WORLD.stateSize());
  }

  /** Writes what make_fixtures.py hands to NumPy. */
  public static void main(String[] folder) {
    for (int episode = 0; episode < 2; episode++) {
      new WalkerRows(5, episode).npz().write(Path.of(folder[0], "rows_%d.npz".formatted(episode)));
    }
  }
}
