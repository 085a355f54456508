package dev.psm.core.env;

import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.Readings;
import dev.psm.core.reward.Task;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Something an agent can act in, under Gymnasium's names and meanings, but without a reward: that
 * is whatever a {@link Task} makes of the quantities that can be read here after every step.
 *
 * <p>An environment is a single thread's property. The least that one has to do is to reset, to
 * step and to measure its quantities; the rest is for worlds whose {@link World#stateSize stored
 * states} can be returned to, and for films.
 */
public interface Environment extends Readings, AutoCloseable {
  /**
   * Begins an episode and returns its first observation.
   *
   * @param random what chance there is comes from here alone, also in the steps that follow: the
   *     same generator gives the same episodes
   */
  float[] reset(RandomGenerator random);

  /**
   * Acts once. Call {@link #reset} first, and again after a step that ended the episode.
   *
   * @param action of a box, its vector; of a discrete space, one number: which action
   */
  Step step(float[] action);

  /** A quantity of the world in the present state. */
  @Override
  double get(Quantity quantity);

  /** The present state, as it is stored in data: {@link World#stateSize} numbers. */
  default double[] state() {
    return new double[0];
  }

  /** Begins an episode in a stored state and returns its first observation. */
  default float[] start(double[] state) {
    throw new UnsupportedOperationException("episodes cannot begin in a stored state here");
  }

  /**
   * Begins an episode in the present state and returns its first observation, to go on beyond an
   * episode's last step. After {@link #recall} or a step that {@link Step#diverged diverged}, the
   * present state is not where the episode was: {@link #reset} then.
   */
  default float[] startHere() {
    return start(state());
  }

  /**
   * The numbers of a stored state that pose the body, for whoever shows a goal by hand: such a
   * state, with its velocities zero, can be started in. Empty where nobody can be posed.
   */
  default List<PoseCoordinate> pose() {
    return List.of();
  }

  /**
   * Goes to a stored state only to measure or to draw it; {@link #reset} or {@link #start} comes
   * before the next step.
   *
   * @param states one or more of them, of which the one that begins at {@code at} is meant
   */
  default void recall(double[] states, int at) {
    throw new UnsupportedOperationException("stored states cannot be measured here");
  }

  /**
   * What is observed in the state that was {@link #recall recalled}, in full precision: NaN for
   * numbers that do not follow from the state alone. Empty where nobody can tell.
   */
  default Optional<double[]> recalledObservation() {
    return Optional.empty();
  }

  /**
   * A stored state that would be observed like this; empty where the observation does not tell it.
   *
   * @param observations one or more of them, of which the one that begins at {@code at} is meant
   */
  default Optional<double[]> stateFromObservation(float[] observations, int at) {
    return Optional.empty();
  }

  /**
   * Gives a stored state the present place and heading, as far as observations do not tell them.
   */
  default void alignUnobserved(double[] state) {}

  /**
   * Puts another goal in the place of the one that the episode drew, for whoever has a goal of
   * their own: see {@link World#episodeGoal}.
   */
  default void replaceGoal(double[] goal) {
    throw new UnsupportedOperationException("episodes draw no goal here");
  }

  /** What there is to draw while a task is pursued; empty where nobody draws this world. */
  default Optional<Scenery> scenery(Task task) {
    return Optional.empty();
  }

  @Override
  default void close() {}

  /**
   * What an action led to: {@code terminated} when the world itself ended, {@code truncated} when
   * only the time ran out, so that a value estimate knows whether to look beyond the end.
   *
   * @param diverged whether the simulation blew up: the observation is then the last good one, the
   *     episode is truncated, and what happened in this step does not count
   */
  @SuppressWarnings("ArrayRecordComponent")
  record Step(float[] observation, boolean terminated, boolean truncated, boolean diverged) {
    public Step(float[] observation, boolean terminated, boolean truncated) {
      this(observation, terminated, truncated, false);
    }

    /** Whether the episode is over, for whatever reason. */
    public boolean ended() {
      return terminated || truncated;
    }
  }
}
