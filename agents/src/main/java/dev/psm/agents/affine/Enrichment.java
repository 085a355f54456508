package dev.psm.agents.affine;

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
    rewards = new double[model.settings().enrichedCodes()][states];
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
    int[][] policies = new int[rewards.length][model.data().stateCount()];
    for (int code = 0; code < policies.length; code++) {
      for (int state = 0; state < policies[code].length; state++) {
        policies[code][state] = argmax(q[code][state]);
      }
    }
    return policies;
  }

  private static void shuffle(int[] order, RandomGenerator random) {
    for (int i = 0; i < order.length; i++) {
      int j = random.nextInt(i + 1);
      order[i] = order[j];
      order[j] = i;
    }
  }

  private static int argmax(double[] values) {
    int best = 0;
    for (int i = 1; i < values.length; i++) {
      if (values[i] > values[best]) {
        best = i;
      }
    }
    return best;
  }
}
