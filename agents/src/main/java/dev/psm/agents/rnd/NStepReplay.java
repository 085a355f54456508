package dev.psm.agents.rnd;

import dev.psm.core.UserError;
import java.util.ArrayList;
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

  private record Episode(int length, float[] observations, float[] actions, float[] discounts) {}

  private final int observationSize;
  private final int actionSize;
  private final int capacity;
  private final int nStep;
  private final double discount;
  private final List<Episode> episodes = new ArrayList<>();
  private int size;

  public NStepReplay(
      int observationSize, int actionSize, int capacity, int nStep, double discount) {
    this.observationSize = observationSize;
    this.actionSize = actionSize;
    this.capacity = capacity;
    this.nStep = nStep;
    this.discount = discount;
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
    episodes.add(new Episode(length, observations.clone(), actions.clone(), discounts.clone()));
    size += length;
  }

  /** Transitions held. */
  public int size() {
    return size;
  }

  public Batch sample(int count, RandomGenerator random) {
    if (episodes.isEmpty()) {
      throw new IllegalStateException("there is no episode to sample from");
    }
    float[] observations = new float[count * observationSize];
    float[] actions = new float[count * actionSize];
    float[] nextObservations = new float[count * observationSize];
    float[] discounts = new float[count];
    for (int row = 0; row < count; row++) {
      Episode episode = episodes.get(random.nextInt(episodes.size()));
      int start = random.nextInt(episode.length() - nStep + 1);
      copyRow(episode.observations(), start, observations, row, observationSize);
      copyRow(episode.actions(), start, actions, row, actionSize);
      copyRow(episode.observations(), start + nStep, nextObservations, row, observationSize);
      double product = 1;
      for (int step = 0; step < nStep; step++) {
        product *= discount * episode.discounts()[start + step];
      }
      discounts[row] = (float) product;
    }
    return new Batch(count, observations, actions, nextObservations, discounts);
  }

  private static void copyRow(float[] from, int fromRow, float[] to, int toRow, int width) {
    System.arraycopy(from, fromRow * width, to, toRow * width, width);
  }
}
