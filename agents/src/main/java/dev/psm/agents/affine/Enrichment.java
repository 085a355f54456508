package dev.psm.agents.affine;

import dev.psm.agents.SolveMethod;
import dev.psm.agents.finite.FiniteModel;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * Adds useful policies to the codebook. Random deterministic policies rarely travel far, so their
 * measures say little about where a purposeful agent can be. Enrichment asks the half-trained basis
 * for policies that do travel: it draws rewards that pay for entering one state of the data, solves
 * them by generalised policy improvement over the hash codes, and hands the greedy policies back to
 * be evaluated like any other code.
 *
 * <p>The states come from the data, never from a task; it is the prior that Forward-Backward
 * training uses for half of its batch.
 */
final class Enrichment {
  private final AffineModel model;
  private final double[][] rewards;

  Enrichment(AffineModel model, RandomGenerator random) {
    this.model = model;
    int states = model.data().stateCount();
    int[] order = new int[states];
    rewards = new double[model.shape().enrichedCodes()][states];
    for (int code = 0; code < rewards.length; code++) {
      // Without replacement while there are states left, so that no policy is evaluated twice for
      // nothing.
      int position = code % states;
      if (position == 0) {
        shuffle(order, random);
      }
      rewards[code][order[position]] = 1;
    }
  }

  /**
   * One policy per reward. Asked again once these are evaluated, it improves on them: policy
   * iteration on all at once.
   */
  int[][] policies() {
    double[][][] q = model.actionValues(rewards, SolveMethod.GPI);
    return Arrays.stream(q).map(FiniteModel::greedy).toArray(int[][]::new);
  }

  private static void shuffle(int[] order, RandomGenerator random) {
    for (int i = 0; i < order.length; i++) {
      int j = random.nextInt(i + 1);
      order[i] = order[j];
      order[j] = i;
    }
  }
}
