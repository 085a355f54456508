package dev.psm.core.mdp;

/**
 * The policy behind a visitation, π(a|s) = d(s,a) / Σ_a d(s,a).
 *
 * <p>A visitation says nothing of states it never visits: there {@code visited} is false and the
 * policy is uniform.
 */
@SuppressWarnings("ArrayRecordComponent")
public record VisitedPolicy(Policy policy, boolean[] visited) {
  private static final double VISITED = 1e-12;
  private static final double TAKEN = 1e-9;

  /** Reads the policy; shares below 10⁻⁹ are a solver's rounding and count as zero. */
  public static VisitedPolicy of(FiniteMdp mdp, double[] visitation) {
    double[][] table = new double[mdp.stateCount()][mdp.actionCount()];
    boolean[] visited = new boolean[mdp.stateCount()];
    for (int state = 0; state < table.length; state++) {
      double[] row = table[state];
      double total = 0;
      for (int action = 0; action < row.length; action++) {
        row[action] = Math.max(0, visitation[state * mdp.actionCount() + action]);
        total += row[action];
      }
      visited[state] = total > VISITED;
      double kept = 0;
      for (int action = 0; action < row.length; action++) {
        row[action] = !visited[state] ? 1 : row[action] > TAKEN * total ? row[action] : 0;
        kept += row[action];
      }
      for (int action = 0; action < row.length; action++) {
        row[action] /= kept;
      }
    }
    return new VisitedPolicy(Policy.of(table), visited);
  }
}
