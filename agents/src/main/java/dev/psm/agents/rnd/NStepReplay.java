package dev.psm.agents.rnd;

import dev.psm.core.UserError;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The newest episodes in memory, sampled as transitions of n steps.
 *
 * <p>As in the benchmark, a draw takes a uniform episode and then a uniform start from which n
 * steps fit, so nothing crosses an episode's end and the last n − 1 states never start a sample.
 * The contents follow from the order of {@link #append} alone: a resumed run appends its episodes
 * again.
 */
public final class NStepReplay {
  /**
   * Sampled transitions, row after row.
   *
   * @param nextObservations n steps after {@code observations}
   * @param discounts the product of n steps' γ and the environment's discounts
   */
  public record Batch(
      int size,
      float[] observations,
      float[] actions,
      float[] nextObservations,
      float[] discounts) {}

  /**
   * @param rows T + 1 rows of observation, action and the discount of the n steps from there, side
   *     by side: a transition is then two reads from memory that is not in the cache, not four
   */
  private record Episode(int length, float[] rows) {}

  private final int observationSize;
  private final int actionSize;
  private final int capacity;
  private final int nStep;
  private final double discount;
  private final int width;
  private final List<Episode> episodes = new ArrayList<>();
  private int size;

  public NStepReplay(
      int observationSize, int actionSize, int capacity, int nStep, double discount) {
    this.observationSize = observationSize;
    this.actionSize = actionSize;
    this.capacity = capacity;
    this.nStep = nStep;
    this.discount = discount;
    this.width = observationSize + actionSize + 1;
  }

  public static NStepReplay of(RndSettings settings, int observationSize, int actionSize) {
    return new NStepReplay(
        observationSize,
        actionSize,
        settings.replayCapacity(),
        settings.nStep(),
        settings.discount());
  }

  /**
   * Adds one episode of T steps and drops the oldest ones that no longer fit. The arrays are
   * copied.
   *
   * @param observations T + 1 rows, the last one after the last action
   * @param actions T rows, the action taken at the observation of the same row
   * @param discounts T numbers, the environment's own: 1, or 0 for a step into a terminal state
   */
  public void append(float[] observations, float[] actions, float[] discounts) {
    int length = discounts.length;
    if (observations.length != (length + 1) * observationSize
        || actions.length != length * actionSize) {
      throw new IllegalArgumentException(
          "an episode of %d steps needs %d numbers of observation and %d of action, found %d and %d"
              .formatted(
                  length,
                  (length + 1) * observationSize,
                  length * actionSize,
                  observations.length,
                  actions.length));
    }
    if (length < nStep || length > capacity) {
      throw UserError.usage(
          "an episode must have at least nStep=%d and at most replayCapacity=%d steps, found %d",
          nStep, capacity, length);
    }
    while (size + length > capacity) {
      size -= episodes.remove(0).length();
    }
    float[] rows = new float[(length + 1) * width];
    for (int t = 0; t <= length; t++) {
      System.arraycopy(observations, t * observationSize, rows, t * width, observationSize);
      if (t < length) {
        System.arraycopy(actions, t * actionSize, rows, t * width + observationSize, actionSize);
      }
      if (t + nStep <= length) {
        rows[(t + 1) * width - 1] = discount(discounts, t);
      }
    }
    episodes.add(new Episode(length, rows));
    size += length;
  }

  private float discount(float[] discounts, int start) {
    double product = 1;
    for (int step = 0; step < nStep; step++) {
      product *= discount * discounts[start + step];
    }
    return (float) product;
  }

  /** Transitions held. */
  public int size() {
    return size;
  }

  public Batch sample(int count, RandomGenerator random) {
    float[] numbers = new float[count * numbers()];
    sample(count, random, numbers);
    int actions = count * observationSize;
    int next = actions + count * actionSize;
    int discounts = next + count * observationSize;
    return new Batch(
        count,
        Arrays.copyOfRange(numbers, 0, actions),
        Arrays.copyOfRange(numbers, actions, next),
        Arrays.copyOfRange(numbers, next, discounts),
        Arrays.copyOfRange(numbers, discounts, numbers.length));
  }

  /** Numbers of one sampled transition. */
  private int numbers() {
    return 2 * observationSize + actionSize + 1;
  }

  /**
   * The same draw into one array: all observations, all actions, all next observations, all
   * discounts. Several threads may sample at once, as long as none appends.
   */
  void sample(int count, RandomGenerator random, float[] into) {
    if (episodes.isEmpty()) {
      throw new IllegalStateException("there is no episode to sample from");
    }
    // All draws before all reads: the processor then waits for many reads at once.
    Episode[] chosen = new Episode[count];
    int[] starts = new int[count];
    for (int row = 0; row < count; row++) {
      chosen[row] = episodes.get(random.nextInt(episodes.size()));
      starts[row] = random.nextInt(chosen[row].length() - nStep + 1);
    }
    int actions = count * observationSize;
    int next = actions + count * actionSize;
    int discounts = next + count * observationSize;
    for (int row = 0; row < count; row++) {
      float[] rows = chosen[row].rows();
      int at = starts[row] * width;
      System.arraycopy(rows, at, into, row * observationSize, observationSize);
      System.arraycopy(rows, at + observationSize, into, actions + row * actionSize, actionSize);
      System.arraycopy(
          rows, at + nStep * width, into, next + row * observationSize, observationSize);
      into[discounts + row] = rows[at + width - 1];
    }
  }
}
