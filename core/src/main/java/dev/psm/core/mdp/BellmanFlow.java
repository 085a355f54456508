package dev.psm.core.mdp;

/**
 * The Bellman flow F d = (1 − γ)μ with F = S − γP: what flows into a state is what starts there and
 * what arrives there.
 *
 * <p>F is |S| × |S||A|; {@code (S d)(s) = Σ_a d(s,a)} and {@code (P d)(s) = Σ P(s|s',a') d(s',a')}.
 * Because 1ᵀF = (1 − γ)1ᵀ, every solution sums to 1 and every null vector to 0. Non-negative
 * solutions are exactly the discounted visitations of policies.
 */
public final class BellmanFlow {
  private final FiniteMdp mdp;

  public BellmanFlow(FiniteMdp mdp) {
    this.mdp = mdp;
  }

  /** F d. */
  public double[] apply(double[] d) {
    checkPairs(d);
    double[] flow = new double[mdp.stateCount()];
    for (int pair = 0; pair < d.length; pair++) {
      addColumn(pair, d[pair], flow);
    }
    return flow;
  }

  /** F as a table, one row a state. */
  public double[][] dense() {
    double[][] matrix = new double[mdp.stateCount()][mdp.pairCount()];
    for (int pair = 0; pair < mdp.pairCount(); pair++) {
      matrix[pair / mdp.actionCount()][pair] += 1;
      for (int entry = mdp.rowStart(pair); entry < mdp.rowEnd(pair); entry++) {
        matrix[mdp.successor(entry)][pair] -= mdp.discount() * mdp.probability(entry);
      }
    }
    return matrix;
  }

  /** Adds {@code scale} times a pair's column of F. */
  void addColumn(int pair, double scale, double[] flow) {
    if (scale == 0) {
      return;
    }
    flow[pair / mdp.actionCount()] += scale;
    for (int entry = mdp.rowStart(pair); entry < mdp.rowEnd(pair); entry++) {
      flow[mdp.successor(entry)] -= scale * mdp.discount() * mdp.probability(entry);
    }
  }

  /** (1 − γ)μ, the right-hand side. */
  public double[] source() {
    double[] source = mdp.initial();
    for (int state = 0; state < source.length; state++) {
      source[state] *= 1 - mdp.discount();
    }
    return source;
  }

  /** Largest violation |F d − (1 − γ)μ| over the states. */
  public double residual(double[] d) {
    double[] flow = apply(d);
    double[] source = source();
    double worst = 0;
    for (int state = 0; state < flow.length; state++) {
      worst = Math.max(worst, Math.abs(flow[state] - source[state]));
    }
    return worst;
  }

  /** d^π, the discounted visitation of a policy started from μ. */
  public double[] visitation(Policy policy) {
    double[] states = new PolicySystem(mdp, policy).solveTransposed(source());
    double[] d = new double[mdp.pairCount()];
    for (int pair = 0; pair < d.length; pair++) {
      int state = pair / mdp.actionCount();
      d[pair] = states[state] * policy.probability(state, pair % mdp.actionCount());
    }
    return d;
  }

  private void checkPairs(double[] d) {
    if (d.length != mdp.pairCount()) {
      throw new IllegalArgumentException(
          "a visitation of %d entries for %d pairs".formatted(d.length, mdp.pairCount()));
    }
  }
}
