package dev.psm.core.mdp;

import dev.psm.core.UserError;
import java.util.Arrays;
import org.ojalgo.optimisation.Expression;
import org.ojalgo.optimisation.ExpressionsBasedModel;
import org.ojalgo.optimisation.Optimisation;
import org.ojalgo.optimisation.Variable;

/**
 * The linear programmes whose optimum is an optimal policy's visitation.
 *
 * <p>In coordinates (the paper's equation 4): max rᵀ(Φw + b) subject to Φw + b ≥ 0. In visitations:
 * max rᵀd subject to F d = (1 − γ)μ, d ≥ 0. Both have the optimum (1 − γ)μᵀV*.
 */
public final class VisitationProgram {
  /** Largest number of states of the programme in d. */
  static final int MAX_STATES = 2_500;

  /** Largest number of state-action pairs of the programme in d. */
  static final int MAX_PAIRS = 25_000;

  static final String IN_COORDINATES = "simplex (ojAlgo) in w";
  static final String IN_VISITATIONS = "primal simplex with block pivots in d";

  private VisitationProgram() {}

  /**
   * An optimal solution.
   *
   * @param optimum rᵀd
   * @param visitation d
   * @param coordinates w of d in the basis of the programme; of the programme in d, in {@link
   *     FlowBasis#of(FiniteMdp)}
   * @param values the optimal values of all states, the solution of the dual programme; empty when
   *     Φw + b has a lower bound of its own
   * @param solver the method, in words
   */
  @SuppressWarnings("ArrayRecordComponent")
  public record Solution(
      double optimum, double[] visitation, double[] coordinates, double[] values, String solver) {}

  /**
   * The programme in w, in any basis and with any bias.
   *
   * <p>The general solver cannot see gains below its tolerance, such as a goal more than a hundred
   * steps away at γ = 0.8. Where a reduced cost of its vertex is still positive in a visited state,
   * {@link FlowSimplex} pivots on from there.
   */
  public static Solution inCoordinates(FlowBasis basis, double[] reward) {
    FiniteMdp mdp = basis.mdp();
    Solution general = inCoordinates(basis, reward, new double[mdp.pairCount()]);
    VisitedPolicy read = VisitedPolicy.of(mdp, general.visitation());
    int[] actions = new int[mdp.stateCount()];
    Arrays.setAll(actions, read.policy()::likeliest);
    FlowSimplex.Vertex vertex = FlowSimplex.maximise(mdp, reward, actions);
    for (int state = 0; state < actions.length; state++) {
      if (read.visited()[state] && vertex.actions()[state] != actions[state]) {
        double[] d = vertex.visitation();
        return new Solution(
            dot(reward, d),
            d,
            basis.coordinates(d),
            vertex.values(),
            IN_COORDINATES + ", finished by block pivots");
      }
    }
    return new Solution(
        general.optimum(),
        general.visitation(),
        general.coordinates(),
        vertex.values(),
        IN_COORDINATES);
  }

  /**
   * The programme in w with Φw + b ≥ lower instead of 0, as a measure with a given first action
   * needs; see {@link SuccessorMeasure#firstActionBound}.
   */
  public static Solution inCoordinates(FlowBasis basis, double[] reward, double[] lower) {
    FiniteMdp mdp = basis.mdp();
    Rewards.check(mdp, reward);
    double[] bias = basis.bias();
    // Visitations are about 1/|S| and rewards anything; scaled to about 1 both stay clear of the
    // solver's tolerances.
    double scale = mdp.stateCount();
    double unit =
        Math.max(Double.MIN_NORMAL, Arrays.stream(reward).map(Math::abs).max().getAsDouble());
    ExpressionsBasedModel model = new ExpressionsBasedModel();
    Variable[] variables = new Variable[basis.dimension()];
    for (int j = 0; j < variables.length; j++) {
      int pair = basis.pairOf(j);
      double gain = reward[pair];
      for (int state = 0; state < mdp.stateCount(); state++) {
        gain += basis.basicEntry(state, j) * reward[basis.basicPair(state)];
      }
      variables[j] =
          model.newVariable("w" + j).lower(scale * (lower[pair] - bias[pair])).weight(gain / unit);
    }
    for (int state = 0; state < mdp.stateCount(); state++) {
      int pair = basis.basicPair(state);
      Expression row = model.newExpression("d" + pair).lower(scale * (lower[pair] - bias[pair]));
      for (int j = 0; j < variables.length; j++) {
        if (basis.basicEntry(state, j) != 0) {
          row.set(variables[j], basis.basicEntry(state, j));
        }
      }
    }
    Optimisation.Result result = model.maximise();
    double[] w = new double[variables.length];
    for (int j = 0; j < w.length; j++) {
      w[j] = result.doubleValue(j) / scale;
    }
    double[] d = basis.visitation(w);
    double violation = 0;
    for (int pair = 0; pair < d.length; pair++) {
      violation = Math.max(violation, lower[pair] - d[pair]);
    }
    if (!result.getState().isOptimal() || !(violation <= 1e-9)) {
      throw UserError.failed(
          null,
          "the programme in w ended %s with Φw + b violated by %s; try the programme in d",
          result.getState(),
          violation);
    }
    return new Solution(dot(reward, d), d, w, new double[0], IN_COORDINATES);
  }

  /**
   * The sparse programme in d, by {@link FlowSimplex}; needs no basis and so takes problems far
   * larger than the programme in w.
   */
  public static Solution inVisitations(FiniteMdp mdp, double[] reward) {
    if (mdp.stateCount() > MAX_STATES || mdp.pairCount() > MAX_PAIRS) {
      throw UserError.invalid(
          "the programme in d takes at most %d states and %d state-action pairs, found %d states ×"
              + " %d actions = %d pairs",
          MAX_STATES, MAX_PAIRS, mdp.stateCount(), mdp.actionCount(), mdp.pairCount());
    }
    Rewards.check(mdp, reward);
    FlowSimplex.Vertex vertex = FlowSimplex.maximise(mdp, reward);
    double[] d = vertex.visitation();
    int[] free = FlowBasis.freePairs(mdp, new int[mdp.stateCount()]);
    double[] w = new double[free.length];
    for (int j = 0; j < w.length; j++) {
      w[j] = d[free[j]];
    }
    return new Solution(dot(reward, d), d, w, vertex.values(), IN_VISITATIONS);
  }

  private static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }
}
