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
   * @param rewards Σ γᵏ r over the n steps, each further discounted by the environment's discounts
   *     before it; 0 where episodes came without rewards
   */
  public record Batch(
      int size,
      float[] observations,
      float[] actions,
      float[] nextObservations,
      float[] discounts,
      float[] rewards) {}

  /**
   * @param rows T + 1 rows of observation, action, and reward and discount of the n steps from
   *     there, side by side: a transition is then two reads from memory that is not in the cache,
   *     not five
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
    this.width = observationSize + actionSize + 2;
  }

  public static NStepReplay of(ExplorerSettings settings, int observationSize, int actionSize) {
    return new NStepReplay(
        observationSize,
        actionSize,
        settings.replayCapacity(),
        settings.nStep(),
        settings.discount());
  }

  /** As {@link #append(float[], float[], float[], float[])}, for whoever has no rewards. */
  public void append(float[] observations, float[] actions, float[] discounts) {
    append(observations, actions, discounts, new float[discounts.length]);
  }

  /**
   * Adds one episode of T steps and drops the oldest ones that no longer fit. The arrays are
   * copied.
   *
   * @param observations T + 1 rows, the last one after the last action
   * @param actions T rows, the action taken at the observation of the same row
   * @param discounts T numbers, the environment's own: 1, or 0 for a step into a terminal state
   * @param rewards T numbers, of the step that the action of the same row took
   */
  public void append(float[] observations, float[] actions, float[] discounts, float[] rewards) {
    int length = discounts.length;
    if (observations.length != (length + 1) * observationSize
        || actions.length != length * actionSize
        || rewards.length != length) {
      throw new IllegalArgumentException(
          "an episode of %d steps needs %d numbers of observation, %d of action and %d rewards,"
                  .formatted(length, (length + 1) * observationSize, length * actionSize, length)
              + " found %d, %d and %d"
                  .formatted(observations.length, actions.length, rewards.length));
    }
    if (length < nStep || length > capacity) {
      throw UserError.invalid(
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
        sumRewards(rewards, discounts, t, rows);
      }
    }
    episodes.add(new Episode(length, rows));
    size += length;
  }

  /** Reward and discount of the n steps from there, into the last two numbers of its row. */
  private void sumRewards(float[] rewards, float[] discounts, int start, float[] rows) {
    double sum = 0;
    double product = 1;
    for (int t = start; t < start + nStep; t++) {
      sum += product * rewards[t];
      product *= discount * discounts[t];
    }
    int end = (start + 1) * width;
    rows[end - 2] = (float) sum;
    rows[end - 1] = (float) product;
  }

  /** Transitions held. */
  public int size() {
    return size;
  }

  public Batch sample(int count, RandomGenerator random) {
    float[] numbers = new float[count * numbers()];
    float[] rewards = new float[count];
    sample(count, random, numbers, rewards);
    int actions = count * observationSize;
    int next = actions + count * actionSize;
    int discounts = next + count * observationSize;
    return new Batch(
        count,
        Arrays.copyOfRange(numbers, 0, actions),
        Arrays.copyOfRange(numbers, actions, next),
        Arrays.copyOfRange(numbers, next, discounts),
        Arrays.copyOfRange(numbers, discounts, numbers.length),
        rewards);
  }

  /** Numbers of one sampled transition, its reward not counted. */
  private int numbers() {
    return 2 * observationSize + actionSize + 1;
  }

  /**
   * The same draw without rewards, into one array: all observations, all actions, all next
   * observations, all discounts. Several threads may sample at once, as long as none appends.
   */
  void sample(int count, RandomGenerator random, float[] into) {
    sample(count, random, into, new float[count]);
  }

  private void sample(int count, RandomGenerator random, float[] into, float[] rewards) {
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
      rewards[row] = rows[at + width - 2];
      into[discounts + row] = rows[at + width - 1];
    }
  }
}
