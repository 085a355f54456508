package dev.psm.core.env;

import java.util.Map;

/**
 * Something an agent can act in, under Gymnasium's names and meanings.
 *
 * <p>An environment is a single thread's property: it carries its own state and random stream.
 *
 * @param <A> the action: {@code Integer} for a {@link Space.Discrete} action space, {@code float[]}
 *     for a {@link Space.Box}
 */
public interface Environment<A> extends AutoCloseable {
  /** Begins an episode with a fresh random stream; the same seed gives the same episode. */
  Start reset(long seed);

  /** Begins an episode that continues the random stream of the last one. */
  Start reset();

  /** Acts once. Call {@link #reset} first, and again after a terminated or truncated step. */
  Step step(A action);

  Space.Box observationSpace();

  Space actionSpace();

  /** Everything {@link #setState} needs to come back to this very moment of the episode. */
  double[] state();

  /** Returns to a moment taken by {@link #state}; the random stream stays where it is. */
  void setState(double[] state);

  @Override
  default void close() {}

  /** The beginning of an episode. */
  @SuppressWarnings("ArrayRecordComponent")
  record Start(float[] observation, Map<String, Object> info) {}

  /**
   * What an action led to: {@code terminated} when the task itself ended, {@code truncated} when
   * only the time ran out, so that a value estimate knows whether to look beyond the end.
   */
  @SuppressWarnings("ArrayRecordComponent")
  record Step(
      float[] observation,
      double reward,
      boolean terminated,
      boolean truncated,
      Map<String, Object> info) {

    /** Whether the episode is over, for either reason. */
    public boolean ended() {
      return terminated || truncated;
    }
  }
}
