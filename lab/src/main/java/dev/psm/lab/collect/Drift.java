package dev.psm.lab.collect;

import dev.psm.core.Seeds;
import dev.psm.core.data.Dataset;
import dev.psm.mujoco.MujocoException;
import dev.psm.mujoco.suite.Domain;
import dev.psm.mujoco.suite.DomainFacts;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * How far this machine's engine strays from the one that made a dataset: stored states are put
 * back, the stored action is taken for one control step, and what comes out is held against the
 * state stored next.
 *
 * <p>Even the engine that made the data strays by rounding, because the constraint solver's warm
 * start is not stored. Data of another engine version strays by what the versions differ in.
 *
 * @param transitions how many were replayed
 * @param median of the largest difference in a state's numbers
 * @param high its 99th percentile
 * @param largest the worst one, and {@code row} where it is
 * @param blownUp replays that did not survive
 */
public record Drift(
    int transitions, double median, double high, double largest, long row, int blownUp) {

  /** Replays transitions drawn from all over the dataset. */
  public static Drift of(Dataset dataset, DomainFacts facts, int count, long seed) {
    RandomGenerator random = Seeds.generator(Seeds.mix(seed, 0, "drift"));
    int replays = (int) Math.min(count, dataset.transitions());
    double[] before = new double[facts.physicsSize()];
    double[] after = new double[facts.physicsSize()];
    float[] action = new float[facts.actionSize()];
    double[] controls = new double[facts.actionSize()];
    double[] differences = new double[replays];
    double largest = -1;
    long worst = -1;
    int blownUp = 0;
    try (Domain domain = facts.open()) {
      for (int i = 0; i < replays; i++) {
        // The row that a transition leads to.
        long row = dataset.drawRow(random) + 1;
        dataset.physics(row - 1, 1, before, 0);
        dataset.physics(row, 1, after, 0);
        dataset.actions(row, 1, action, 0);
        differences[i] = replay(domain, before, action, controls, after);
        blownUp += differences[i] == Double.POSITIVE_INFINITY ? 1 : 0;
        if (differences[i] > largest) {
          largest = differences[i];
          worst = row;
        }
      }
    }
    Arrays.sort(differences);
    return new Drift(
        replays,
        differences[replays / 2],
        differences[(int) (0.99 * (replays - 1))],
        largest,
        worst,
        blownUp);
  }

  private static double replay(
      Domain domain, double[] before, float[] action, double[] controls, double[] after) {
    try {
      domain.start(before);
      domain.toControls(action, controls);
      if (!domain.advance(controls)) {
        return Double.POSITIVE_INFINITY;
      }
    } catch (MujocoException e) {
      return Double.POSITIVE_INFINITY;
    }
    double[] found = domain.physics();
    double difference = 0;
    for (int i = 0; i < found.length; i++) {
      difference = Math.max(difference, Math.abs(found[i] - after[i]));
    }
    return difference;
  }
}
