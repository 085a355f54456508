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
   * @param optimumError how far the optimum can be from the true one, rounding included
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
      double optimumError,
      double flowResidual,
      double seconds) {}

  /**
   * Solves for a reward over pairs; see {@link Rewards} for other forms of reward.
   *
   * <p>A solution that double precision cannot vouch for, as near a discount of 1, is refused.
   */
  public static Solution solve(FiniteMdp mdp, double[] reward, Programme programme) {
    long start = System.nanoTime();
    long entries = (long) mdp.stateCount() * mdp.pairCount();
    if (programme == Programme.W
        || (programme == Programme.AUTO && entries <= FlowBasis.MAX_ENTRIES)) {
      try {
        return checked(
            mdp,
            reward,
            Programme.W,
            VisitationProgram.inCoordinates(FlowBasis.of(mdp), reward),
            start);
      } catch (UserError error) {
        // Near a discount of 1 the dense programme loses more digits than the sparse one.
        if (programme != Programme.AUTO) {
          throw error;
        }
      }
    }
    return checked(mdp, reward, Programme.D, VisitationProgram.inVisitations(mdp, reward), start);
  }

  private static Solution checked(
      FiniteMdp mdp,
      double[] reward,
      Programme programme,
      VisitationProgram.Solution solution,
      long start) {
    OptimumBounds bounds = OptimumBounds.of(mdp, reward, solution.visitation(), solution.values());
    bounds.requireNarrow(mdp, reward);
    VisitedPolicy read = VisitedPolicy.of(mdp, solution.visitation());
    return new Solution(
        programme,
        solution.solver(),
        mdp.pairCount() - mdp.stateCount(),
        solution.optimum(),
        solution.visitation(),
        solution.coordinates(),
        read.policy(),
        read.visited(),
        bounds.width(),
        new BellmanFlow(mdp).residual(solution.visitation()),
        (System.nanoTime() - start) / 1e9);
  }
}
