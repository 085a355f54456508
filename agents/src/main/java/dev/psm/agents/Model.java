package dev.psm.agents;

import dev.psm.core.UserError;
import dev.psm.core.io.TensorData;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * What pretraining leaves behind. A reward, a goal or a demonstration becomes a <em>task</em>, some
 * numbers of which only the model knows the meaning (a task vector z, or action values of every
 * state), and the model acts by any task. It knows its own shape and tensors, and neither trainers
 * nor their settings, so a model of yesterday loads tomorrow.
 *
 * <p>Any number of threads may ask one at the same time.
 */
public interface Model extends AutoCloseable {
  /** What it takes, beside its {@link #tensors} and its world, to make it again. */
  Record shape();

  int observationSize();

  /** Numbers in the features of a state. */
  int featureDimension();

  /** Numbers in a task. */
  int taskSize();

  /** The largest number, of either sign, that it can tell from larger ones. */
  default float largestInput() {
    return Float.MAX_VALUE;
  }

  /** The place of the first of some numbers that is none or beyond {@link #largestInput}; or −1. */
  default int firstNotTaken(float[] numbers) {
    float most = largestInput();
    for (int i = 0; i < numbers.length; i++) {
      // Not so for a NaN.
      if (!(Math.abs(numbers[i]) <= most)) {
        return i;
      }
    }
    return -1;
  }

  /** φ of observations, one after the other: count × features. */
  float[] features(float[] observations);

  /**
   * The task of a reward that is known on a sample of states: the same for all rewards of one
   * {@link dev.psm.core.reward.CanonicalReward}.
   *
   * @param phi features of the sample: count × features
   * @param rewards one per state
   */
  float[] taskVector(float[] phi, double[] rewards);

  /**
   * The rule of {@link #taskVector} where a task is a vector that follows from averages over
   * states; empty where it is not, so that a reward has to be known state by state.
   */
  default Optional<TaskRule> taskRule() {
    return Optional.empty();
  }

  /**
   * Which numbers of an observation goals speak of, ascending: all, unless the world that was
   * learned said otherwise, see {@link dev.psm.core.env.World#achievedGoal}.
   */
  default int[] goalColumns() {
    return IntStream.range(0, observationSize()).toArray();
  }

  /** Numbers in a goal. */
  default int goalSize() {
    return goalColumns().length;
  }

  /** The goals that observations are instances of: count × goal. */
  default float[] achieved(float[] observations) {
    return observations;
  }

  /** φ of goals: count × features. */
  default float[] goalFeatures(float[] goals) {
    return features(goals);
  }

  /**
   * The tasks of reaching goals: of rewards that are all in one place.
   *
   * @param phi features of a sample of the data: count × features
   * @param goals their {@link #goalFeatures}: goals × features
   * @return goals × task
   */
  float[] goalVectors(float[] phi, float[] goals);

  /**
   * Whether features are distances, so that the way to a goal is the straight one there: see {@link
   * #direction}.
   */
  default boolean goalsAreDirections() {
    return false;
  }

  /** The task of going from where one is to a state; only where {@link #goalsAreDirections}. */
  default float[] direction(float[] goal, float[] observation) {
    throw new UnsupportedOperationException("goals are no directions here");
  }

  /**
   * The ways in which it can answer a prompt, its own first; empty where there is only one, which
   * has no name.
   */
  default List<SolveMethod> methods() {
    return List.of();
  }

  /**
   * The same model, which answers prompts by another method: a view of it, to be used only as long
   * as the model itself is open, and never closed.
   */
  default Model solvingBy(SolveMethod method) {
    throw UserError.invalid("this model has only one way of solving, found %s", method);
  }

  /**
   * Acts.
   *
   * @param observations count × observation
   * @param tasks a task per observation: count × task
   * @return count × action: vectors in [−1, 1], or the numbers of actions
   */
  float[] act(float[] observations, float[] tasks);

  /** Everything that was learned, by name. */
  Map<String, TensorData> tensors();

  /** Frees its tensors now rather than when it becomes unreachable. */
  @Override
  void close();
}
