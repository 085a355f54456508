package dev.psm.core.mdp;

import java.util.ArrayList;
import java.util.List;

/**
 * The paper's two-state example (section 4): a₀ swaps the states, a₁ stays.
 *
 * <p>The paper orders pairs (s₀a₀, s₁a₀, s₀a₁, s₁a₁); methods named after it use that order, all
 * others this package's. Its coordinates w₁ and w₂ are the visitations of (s₀,a₁) and (s₁,a₁),
 * which are those of {@link FlowBasis#of(FiniteMdp)} too.
 *
 * <p>As printed the example has three slips, which {@code docs/exact-theory.md} lists: the matrix S
 * is mis-ordered, and the first two entries of the two basis vectors are exchanged, in the vectors
 * and in the objective. The inequalities and the answer are right.
 */
public final class ToyMdp {
  private ToyMdp() {}

  /** The example with a discount and a start μ. */
  public static FiniteMdp of(double discount, double start0, double start1) {
    return FiniteMdp.deterministic(new int[][] {{1, 0}, {0, 1}}, discount)
        .withInitial(new double[] {start0, start1});
  }

  /** (φ₁, φ₂) in the paper's order, corrected. */
  public static double[][] paperBasis(double discount) {
    double one = 1 / (1 + discount);
    double other = discount / (1 + discount);
    return new double[][] {{-one, -other, 1, 0}, {-other, -one, 0, 1}};
  }

  /** (φ₁, φ₂) as printed; not null vectors of the flow. */
  static double[][] printedBasis(double discount) {
    double one = 1 / (1 + discount);
    double other = discount / (1 + discount);
    return new double[][] {{-other, -one, 1, 0}, {-one, -other, 0, 1}};
  }

  /** b in the paper's order: the visitation of always swapping. */
  public static double[] paperBias(double discount, double start0, double start1) {
    return new double[] {
      (start0 + discount * start1) / (1 + discount),
      (start1 + discount * start0) / (1 + discount),
      0,
      0
    };
  }

  /** Reorders a vector over pairs between the paper's order and this package's, either way. */
  public static double[] reordered(double[] d) {
    return new double[] {d[0], d[2], d[1], d[3]};
  }

  /**
   * A corner of the feasible set in (w₁, w₂) and the deterministic policies that lie on it, each as
   * (action in s₀, action in s₁).
   */
  public record Corner(double w1, double w2, List<List<Integer>> policies) {}

  /**
   * The corners, which are the visitations of the deterministic policies; equal ones are merged.
   */
  public static List<Corner> corners(FiniteMdp toy) {
    FlowBasis basis = FlowBasis.of(toy);
    List<Corner> corners = new ArrayList<>();
    for (int index = 0; index < 4; index++) {
      int[] actions = {index / 2, index % 2};
      double[] w =
          basis.coordinates(new BellmanFlow(toy).visitation(Policy.deterministic(actions, 2)));
      List<Integer> policy = List.of(actions[0], actions[1]);
      corners.stream()
          .filter(c -> Math.abs(c.w1() - w[0]) + Math.abs(c.w2() - w[1]) < 1e-12)
          .findFirst()
          .ifPresentOrElse(
              c -> c.policies().add(policy),
              () -> corners.add(new Corner(w[0], w[1], new ArrayList<>(List.of(policy)))));
    }
    return corners;
  }
}
