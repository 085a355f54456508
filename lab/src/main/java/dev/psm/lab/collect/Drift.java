package dev.psm.lab.collect;

import dev.psm.core.Seeds;
import dev.psm.core.data.Dataset;
import dev.psm.core.data.DatasetDescription;
import dev.psm.core.env.CheckedEnvironment;
import dev.psm.core.env.Environment;
import dev.psm.core.env.SimulationException;
import dev.psm.core.env.World;
import dev.psm.lab.RandomEpisodes;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * How far this machine's engine strays from the one that made a dataset: stored states are put
 * back, the stored action is taken for one control step, and what comes out is held against the
 * state stored next.
 *
 * <p>Even the engine that made the data strays by rounding, because the constraint solver's warm
 * start is not stored. Data of another engine version strays by what the versions differ in. The
 * yardstick for both is what an action can do: a random one is taken from the same states, and the
 * distance to where it leads is its effect.
 *
 * @param transitions how many were replayed
 * @param median of the largest difference in a state's numbers
 * @param high its 99th percentile
 * @param largest the worst one, and {@code row} where it is
 * @param blownUp replays that did not survive
 * @param effect the median distance between the outcomes of the stored and of a random action
 * @param lost the share of transitions that stray by more than a tenth of the effect
 */
public record Drift(
    int transitions,
    double median,
    double high,
    double largest,
    long row,
    int blownUp,
    double effect,
    double lost) {

  /**
   * What a transition may stray by, as a share of an action's effect. An action that is wrong in
   * any way (of another row, unit, order or sign) strays by about the whole of it.
   */
  private static final double TOLERANCE = 0.1;

  /** Contacts make single transitions stray far in any engine. */
  private static final double MAX_LOST = 0.1;

  /**
   * What the engine that made the data may stray by in the median, as a share of an action's
   * effect: a thousand times and more of what was measured, and far below what a change of it
   * makes.
   */
  private static final double ROUNDING = 1e-9;

  /** What made the data, by the way it replays. */
  public enum Origin {
    SAME_DYNAMICS,
    SIMILAR_DYNAMICS,
    FOREIGN
  }

  /** What made the data. */
  public Origin origin() {
    if (lost > MAX_LOST) {
      return Origin.FOREIGN;
    }
    return median <= ROUNDING * effect ? Origin.SAME_DYNAMICS : Origin.SIMILAR_DYNAMICS;
  }

  /**
   * The origin in words, in the light of what the data says of itself.
   *
   * @param collectedOn the engine that its description names
   * @param replayedOn the engine here
   */
  public String verdict(String collectedOn, String replayedOn) {
    if (collectedOn.equals(replayedOn)) {
      return switch (origin()) {
        case SAME_DYNAMICS -> "it is this engine's own data, to rounding";
        case SIMILAR_DYNAMICS ->
            "it follows the stored actions, but not to rounding, though %s made it: another build or processor did, or it was changed"
                .formatted(collectedOn);
        case FOREIGN -> "it is not data of this environment";
      };
    }
    if (collectedOn.equals(DatasetDescription.UNKNOWN_ENGINE)) {
      return switch (origin()) {
        case SAME_DYNAMICS -> "it replays as data of %s does, to rounding".formatted(replayedOn);
        case SIMILAR_DYNAMICS ->
            "it follows the stored actions, as data of another engine version does";
        case FOREIGN -> "it is not data of this environment";
      };
    }
    return "the engines differ, collected on %s, replayed on %s: "
            .formatted(collectedOn, replayedOn)
        + switch (origin()) {
          case SAME_DYNAMICS -> "no more than by rounding";
          case SIMILAR_DYNAMICS -> "it follows the stored actions, not to rounding";
          case FOREIGN -> "too far to tell this from data of another environment";
        };
  }

  /** Replays transitions drawn from all over the dataset. */
  public static Drift of(Dataset dataset, World world, int count, long seed) {
    RandomGenerator random = Seeds.generator(Seeds.mix(seed, 0, "drift"));
    RandomGenerator others = Seeds.generator(Seeds.mix(seed, 1, "drift"));
    int replays = (int) Math.min(count, dataset.transitions());
    double[] before = new double[world.stateSize()];
    double[] after = new double[world.stateSize()];
    float[] action = new float[world.actionSize()];
    double[] differences = new double[replays];
    double[] effects = new double[replays];
    double largest = -1;
    long worst = -1;
    int blownUp = 0;
    try (Environment environment = CheckedEnvironment.open(world)) {
      for (int i = 0; i < replays; i++) {
        // The row that a transition leads to.
        long row = dataset.drawRow(random) + 1;
        dataset.physics(row - 1, 1, before, 0);
        dataset.physics(row, 1, after, 0);
        dataset.actions(row, 1, action, 0);
        double[] outcome = outcome(environment, before, action);
        differences[i] = distance(outcome, after);
        RandomEpisodes.draw(world, others, action);
        effects[i] = distance(outcome, outcome(environment, before, action));
        blownUp += outcome == null ? 1 : 0;
        if (differences[i] > largest) {
          largest = differences[i];
          worst = row;
        }
      }
    }
    Arrays.sort(differences);
    // What blew up says nothing of what an action can do.
    double[] finite = Arrays.stream(effects).filter(Double::isFinite).sorted().toArray();
    double effect = finite.length == 0 ? 0 : finite[finite.length / 2];
    long lost = Arrays.stream(differences).filter(far -> far > TOLERANCE * effect).count();
    return new Drift(
        replays,
        differences[replays / 2],
        differences[(int) (0.99 * (replays - 1))],
        largest,
        worst,
        blownUp,
        effect,
        (double) lost / replays);
  }

  /** The state after a control step; null where the simulation blew up. */
  private static double[] outcome(Environment environment, double[] before, float[] action) {
    try {
      environment.start(before);
      return environment.step(action).diverged() ? null : environment.state();
    } catch (SimulationException e) {
      return null;
    }
  }

  private static double distance(double[] first, double[] second) {
    if (first == null || second == null) {
      return Double.POSITIVE_INFINITY;
    }
    double distance = 0;
    for (int i = 0; i < first.length; i++) {
      distance = Math.max(distance, Math.abs(first[i] - second[i]));
    }
    return distance;
  }
}
