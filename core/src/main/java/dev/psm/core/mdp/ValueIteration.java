package dev.psm.core.mdp;

import java.util.Arrays;

/**
 * Optimal values V*, Q* for a reward r(s,a) received at the current pair, by sweeps of Bellman's
 * optimality equation until rounding stops them.
 *
 * <p>Independent of every linear programme here, and so the yardstick for all of them.
 */
public final class ValueIteration {
  private static final double DIGITS = 40;

  private final FiniteMdp mdp;
  private final double[] values;
  private final double[] pairValues;
  private final double size;

  private ValueIteration(FiniteMdp mdp, double[] values, double[] pairValues) {
    this.mdp = mdp;
    this.values = values;
    this.pairValues = pairValues;
    this.size = Arrays.stream(values).map(Math::abs).max().getAsDouble();
  }

  public static ValueIteration solve(FiniteMdp mdp, double[] reward) {
    Rewards.check(mdp, reward);
    double[] values = new double[mdp.stateCount()];
    long limit = (long) (2 * DIGITS / (1 - mdp.discount())) + 10;
    for (long sweep = 0; sweep < limit; sweep++) {
      double change = 0;
      double size = 0;
      for (int state = 0; state < values.length; state++) {
        double best = Double.NEGATIVE_INFINITY;
        for (int action = 0; action < mdp.actionCount(); action++) {
          best = Math.max(best, backup(mdp, reward, state * mdp.actionCount() + action, values));
        }
        change = Math.max(change, Math.abs(best - values[state]));
        size = Math.max(size, Math.abs(best));
        values[state] = best;
      }
      if (change <= 0x1p-53 * size) {
        break;
      }
    }
    double[] pairValues = new double[mdp.pairCount()];
    for (int pair = 0; pair < pairValues.length; pair++) {
      pairValues[pair] = backup(mdp, reward, pair, values);
    }
    return new ValueIteration(mdp, values, pairValues);
  }

  /** r(s,a) + γ Σ P(s'|s,a) v(s'). */
  static double backup(FiniteMdp mdp, double[] reward, int pair, double[] values) {
    double sum = 0;
    for (int entry = mdp.rowStart(pair); entry < mdp.rowEnd(pair); entry++) {
      sum += mdp.probability(entry) * values[mdp.successor(entry)];
    }
    return reward[pair] + mdp.discount() * sum;
  }

  /** V*(state). */
  public double value(int state) {
    return values[state];
  }

  /** Q*(state, action). */
  public double value(int state, int action) {
    return pairValues[state * mdp.actionCount() + action];
  }

  /** Whether Q*(state, action) is V*(state), up to rounding of the size of the values. */
  public boolean isOptimal(int state, int action) {
    return value(state, action) >= values[state] - 1e-10 * size;
  }

  /** (1 − γ) μᵀV*, the optimum of the linear programme over visitations. */
  public double optimum() {
    double[] initial = mdp.initial();
    double sum = 0;
    for (int state = 0; state < values.length; state++) {
      sum += initial[state] * values[state];
    }
    return (1 - mdp.discount()) * sum;
  }
}
