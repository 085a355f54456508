package dev.psm.core.mdp;

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
 *
 * <p>The first basis is not arbitrary: a few sweeps of value backups carry a far reward through the
 * states, where pivots alone would carry it one state a round.
 */
final class FlowSimplex {
  /** Reduced costs below this share of the terms they are the difference of are rounding. */
  private static final double ROUNDING = 1e-12;

  private final FiniteMdp mdp;
  private final double[] reward;

  private FlowSimplex(FiniteMdp mdp, double[] reward) {
    this.mdp = mdp;
    this.reward = reward;
  }

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
    FlowSimplex simplex = new FlowSimplex(mdp, reward);
    return simplex.maximise(simplex.firstBasis());
  }

  /** Pivots on from a given basis. */
  static Vertex maximise(FiniteMdp mdp, double[] reward, int[] basis) {
    return new FlowSimplex(mdp, reward).maximise(basis);
  }

  private Vertex maximise(int[] basis) {
    int[] actions = basis;
    double[] values = multipliers(actions);
    int limit = 2 * actions.length + 100;
    int rounds = 0;
    int[] entering = actions.clone();
    while (rounds < limit && pivot(values, entering)) {
      double[] better = multipliers(entering);
      if (!improves(better, values)) {
        break; // Exact arithmetic always improves; what is left is rounding between ties.
      }
      actions = entering.clone();
      values = better;
      rounds++;
    }
    double[] d = new BellmanFlow(mdp).visitation(Policy.deterministic(actions, mdp.actionCount()));
    return new Vertex(actions, d, values, rounds);
  }

  private int[] firstBasis() {
    int[] actions = new int[mdp.stateCount()];
    double[] values = new double[actions.length];
    boolean changed = true;
    for (int sweep = 0; changed && sweep < actions.length; sweep++) {
      changed = false;
      for (int i = 0; i < actions.length; i++) {
        int state = sweep % 2 == 0 ? i : actions.length - 1 - i;
        int action = best(state, actions[state], values);
        changed |= action != actions[state];
        actions[state] = action;
        values[state] = backup(state, action, values);
      }
    }
    return actions;
  }

  private double[] multipliers(int[] actions) {
    double[] basicReward = new double[actions.length];
    for (int state = 0; state < actions.length; state++) {
      basicReward[state] = reward[state * mdp.actionCount() + actions[state]];
    }
    return new PolicySystem(mdp, Policy.deterministic(actions, mdp.actionCount()))
        .solve(basicReward);
  }

  /** Brings in each state's column of largest positive reduced cost; false when there is none. */
  private boolean pivot(double[] values, int[] actions) {
    boolean pivoted = false;
    for (int state = 0; state < actions.length; state++) {
      int action = best(state, actions[state], values);
      pivoted |= action != actions[state];
      actions[state] = action;
    }
    return pivoted;
  }

  /** The action of largest backup; the present one unless another is better beyond rounding. */
  private int best(int state, int present, double[] values) {
    int best = present;
    double highest = backup(state, present, values);
    for (int action = 0; action < mdp.actionCount(); action++) {
      double value = backup(state, action, values);
      if (value > highest && value - highest > ROUNDING * size(state, action, values)) {
        best = action;
        highest = value;
      }
    }
    return best;
  }

  private double backup(int state, int action, double[] values) {
    return ValueIteration.backup(mdp, reward, state * mdp.actionCount() + action, values);
  }

  private double size(int state, int action, double[] values) {
    int pair = state * mdp.actionCount() + action;
    double size = Math.abs(reward[pair]);
    for (int entry = mdp.rowStart(pair); entry < mdp.rowEnd(pair); entry++) {
      size += mdp.discount() * mdp.probability(entry) * Math.abs(values[mdp.successor(entry)]);
    }
    return size;
  }

  private static boolean improves(double[] better, double[] values) {
    for (int state = 0; state < values.length; state++) {
      double size = Math.abs(better[state]) + Math.abs(values[state]);
      if (better[state] - values[state] > ROUNDING / 10 * size) {
        return true;
      }
    }
    return false;
  }
}
