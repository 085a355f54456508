package dev.psm.core.mdp;

/**
 * Solves with I − γP_π and its transpose, to machine precision.
 *
 * <p>A policy's value, visitation and successor measure are all one such solve away. Small systems
 * are factorised; on large sparse ones a fixed-point iteration, which contracts by γ, reaches
 * machine precision with far less work, so the cheaper of the two is taken.
 */
final class PolicySystem {
  /** Factors of γ to fall below the rounding error: ln(2⁻⁵³) ≈ −36.7. */
  private static final double DIGITS = 37;

  private static final double ROUNDING = 0x1p-53;

  private final FiniteMdp mdp;
  private final Policy policy;
  private final DenseLu factors;

  PolicySystem(FiniteMdp mdp, Policy policy) {
    policy.checkFits(mdp);
    this.mdp = mdp;
    this.policy = policy;
    double states = mdp.stateCount();
    double iterationWork = DIGITS / (1 - mdp.discount()) * mdp.entryCount();
    if (iterationWork < states * states * states / 3) {
      factors = null;
    } else {
      factors = factorise();
    }
  }

  private DenseLu factorise() {
    double[][] matrix = new double[mdp.stateCount()][mdp.stateCount()];
    for (int state = 0; state < mdp.stateCount(); state++) {
      matrix[state][state] += 1;
      for (int action = 0; action < mdp.actionCount(); action++) {
        double weight = mdp.discount() * policy.probability(state, action);
        int pair = state * mdp.actionCount() + action;
        for (int entry = mdp.rowStart(pair); weight != 0 && entry < mdp.rowEnd(pair); entry++) {
          matrix[state][mdp.successor(entry)] -= weight * mdp.probability(entry);
        }
      }
    }
    return new DenseLu(matrix);
  }

  /** x with (I − γP_π) x = y: a value, when y is the reward of each state. */
  double[] solve(double[] y) {
    if (factors == null) {
      return iterate(y);
    }
    double[] x = y.clone();
    factors.solve(x);
    return x;
  }

  /** x with (I − γP_πᵀ) x = y: a visitation of states, when y is (1 − γ)μ. */
  double[] solveTransposed(double[] y) {
    if (factors == null) {
      return iterateTransposed(y);
    }
    double[] x = y.clone();
    factors.solveTransposed(x);
    return x;
  }

  /** (I − γP_π)⁻¹ by rows. */
  double[][] inverse() {
    double[][] rows = new double[mdp.stateCount()][mdp.stateCount()];
    for (int i = 0; i < rows.length; i++) {
      rows[i][i] = 1;
    }
    (factors == null ? factorise() : factors).solve(rows);
    return rows;
  }

  private double[] iterate(double[] y) {
    double[] x = y.clone();
    long limit = sweepLimit();
    for (long sweep = 0; sweep < limit; sweep++) {
      double change = 0;
      double size = 0;
      for (int state = 0; state < x.length; state++) {
        double sum = y[state];
        for (int action = 0; action < mdp.actionCount(); action++) {
          double weight = mdp.discount() * policy.probability(state, action);
          int pair = state * mdp.actionCount() + action;
          for (int entry = mdp.rowStart(pair); weight != 0 && entry < mdp.rowEnd(pair); entry++) {
            sum += weight * mdp.probability(entry) * x[mdp.successor(entry)];
          }
        }
        change = Math.max(change, Math.abs(sum - x[state]));
        size = Math.max(size, Math.abs(sum));
        x[state] = sum;
      }
      if (change <= ROUNDING * size) {
        break;
      }
    }
    return x;
  }

  private double[] iterateTransposed(double[] y) {
    double[] x = y.clone();
    double[] next = new double[x.length];
    long limit = sweepLimit();
    for (long sweep = 0; sweep < limit; sweep++) {
      System.arraycopy(y, 0, next, 0, y.length);
      for (int state = 0; state < x.length; state++) {
        for (int action = 0; action < mdp.actionCount(); action++) {
          double flow = mdp.discount() * policy.probability(state, action) * x[state];
          int pair = state * mdp.actionCount() + action;
          for (int entry = mdp.rowStart(pair); flow != 0 && entry < mdp.rowEnd(pair); entry++) {
            next[mdp.successor(entry)] += flow * mdp.probability(entry);
          }
        }
      }
      double change = 0;
      double size = 0;
      for (int state = 0; state < x.length; state++) {
        change = Math.max(change, Math.abs(next[state] - x[state]));
        size = Math.max(size, Math.abs(next[state]));
      }
      double[] swapped = x;
      x = next;
      next = swapped;
      if (change <= ROUNDING * size) {
        break;
      }
    }
    return x;
  }

  private long sweepLimit() {
    return (long) (2 * DIGITS / (1 - mdp.discount())) + 10;
  }
}
