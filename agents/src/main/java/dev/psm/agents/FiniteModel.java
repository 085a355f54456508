package dev.psm.agents;

import dev.psm.core.io.TensorData;
import java.util.Map;

/**
 * A pretrained agent of a finite environment: any reward becomes action values, with no further
 * data.
 */
public interface FiniteModel {

  /**
   * Solves several rewards at once.
   *
   * @param rewards one row per prompt: the reward of entering each state
   * @return Q of the {@link dev.psm.core.reward.CanonicalReward} by prompt, state and action, up to
   *     a positive factor per prompt; act greedily on it
   */
  double[][][] actionValues(double[][] rewards);

  /** Everything that was learned, by name. */
  Map<String, TensorData> tensors();

  /** Takes what {@link #tensors()} gave; what is missing or misshapen is refused by name. */
  void load(Map<String, TensorData> tensors, String fileName);

  /** The greedy action in every state of one prompt's Q; the first of several equals. */
  static int[] greedy(double[][] q) {
    int[] actions = new int[q.length];
    for (int state = 0; state < q.length; state++) {
      for (int action = 1; action < q[state].length; action++) {
        if (q[state][action] > q[state][actions[state]]) {
          actions[state] = action;
        }
      }
    }
    return actions;
  }
}
