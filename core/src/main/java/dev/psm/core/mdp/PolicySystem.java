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

  /** Sweeps in both directions, so that a far reward comes down a corridor in one sweep. */
  private double[] iterate(double[] y) {
    double[] x = y.clone();
    long limit = sweepLimit();
    boolean settled = false;
    for (long sweep = 0; !settled && sweep < limit; sweep++) {
      settled = true;
      for (int i = 0; i < x.length; i++) {
        int state = sweep % 2 == 0 ? i : x.length - 1 - i;
        double sum = y[state];
        double self = 0;
        for (int action = 0; action < mdp.actionCount(); action++) {
          double weight = mdp.discount() * policy.probability(state, action);
          int pair = state * mdp.actionCount() + action;
          for (int entry = mdp.rowStart(pair); weight != 0 && entry < mdp.rowEnd(pair); entry++) {
            if (mdp.successor(entry) == state) {
              self += weight * mdp.probability(entry);
            } else {
              sum += weight * mdp.probability(entry) * x[mdp.successor(entry)];
            }
          }
        }
        double value = sum / (1 - self);
        settled &= Math.abs(value - x[state]) <= 4 * ROUNDING * Math.abs(value);
        x[state] = value;
      }
    }
    return x;
  }

  /** Pushes what has not flowed on yet from state to state until too little of it is left. */
  private double[] iterateTransposed(double[] y) {
    double[] x = new double[y.length];
    double[] waiting = y.clone();
    long limit = sweepLimit();
    for (long sweep = 0; sweep < limit; sweep++) {
      for (int i = 0; i < x.length; i++) {
        int state = sweep % 2 == 0 ? i : x.length - 1 - i;
        if (waiting[state] != 0) {
          push(state, x, waiting);
        }
      }
      double left = 0;
      double total = 0;
      for (int state = 0; state < x.length; state++) {
        left += Math.abs(waiting[state]);
        total += Math.abs(x[state]);
      }
      if (left <= ROUNDING * (1 - mdp.discount()) * total) {
        break;
      }
    }
    return x;
  }

  private void push(int state, double[] x, double[] waiting) {
    double amount = waiting[state];
    waiting[state] = 0;
    int first = state * mdp.actionCount();
    double self = 0;
    for (int action = 0; action < mdp.actionCount(); action++) {
      for (int entry = mdp.rowStart(first + action); entry < mdp.rowEnd(first + action); entry++) {
        if (mdp.successor(entry) == state) {
          self += mdp.discount() * policy.probability(state, action) * mdp.probability(entry);
        }
      }
    }
    double visits = amount / (1 - self);
    x[state] += visits;
    for (int action = 0; action < mdp.actionCount(); action++) {
      double flow = mdp.discount() * policy.probability(state, action) * visits;
      for (int entry = mdp.rowStart(first + action);
          flow != 0 && entry < mdp.rowEnd(first + action);
          entry++) {
        if (mdp.successor(entry) != state) {
          waiting[mdp.successor(entry)] += flow * mdp.probability(entry);
        }
      }
    }
  }

  private long sweepLimit() {
    return (long) (2 * DIGITS / (1 - mdp.discount())) + 10;
  }
}
