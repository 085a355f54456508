package dev.psm.core.mdp;

import dev.psm.core.UserError;
import java.util.Arrays;

/**
 * A task-free finite MDP ⟨S, A, P, γ, μ⟩: no reward, which always comes later.
 *
 * <p>Transitions are stored sparsely by row, one row per state-action pair in the order {@code
 * state * actionCount + action}; every vector over state-action pairs in this package uses that
 * order.
 */
public final class FiniteMdp {
  private static final double SUM_TOLERANCE = 1e-9;

  private final int stateCount;
  private final int actionCount;
  private final double discount;
  private final double[] initial;
  private final int[] rowStart;
  private final int[] successor;
  private final double[] probability;

  private FiniteMdp(
      int stateCount,
      int actionCount,
      double discount,
      double[] initial,
      int[] rowStart,
      int[] successor,
      double[] probability) {
    this.stateCount = stateCount;
    this.actionCount = actionCount;
    this.discount = discount;
    this.initial = initial;
    this.rowStart = rowStart;
    this.successor = successor;
    this.probability = probability;
  }

  /**
   * Starts an MDP with uniform initial distribution; every row must be given before {@link
   * Builder#build()}.
   */
  public static Builder builder(int stateCount, int actionCount, double discount) {
    return new Builder(stateCount, actionCount, discount);
  }

  /**
   * A deterministic MDP with uniform initial distribution; {@code next[state][action]} is the state
   * entered.
   */
  public static FiniteMdp deterministic(int[][] next, double discount) {
    Builder builder = builder(next.length, next.length == 0 ? 0 : next[0].length, discount);
    for (int state = 0; state < next.length; state++) {
      for (int action = 0; action < next[state].length; action++) {
        builder.row(state, action, new int[] {next[state][action]}, new double[] {1});
      }
    }
    return builder.build();
  }

  public int stateCount() {
    return stateCount;
  }

  public int actionCount() {
    return actionCount;
  }

  public int pairCount() {
    return stateCount * actionCount;
  }

  /** γ in [0, 1). */
  public double discount() {
    return discount;
  }

  /** μ, a distribution over states. */
  public double[] initial() {
    return initial.clone();
  }

  /** The first entry of a pair's row, for {@link #successor(int)} and {@link #probability(int)}. */
  public int rowStart(int pair) {
    return rowStart[pair];
  }

  public int rowEnd(int pair) {
    return rowStart[pair + 1];
  }

  public int successor(int entry) {
    return successor[entry];
  }

  public double probability(int entry) {
    return probability[entry];
  }

  /** Number of nonzero transition probabilities. */
  public int entryCount() {
    return successor.length;
  }

  public boolean isDeterministic() {
    return entryCount() == pairCount();
  }

  /** The same dynamics with another start. */
  public FiniteMdp withInitial(double[] newInitial) {
    return new FiniteMdp(
        stateCount,
        actionCount,
        discount,
        distribution("the initial distribution", newInitial, stateCount),
        rowStart,
        successor,
        probability);
  }

  /** The same dynamics with another discount. */
  public FiniteMdp withDiscount(double newDiscount) {
    checkDiscount(newDiscount);
    return new FiniteMdp(
        stateCount, actionCount, newDiscount, initial, rowStart, successor, probability);
  }

  private static void checkDiscount(double discount) {
    if (!(discount >= 0 && discount < 1)) {
      throw UserError.invalid("discount must be at least 0 and less than 1, found %s", discount);
    }
  }

  /**
   * A checked copy that sums to 1: what a file's decimals miss would be magnified by 1 / (1 − γ).
   */
  private static double[] distribution(String what, double[] values, int length) {
    if (values.length != length) {
      throw UserError.invalid("%s must have %d entries, found %d", what, length, values.length);
    }
    double sum = 0;
    for (double value : values) {
      if (!(value >= 0)) {
        throw UserError.invalid("%s must have no negative or NaN entry, found %s", what, value);
      }
      sum += value;
    }
    if (!(Math.abs(sum - 1) <= SUM_TOLERANCE)) {
      throw UserError.invalid("%s must sum to 1, found %s", what, sum);
    }
    double[] scaled = values.clone();
    for (int i = 0; i < scaled.length; i++) {
      scaled[i] /= sum;
    }
    return scaled;
  }

  /** Collects rows; refuses missing, doubled or improper ones by name. */
  public static final class Builder {
    private final int stateCount;
    private final int actionCount;
    private final double discount;
    private final int[][] successors;
    private final double[][] probabilities;
    private double[] initial;

    private Builder(int stateCount, int actionCount, double discount) {
      if (stateCount < 1 || actionCount < 1) {
        throw UserError.invalid(
            "an MDP needs at least one state and one action, found %d and %d",
            stateCount, actionCount);
      }
      if ((long) stateCount * actionCount > Integer.MAX_VALUE - 1L) {
        throw UserError.invalid("%d states × %d actions are too many", stateCount, actionCount);
      }
      checkDiscount(discount);
      this.stateCount = stateCount;
      this.actionCount = actionCount;
      this.discount = discount;
      this.successors = new int[stateCount * actionCount][];
      this.probabilities = new double[stateCount * actionCount][];
    }

    /** P(· | state, action); successors may come in any order but only once each. */
    public Builder row(int state, int action, int[] next, double[] chance) {
      String what = "transition from state %d by action %d".formatted(state, action);
      if (state < 0 || state >= stateCount || action < 0 || action >= actionCount) {
        throw UserError.invalid(
            "%s: there are only %d states and %d actions, counted from 0",
            what, stateCount, actionCount);
      }
      int pair = state * actionCount + action;
      if (successors[pair] != null) {
        throw UserError.invalid("%s is given twice", what);
      }
      double[] scaled = distribution("the probabilities of the " + what, chance, next.length);
      int[] sorted = next.clone();
      Arrays.sort(sorted);
      for (int i = 0; i < sorted.length; i++) {
        if (sorted[i] < 0 || sorted[i] >= stateCount) {
          throw UserError.invalid(
              "%s: state %d does not exist (0 to %d do)", what, sorted[i], stateCount - 1);
        }
        if (i > 0 && sorted[i] == sorted[i - 1]) {
          throw UserError.invalid("%s names state %d twice", what, sorted[i]);
        }
      }
      successors[pair] = next.clone();
      probabilities[pair] = scaled;
      return this;
    }

    /** μ; uniform when not called. */
    public Builder initial(double[] start) {
      initial = distribution("the initial distribution", start, stateCount);
      return this;
    }

    public FiniteMdp build() {
      int pairs = stateCount * actionCount;
      int[] rowStart = new int[pairs + 1];
      for (int pair = 0; pair < pairs; pair++) {
        if (successors[pair] == null) {
          throw UserError.invalid(
              "transition from state %d by action %d is missing",
              pair / actionCount, pair % actionCount);
        }
        rowStart[pair + 1] = rowStart[pair] + successors[pair].length;
      }
      int[] successor = new int[rowStart[pairs]];
      double[] probability = new double[rowStart[pairs]];
      for (int pair = 0; pair < pairs; pair++) {
        System.arraycopy(successors[pair], 0, successor, rowStart[pair], successors[pair].length);
        System.arraycopy(
            probabilities[pair], 0, probability, rowStart[pair], probabilities[pair].length);
      }
      double[] start = initial;
      if (start == null) {
        start = new double[stateCount];
        Arrays.fill(start, 1.0 / stateCount);
      }
      return new FiniteMdp(
          stateCount, actionCount, discount, start, rowStart, successor, probability);
    }
  }
}
