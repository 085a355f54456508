package dev.psm.core.mdp;

import dev.psm.core.UserError;

/**
 * The affine set of visitations d = Φw + b: a basis Φ of the null space of the Bellman flow F and a
 * bias b, one solution of it. Neither knows the reward.
 *
 * <p>F restricted to the columns of one deterministic policy is I − γP_πᵀ, which is invertible. So
 * these columns are <em>basic</em>, and each of the |S|(|A| − 1) other pairs gives one null vector:
 * 1 at that pair, and at the basic pairs what F needs to return to zero. Coordinates then have a
 * meaning, w_j = d(pair j) − b(pair j), and are read off a visitation without any solve.
 */
public final class FlowBasis {
  /** Largest |S|·|S||A| for which Φ is stored; 300 states × 5 actions have 450,000. */
  static final long MAX_ENTRIES = 1_000_000;

  private final FiniteMdp mdp;
  private final int[] basicActions;
  private final int[] freePairs;

  /** The rows of Φ at the basic pair of each state. */
  private final double[][] basicRows;

  private final double[] bias;

  private FlowBasis(
      FiniteMdp mdp, int[] basicActions, int[] freePairs, double[][] basicRows, double[] bias) {
    this.mdp = mdp;
    this.basicActions = basicActions;
    this.freePairs = freePairs;
    this.basicRows = basicRows;
    this.bias = bias;
  }

  /** The basis around the policy that always takes action 0, with its visitation as the bias. */
  public static FlowBasis of(FiniteMdp mdp) {
    return of(mdp, new int[mdp.stateCount()]);
  }

  /** The basis around a deterministic policy, with its visitation as the bias. */
  public static FlowBasis of(FiniteMdp mdp, int[] basicActions) {
    long entries = (long) mdp.stateCount() * mdp.pairCount();
    if (entries > MAX_ENTRIES) {
      throw UserError.invalid(
          "the basis of %d states × %d actions would have %d × %d = %d entries; the limit is %d"
              + " (solve the programme in d, which needs no basis)",
          mdp.stateCount(),
          mdp.actionCount(),
          mdp.stateCount(),
          mdp.pairCount(),
          entries,
          MAX_ENTRIES);
    }
    Policy basic = Policy.deterministic(basicActions, mdp.actionCount());
    basic.checkFits(mdp);
    int[] freePairs = freePairs(mdp, basicActions);
    return new FlowBasis(
        mdp,
        basicActions.clone(),
        freePairs,
        eliminate(mdp, basicActions, freePairs),
        new BellmanFlow(mdp).visitation(basic));
  }

  /** The pairs that a deterministic policy does not use, in order: one for each coordinate. */
  static int[] freePairs(FiniteMdp mdp, int[] basicActions) {
    int[] pairs = new int[mdp.pairCount() - mdp.stateCount()];
    int count = 0;
    for (int pair = 0; pair < mdp.pairCount(); pair++) {
      if (pair % mdp.actionCount() != basicActions[pair / mdp.actionCount()]) {
        pairs[count++] = pair;
      }
    }
    return pairs;
  }

  /** −B⁻¹N for the basic columns B and the free columns N of F. */
  private static double[][] eliminate(FiniteMdp mdp, int[] basicActions, int[] freePairs) {
    int states = mdp.stateCount();
    BellmanFlow flow = new BellmanFlow(mdp);
    double[][] basic = new double[states][states];
    double[][] rows = new double[states][freePairs.length];
    double[] column = new double[states];
    for (int state = 0; state < states; state++) {
      flow.addColumn(state * mdp.actionCount() + basicActions[state], 1, column);
      moveToColumn(column, basic, state);
    }
    for (int j = 0; j < freePairs.length; j++) {
      flow.addColumn(freePairs[j], -1, column);
      moveToColumn(column, rows, j);
    }
    new DenseLu(basic).solve(rows);
    return rows;
  }

  private static void moveToColumn(double[] column, double[][] matrix, int j) {
    for (int row = 0; row < column.length; row++) {
      matrix[row][j] = column[row];
      column[row] = 0;
    }
  }

  /** The same Φ with another solution of the flow as bias. */
  public FlowBasis withBias(double[] newBias) {
    if (new BellmanFlow(mdp).residual(newBias) > 1e-9) {
      throw new IllegalArgumentException("a bias must solve the Bellman flow");
    }
    return new FlowBasis(mdp, basicActions, freePairs, basicRows, newBias.clone());
  }

  /** The solution of least Euclidean norm, F⁺(1 − γ)μ = Fᵀ(FFᵀ)⁻¹(1 − γ)μ. */
  public double[] leastNormBias() {
    double[][] matrix = new BellmanFlow(mdp).dense();
    double[][] gram = new double[matrix.length][matrix.length];
    for (int i = 0; i < gram.length; i++) {
      for (int j = 0; j < gram.length; j++) {
        for (int pair = 0; pair < mdp.pairCount(); pair++) {
          gram[i][j] += matrix[i][pair] * matrix[j][pair];
        }
      }
    }
    double[] multipliers = new BellmanFlow(mdp).source();
    new DenseLu(gram).solve(multipliers);
    double[] solution = new double[mdp.pairCount()];
    for (int state = 0; state < matrix.length; state++) {
      for (int pair = 0; pair < solution.length; pair++) {
        solution[pair] += matrix[state][pair] * multipliers[state];
      }
    }
    return solution;
  }

  public FiniteMdp mdp() {
    return mdp;
  }

  /** |S|(|A| − 1), the number of columns of Φ. */
  public int dimension() {
    return freePairs.length;
  }

  /** b; it sums to 1. */
  public double[] bias() {
    return bias.clone();
  }

  /** φ_j, a column of Φ; it sums to 0. */
  public double[] column(int j) {
    double[] column = new double[mdp.pairCount()];
    for (int state = 0; state < basicRows.length; state++) {
      column[basicPair(state)] = basicRows[state][j];
    }
    column[freePairs[j]] = 1;
    return column;
  }

  /** The pair whose visitation a coordinate moves. */
  public int pairOf(int j) {
    return freePairs[j];
  }

  /** Φw + b. */
  public double[] visitation(double[] w) {
    double[] d = bias.clone();
    for (int j = 0; j < freePairs.length; j++) {
      d[freePairs[j]] += w[j];
    }
    for (int state = 0; state < basicRows.length; state++) {
      double sum = 0;
      for (int j = 0; j < freePairs.length; j++) {
        sum += basicRows[state][j] * w[j];
      }
      d[basicPair(state)] += sum;
    }
    return d;
  }

  /** w of a visitation in the affine set. */
  public double[] coordinates(double[] d) {
    double[] w = new double[freePairs.length];
    for (int j = 0; j < w.length; j++) {
      w[j] = d[freePairs[j]] - bias[freePairs[j]];
    }
    return w;
  }

  /** How far d is from the affine set: the largest entry of |Φw + b − d| for its coordinates w. */
  public double residual(double[] d) {
    double[] nearest = visitation(coordinates(d));
    double worst = 0;
    for (int pair = 0; pair < d.length; pair++) {
      worst = Math.max(worst, Math.abs(nearest[pair] - d[pair]));
    }
    return worst;
  }

  int basicPair(int state) {
    return state * mdp.actionCount() + basicActions[state];
  }

  double basicEntry(int state, int j) {
    return basicRows[state][j];
  }
}
