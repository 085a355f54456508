package dev.psm.agents;

import java.util.Locale;

/** Ways to turn a reward into action values. */
public enum SolveMethod {
  /** Constrained optimisation over w by the Lagrangian, the paper's equation 10. */
  DUAL,
  /**
   * The linear programme over w in a box, solved by simplex with constraints added as they are
   * violated.
   */
  LP,
  /** The one code whose mean Q for this reward is highest. */
  BEST,
  /** Generalised policy improvement: the maximum of Q over codes, in every state and action. */
  GPI;

  /** As a user types it. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }
}
