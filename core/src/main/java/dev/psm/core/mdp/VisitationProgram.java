package dev.psm.core.mdp;

import dev.psm.core.UserError;
import org.ojalgo.optimisation.Expression;
import org.ojalgo.optimisation.ExpressionsBasedModel;
import org.ojalgo.optimisation.Optimisation;
import org.ojalgo.optimisation.Variable;

/**
 * The linear programmes whose optimum is an optimal policy's visitation.
 *
 * <p>In coordinates (the paper's equation 5): max rᵀ(Φw + b) subject to Φw + b ≥ 0. In visitations:
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
   * @param solver the method, in words
   */
  @SuppressWarnings("ArrayRecordComponent")
  public record Solution(
      double optimum, double[] visitation, double[] coordinates, String solver) {}

  /** The programme in w, in any basis and with any bias. */
  public static Solution inCoordinates(FlowBasis basis, double[] reward) {
    return inCoordinates(basis, reward, new double[basis.mdp().pairCount()]);
  }

  /**
   * The programme in w with Φw + b ≥ lower instead of 0, as a measure with a given first action
   * needs; see {@link SuccessorMeasure#firstActionBound}.
   */
  public static Solution inCoordinates(FlowBasis basis, double[] reward, double[] lower) {
    FiniteMdp mdp = basis.mdp();
    Rewards.check(mdp, reward);
    double[] bias = basis.bias();
    // Visitations are about 1/|S|; scaled to about 1 they stay clear of the solver's tolerances.
    double scale = mdp.stateCount();
    ExpressionsBasedModel model = new ExpressionsBasedModel();
    Variable[] variables = new Variable[basis.dimension()];
    for (int j = 0; j < variables.length; j++) {
      int pair = basis.pairOf(j);
      double gain = reward[pair];
      for (int state = 0; state < mdp.stateCount(); state++) {
        gain += basis.basicEntry(state, j) * reward[basis.basicPair(state)];
      }
      variables[j] =
          model.newVariable("w" + j).lower(scale * (lower[pair] - bias[pair])).weight(gain);
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
    if (!result.getState().isOptimal()) {
      throw new IllegalStateException("the programme in w ended " + result.getState());
    }
    double[] w = new double[variables.length];
    for (int j = 0; j < w.length; j++) {
      w[j] = result.doubleValue(j) / scale;
    }
    double[] d = basis.visitation(w);
    return new Solution(dot(reward, d), d, w, IN_COORDINATES);
  }

  /**
   * The sparse programme in d, by {@link FlowSimplex}; needs no basis and so takes problems far
   * larger than the programme in w.
   */
  public static Solution inVisitations(FiniteMdp mdp, double[] reward) {
    if (mdp.stateCount() > MAX_STATES || mdp.pairCount() > MAX_PAIRS) {
      throw UserError.usage(
          "the programme in d takes at most %d states and %d state-action pairs, found %d states ×"
              + " %d actions = %d pairs",
          MAX_STATES, MAX_PAIRS, mdp.stateCount(), mdp.actionCount(), mdp.pairCount());
    }
    Rewards.check(mdp, reward);
    double[] d = FlowSimplex.maximise(mdp, reward).visitation();
    int[] free = FlowBasis.freePairs(mdp, new int[mdp.stateCount()]);
    double[] w = new double[free.length];
    for (int j = 0; j < w.length; j++) {
      w[j] = d[free[j]];
    }
    return new Solution(dot(reward, d), d, w, IN_VISITATIONS);
  }

  private static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }
}
