package dev.psm.lab.importing;

import dev.psm.core.data.Columns;
import dev.psm.core.data.Episode;
import java.util.Arrays;
import java.util.Map;

/**
 * An episode in the making, from data in which a row holds a state and the action taken <em>in</em>
 * it. Our rows hold the action that led <em>to</em> the state, so actions move down by one.
 */
final class Trajectory {
  private final Columns columns;
  private float[] observations = new float[0];
  private float[] actions = new float[0];
  private float[] discounts = new float[0];
  private double[] physics = new double[0];
  private float[] rewards = new float[0];
  private int rows;

  Trajectory(Columns columns) {
    this.columns = columns;
  }

  int rows() {
    return rows;
  }

  /**
   * Adds a state.
   *
   * @param action the one that led here, from {@code actionAt} on; null for the first state
   * @param discount 0 when that step ended the task for good
   */
  void add(
      float[] observation,
      int observationAt,
      float[] action,
      int actionAt,
      float discount,
      double[] state,
      int stateAt) {
    grow();
    int o = columns.observation();
    int a = columns.action();
    int p = columns.physics();
    System.arraycopy(observation, observationAt, observations, rows * o, o);
    if (action != null) {
      System.arraycopy(action, actionAt, actions, rows * a, a);
    }
    discounts[rows] = discount;
    if (p > 0) {
      System.arraycopy(state, stateAt, physics, rows * p, p);
    }
    rows++;
  }

  /** Says what the step to the last state was rewarded with. */
  void reward(float reward) {
    rewards[rows - 1] = reward;
  }

  private void grow() {
    if (rows == discounts.length) {
      int capacity = Math.max(64, 2 * rows);
      observations = Arrays.copyOf(observations, capacity * columns.observation());
      actions = Arrays.copyOf(actions, capacity * columns.action());
      discounts = Arrays.copyOf(discounts, capacity);
      physics = Arrays.copyOf(physics, capacity * columns.physics());
      rewards = Arrays.copyOf(rewards, capacity);
    }
  }

  /** The whole of it; the next one starts empty. */
  Episode finish() {
    Episode episode =
        new Episode(
            Arrays.copyOf(observations, rows * columns.observation()),
            Arrays.copyOf(actions, rows * columns.action()),
            Arrays.copyOf(discounts, rows),
            Arrays.copyOf(physics, rows * columns.physics()),
            columns.extras().isEmpty()
                ? Map.of()
                : Map.of(EpisodeSource.REWARD, Arrays.copyOf(rewards, rows)));
    rows = 0;
    Arrays.fill(actions, 0);
    Arrays.fill(rewards, 0);
    return episode;
  }
}
