package dev.psm.core.mdp;

import java.util.Arrays;

/**
 * The primal simplex method on max rᵀd, F d = (1 − γ)μ, d ≥ 0, with block pivots.
 *
 * <p>A feasible basis of this programme is one column per state: a deterministic policy π with
 * basis matrix I − γP_πᵀ. Its simplex multipliers are the policy's values v, and the reduced cost
 * of the column (s,a) is r(s,a) + γΣP(s'|s,a)v(s') − v(s). Since each state owns one row, all
 * states with a column of positive reduced cost can pivot at once and the basis stays feasible;
 * this is Howard's policy iteration, seen as a linear programming method. It ends when no reduced
 * cost is positive, which proves optimality: v is then a feasible solution of the dual with the
 * same objective.
 */
final class FlowSimplex {
  /** Reduced costs below this share of the terms they are the difference of are rounding. */
  private static final double ROUNDING = 1e-12;

  private static final int MAX_ROUNDS = 10_000;

  private FlowSimplex() {}

  /**
   * An optimal vertex.
   *
   * @param actions the basic column of each state
   * @param visitation d
   * @param values the multipliers, V* of the reward
   * @param rounds block pivots made
   */
  @SuppressWarnings("ArrayRecordComponent")
  record Vertex(int[] actions, double[] visitation, double[] values, int rounds) {}

  static Vertex maximise(FiniteMdp mdp, double[] reward) {
    int[] actions = new int[mdp.stateCount()];
    double[] values = evaluate(mdp, reward, actions);
    int rounds = 0;
    int[] candidate = actions.clone();
    while (pivot(mdp, reward, values, candidate)) {
      double[] better = evaluate(mdp, reward, candidate);
      if (!(sum(better) > sum(values)) || rounds == MAX_ROUNDS) {
        break; // Exact arithmetic always improves; what is left is rounding between ties.
      }
      actions = candidate.clone();
      values = better;
      rounds++;
    }
    double[] d = new BellmanFlow(mdp).visitation(Policy.deterministic(actions, mdp.actionCount()));
    return new Vertex(actions, d, values, rounds);
  }

  private static double[] evaluate(FiniteMdp mdp, double[] reward, int[] actions) {
    double[] basicReward = new double[actions.length];
    for (int state = 0; state < actions.length; state++) {
      basicReward[state] = reward[state * mdp.actionCount() + actions[state]];
    }
    return new PolicySystem(mdp, Policy.deterministic(actions, mdp.actionCount()))
        .solve(basicReward);
  }

  /** Brings in each state's column of largest positive reduced cost; false when there is none. */
  private static boolean pivot(FiniteMdp mdp, double[] reward, double[] values, int[] actions) {
    boolean pivoted = false;
    for (int state = 0; state < actions.length; state++) {
      int first = state * mdp.actionCount();
      double best = backup(mdp, reward, first + actions[state], values);
      for (int action = 0; action < mdp.actionCount(); action++) {
        double value = backup(mdp, reward, first + action, values);
        if (value - best > ROUNDING * size(mdp, reward, first + action, values)) {
          best = value;
          actions[state] = action;
          pivoted = true;
        }
      }
    }
    return pivoted;
  }

  private static double backup(FiniteMdp mdp, double[] reward, int pair, double[] values) {
    return ValueIteration.backup(mdp, reward, pair, values);
  }

  private static double size(FiniteMdp mdp, double[] reward, int pair, double[] values) {
    double size = Math.abs(reward[pair]) + Math.abs(values[pair / mdp.actionCount()]);
    for (int entry = mdp.rowStart(pair); entry < mdp.rowEnd(pair); entry++) {
      size += mdp.discount() * mdp.probability(entry) * Math.abs(values[mdp.successor(entry)]);
    }
    return size;
  }

  private static double sum(double[] values) {
    return Arrays.stream(values).sum();
  }
}
