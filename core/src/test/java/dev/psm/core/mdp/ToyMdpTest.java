package dev.psm.core.mdp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class ToyMdpTest {
  private static final double G = 0.9;
  private final FiniteMdp toy = ToyMdp.of(G, 1, 0);
  private final FlowBasis basis = FlowBasis.of(toy);

  @Test
  void theBasisIsThePapersWithItsTwoVectorsPutRight() {
    assertEquals(2, basis.dimension());
    for (int j = 0; j < 2; j++) {
      assertArrayEquals(
          ToyMdp.paperBasis(G)[j], ToyMdp.reordered(basis.column(j)), 1e-14, "vector " + j);
    }
    assertArrayEquals(ToyMdp.paperBias(G, 1, 0), ToyMdp.reordered(basis.bias()), 1e-14);
    FiniteMdp mixed = ToyMdp.of(G, 0.3, 0.7);
    assertArrayEquals(
        ToyMdp.paperBias(G, 0.3, 0.7), ToyMdp.reordered(FlowBasis.of(mixed).bias()), 1e-14);
  }

  @Test
  void theVectorsAsPrintedAreNoNullVectors() {
    BellmanFlow flow = new BellmanFlow(toy);
    double[][] printed = ToyMdp.printedBasis(G);
    double[] first = flow.apply(ToyMdp.reordered(printed[0]));
    double[] second = flow.apply(ToyMdp.reordered(printed[1]));
    assertArrayEquals(new double[] {0.1, -0.1}, first, 1e-12);
    assertArrayEquals(new double[] {-0.1, 0.1}, second, 1e-12);
  }

  @Test
  void thePrintedMatrixSIsMisordered() {
    // F as printed, S − γP with S = [[1,1,0,0],[0,0,1,1]], refuses the visitation of a policy.
    double[] swap = ToyMdp.paperBias(G, 1, 0);
    double printed = swap[0] + swap[1] - G * (swap[1] + swap[2]);
    double right = swap[0] + swap[2] - G * (swap[1] + swap[2]);
    assertEquals(1 - G, right, 1e-14);
    assertEquals(0.5737, printed, 1e-4);
  }

  @Test
  void theFeasibleSetIsATriangleWithThesePolicies() {
    List<ToyMdp.Corner> corners = ToyMdp.corners(toy);
    assertEquals(3, corners.size());
    assertCorner(0, 0, List.of(List.of(0, 0)), corners.get(0));
    assertCorner(0, 0.9, List.of(List.of(0, 1)), corners.get(1));
    assertCorner(1, 0, List.of(List.of(1, 0), List.of(1, 1)), corners.get(2));
  }

  private static void assertCorner(
      double w1, double w2, List<List<Integer>> policies, ToyMdp.Corner corner) {
    assertEquals(w1, corner.w1(), 1e-12);
    assertEquals(w2, corner.w2(), 1e-12);
    assertEquals(policies, corner.policies());
  }

  @Test
  void thePapersInequalitiesHoldExactlyWhereTheVisitationIsNonNegative() {
    for (double w1 = -0.5; w1 <= 1.5; w1 += 0.0625) {
      for (double w2 = -0.5; w2 <= 1.5; w2 += 0.0625) {
        double smallest = Double.POSITIVE_INFINITY;
        for (double entry : basis.visitation(new double[] {w1, w2})) {
          smallest = Math.min(smallest, entry);
        }
        double slack = Math.min(Math.min(w1, w2), Math.min(1 - w1 - G * w2, G - G * w1 - w2));
        if (Math.abs(slack) > 1e-9) {
          assertEquals(slack > 0, smallest > 0, "at " + w1 + ", " + w2);
        }
      }
    }
  }

  @Test
  void thePapersRewardLeadsToThePapersAnswer() {
    double[] reward = ToyMdp.reordered(new double[] {1, 0, 1, 0});
    for (Programme programme : List.of(Programme.W, Programme.D)) {
      ExactSolver.Solution solution = ExactSolver.solve(toy, reward, programme);
      assertEquals(1, solution.optimum(), 1e-12);
      assertArrayEquals(new double[] {1, 0}, solution.coordinates(), 1e-12);
      assertArrayEquals(new double[] {0, 0, 1, 0}, ToyMdp.reordered(solution.visitation()), 1e-12);
      assertEquals(1, solution.policy().probability(0, 1), 1e-12);
      assertArrayEquals(new boolean[] {true, false}, solution.visited());
    }
    // Corrected objective: γ(w₁ − w₂)/(1 + γ) + 1/(1 + γ).
    double[] d = basis.visitation(new double[] {0.2, 0.4});
    assertEquals((G * (0.2 - 0.4) + 1) / (1 + G), d[0] + d[1], 1e-14);
  }

  @Test
  void visitationsOfTheDeterministicPoliciesAreTheKnownOnes() {
    BellmanFlow flow = new BellmanFlow(toy);
    double[] swap = flow.visitation(Policy.deterministic(new int[] {0, 0}, 2));
    assertArrayEquals(new double[] {0.5263, 0.4737, 0, 0}, ToyMdp.reordered(swap), 1e-4);
    double[] settle = flow.visitation(Policy.deterministic(new int[] {0, 1}, 2));
    assertArrayEquals(new double[] {0.1, 0, 0, 0.9}, ToyMdp.reordered(settle), 1e-12);
  }
}
