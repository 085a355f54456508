package dev.psm.core.mdp;

import dev.psm.core.UserError;

/** Turns a reward into an optimal policy exactly: the paper's section 4 from end to end. */
public final class ExactSolver {
  private ExactSolver() {}

  /**
   * An optimal solution and how it was found.
   *
   * @param programme the programme solved, never {@link Programme#AUTO}
   * @param solver the method, in words
   * @param basisDimension |S|(|A| − 1), the number of coordinates
   * @param optimum (1 − γ)μᵀV*, the best normalised return
   * @param visitation d of the optimal policy, by pair
   * @param coordinates w of d in the basis around the policy that always takes action 0
   * @param policy the optimal policy, uniform where d never goes
   * @param visited the states in which the policy is defined
   * @param flowResidual largest violation of the Bellman flow by d
   * @param seconds wall-clock time, the basis included
   */
  @SuppressWarnings("ArrayRecordComponent")
  public record Solution(
      Programme programme,
      String solver,
      int basisDimension,
      double optimum,
      double[] visitation,
      double[] coordinates,
      Policy policy,
      boolean[] visited,
      double flowResidual,
      double seconds) {}

  /** Solves for a reward over pairs; see {@link Rewards} for other forms of reward. */
  public static Solution solve(FiniteMdp mdp, double[] reward, Programme programme) {
    long start = System.nanoTime();
    Programme chosen = programme;
    if (programme == Programme.AUTO) {
      long entries = (long) mdp.stateCount() * mdp.pairCount();
      chosen = entries <= FlowBasis.MAX_ENTRIES ? Programme.W : Programme.D;
    }
    VisitationProgram.Solution solution;
    if (chosen == Programme.D) {
      solution = VisitationProgram.inVisitations(mdp, reward);
    } else {
      try {
        solution = VisitationProgram.inCoordinates(FlowBasis.of(mdp), reward);
      } catch (UserError error) {
        // Near a discount of 1 the dense programme loses too many digits; the sparse one does not.
        if (programme != Programme.AUTO) {
          throw error;
        }
        chosen = Programme.D;
        solution = VisitationProgram.inVisitations(mdp, reward);
      }
    }
    VisitedPolicy read = VisitedPolicy.of(mdp, solution.visitation());
    return new Solution(
        chosen,
        solution.solver(),
        mdp.pairCount() - mdp.stateCount(),
        solution.optimum(),
        solution.visitation(),
        solution.coordinates(),
        read.policy(),
        read.visited(),
        new BellmanFlow(mdp).residual(solution.visitation()),
        (System.nanoTime() - start) / 1e9);
  }
}
