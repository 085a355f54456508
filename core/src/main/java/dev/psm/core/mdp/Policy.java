package dev.psm.core.mdp;

import java.util.Arrays;

/** A stationary policy π(a|s) on a finite MDP. */
public final class Policy {
  private static final double SUM_TOLERANCE = 1e-9;

  private final int actionCount;
  private final double[] probability;

  private Policy(int actionCount, double[] probability) {
    this.actionCount = actionCount;
    this.probability = probability;
  }

  /** A policy from its table, {@code table[state][action]}; each row is a distribution. */
  public static Policy of(double[][] table) {
    int actions = table[0].length;
    double[] flat = new double[table.length * actions];
    for (int state = 0; state < table.length; state++) {
      double sum = 0;
      for (int action = 0; action < actions; action++) {
        double chance = table[state][action];
        if (!(chance >= 0)) {
          throw new IllegalArgumentException(
              "π(%d|%d) must not be negative, found %s".formatted(action, state, chance));
        }
        flat[state * actions + action] = chance;
        sum += chance;
      }
      if (!(Math.abs(sum - 1) <= SUM_TOLERANCE)) {
        throw new IllegalArgumentException("π(·|%d) must sum to 1, found %s".formatted(state, sum));
      }
    }
    return new Policy(actions, flat);
  }

  /** The policy that takes {@code actions[state]}. */
  public static Policy deterministic(int[] actions, int actionCount) {
    double[] flat = new double[actions.length * actionCount];
    for (int state = 0; state < actions.length; state++) {
      if (actions[state] < 0 || actions[state] >= actionCount) {
        throw new IllegalArgumentException(
            "state %d: there is no action %d".formatted(state, actions[state]));
      }
      flat[state * actionCount + actions[state]] = 1;
    }
    return new Policy(actionCount, flat);
  }

  public static Policy uniform(int stateCount, int actionCount) {
    double[] flat = new double[stateCount * actionCount];
    Arrays.fill(flat, 1.0 / actionCount);
    return new Policy(actionCount, flat);
  }

  public int stateCount() {
    return probability.length / actionCount;
  }

  public int actionCount() {
    return actionCount;
  }

  /** π(action | state). */
  public double probability(int state, int action) {
    return probability[state * actionCount + action];
  }

  /** The most probable action; the first among equals. */
  public int likeliest(int state) {
    int best = 0;
    for (int action = 1; action < actionCount; action++) {
      if (probability(state, action) > probability(state, best)) {
        best = action;
      }
    }
    return best;
  }

  /** Throws unless this policy has the MDP's states and actions. */
  void checkFits(FiniteMdp mdp) {
    if (mdp.actionCount() != actionCount || mdp.stateCount() != stateCount()) {
      throw new IllegalArgumentException(
          "a policy of %d × %d on an MDP of %d × %d"
              .formatted(stateCount(), actionCount, mdp.stateCount(), mdp.actionCount()));
    }
  }
}
