package dev.psm.core.mdp;

/**
 * Exact successor measures M^π: where a policy goes, discounted, after a first pair (s,a).
 *
 * <p>Normalised with 1 − γ, so that every row sums to 1.
 */
public final class SuccessorMeasure {
  private SuccessorMeasure() {}

  /**
   * M^π(s,a,s⁺) with s⁺ counted from the next state on, as {@code [pair][state]}: M(s,a,·) = Σ
   * P(s'|s,a) M_π(s',·) with M_π = (1 − γ)(I − γP_π)⁻¹. Q^π for a reward on entering a state is
   * then M r / (1 − γ).
   */
  public static double[][] ofNextState(FiniteMdp mdp, Policy policy) {
    double[][] fromState = ofStates(mdp, policy);
    double[][] measure = new double[mdp.pairCount()][];
    for (int pair = 0; pair < measure.length; pair++) {
      measure[pair] = afterStep(mdp, pair, fromState);
    }
    return measure;
  }

  /** One row of {@link #ofNextState(FiniteMdp, Policy)}, for a solve instead of an inverse. */
  public static double[] ofNextState(FiniteMdp mdp, Policy policy, int pair) {
    double[] next = new double[mdp.stateCount()];
    for (int entry = mdp.rowStart(pair); entry < mdp.rowEnd(pair); entry++) {
      next[mdp.successor(entry)] += (1 - mdp.discount()) * mdp.probability(entry);
    }
    return new PolicySystem(mdp, policy).solveTransposed(next);
  }

  /**
   * M^π(s,a,s⁺,a⁺) with the first pair itself counted, as {@code [pair][pair]}; each row solves F
   * M(s,a) = (1 − γ)e_s. Q^π for a reward on pairs is M r / (1 − γ).
   */
  public static double[][] ofPairs(FiniteMdp mdp, Policy policy) {
    double[][] fromState = ofStates(mdp, policy);
    double[][] measure = new double[mdp.pairCount()][mdp.pairCount()];
    for (int pair = 0; pair < measure.length; pair++) {
      double[] states = afterStep(mdp, pair, fromState);
      for (int reached = 0; reached < measure.length; reached++) {
        int state = reached / mdp.actionCount();
        measure[pair][reached] =
            mdp.discount() * states[state] * policy.probability(state, reached % mdp.actionCount());
      }
      measure[pair][pair] += 1 - mdp.discount();
    }
    return measure;
  }

  /**
   * The least that a measure started at the given pair can be: (1 − γ)·1[(s⁺,a⁺) = (s,a)].
   *
   * <p>The flow F M = (1 − γ)e_s does not mention the first action, so with M ≥ 0 alone the best
   * measure is the same for every first action and ranks none of them. Under this bound the best
   * measure earns (1 − γ)Q*(s,a); without it, (1 − γ)V*(s).
   */
  public static double[] firstActionBound(FiniteMdp mdp, int pair) {
    double[] bound = new double[mdp.pairCount()];
    bound[pair] = 1 - mdp.discount();
    return bound;
  }

  /**
   * The affine set of measures started at a state: the flow's solutions when all mass starts there.
   */
  public static FlowBasis affineSet(FiniteMdp mdp, int state) {
    double[] start = new double[mdp.stateCount()];
    start[state] = 1;
    return FlowBasis.of(mdp.withInitial(start));
  }

  /** (1 − γ)(I − γP_π)⁻¹ by rows, counting the start. */
  private static double[][] ofStates(FiniteMdp mdp, Policy policy) {
    double[][] inverse = new PolicySystem(mdp, policy).inverse();
    for (double[] row : inverse) {
      for (int state = 0; state < row.length; state++) {
        row[state] *= 1 - mdp.discount();
      }
    }
    return inverse;
  }

  private static double[] afterStep(FiniteMdp mdp, int pair, double[][] fromState) {
    double[] row = new double[mdp.stateCount()];
    for (int entry = mdp.rowStart(pair); entry < mdp.rowEnd(pair); entry++) {
      double chance = mdp.probability(entry);
      double[] from = fromState[mdp.successor(entry)];
      for (int state = 0; state < row.length; state++) {
        row[state] += chance * from[state];
      }
    }
    return row;
  }
}
