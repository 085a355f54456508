package dev.psm.core.mdp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.env.GridMap;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.ojalgo.optimisation.Expression;
import org.ojalgo.optimisation.ExpressionsBasedModel;
import org.ojalgo.optimisation.Optimisation;
import org.ojalgo.optimisation.Variable;

/** The block-pivot simplex against a general solver, and both at the sizes promised. */
class SolverAgreementTest {
  /** max rᵀd, F d = (1 − γ)μ, d ≥ 0, by ojAlgo. */
  private static double general(FiniteMdp mdp, double[] reward) {
    ExpressionsBasedModel model = new ExpressionsBasedModel();
    BellmanFlow flow = new BellmanFlow(mdp);
    Variable[] d = new Variable[mdp.pairCount()];
    for (int pair = 0; pair < d.length; pair++) {
      d[pair] = model.newVariable("d" + pair).lower(0).weight(reward[pair]);
    }
    double[][] rows = flow.dense();
    for (int state = 0; state < rows.length; state++) {
      Expression row = model.newExpression("s" + state).level(flow.source()[state]);
      for (int pair = 0; pair < d.length; pair++) {
        if (rows[state][pair] != 0) {
          row.set(d[pair], rows[state][pair]);
        }
      }
    }
    Optimisation.Result result = model.maximise();
    assertTrue(result.getState().isOptimal());
    return result.getValue();
  }

  @ParameterizedTest
  @MethodSource("dev.psm.core.mdp.RandomMdps#all")
  void blockPivotsReachTheOptimumOfAGeneralSolver(RandomMdps.Case test) {
    if (test.mdp().pairCount() > 500) {
      return;
    }
    assertEquals(
        general(test.mdp(), test.reward()),
        VisitationProgram.inVisitations(test.mdp(), test.reward()).optimum(),
        1e-8);
  }

  @Test
  void blockPivotsReachTheOptimumOfAGeneralSolverOnAGrid() {
    FiniteMdp mdp = GridMap.named("four-rooms").toMdp(0.98);
    double[] reward = Rewards.goal(mdp, 20);
    assertEquals(
        general(mdp, reward), VisitationProgram.inVisitations(mdp, reward).optimum(), 1e-8);
  }

  @Test
  void threeHundredStatesAreSolvedInCoordinates() {
    FiniteMdp mdp = RandomMdps.mdp(300, 5, 0.98, 5, 7);
    double[] reward = RandomMdps.reward(mdp.pairCount(), 7);
    ExactSolver.Solution solution = ExactSolver.solve(mdp, reward, Programme.AUTO);
    assertEquals(Programme.W, solution.programme());
    assertEquals(1200, solution.basisDimension());
    assertEquals(ValueIteration.solve(mdp, reward).optimum(), solution.optimum(), 1e-8);
    assertTrue(solution.seconds() < 60);
  }

  @Test
  void twoThousandStatesAreSolvedInVisitations() {
    FiniteMdp mdp = RandomMdps.mdp(2000, 5, 0.98, 5, 7);
    double[] reward = RandomMdps.reward(mdp.pairCount(), 7);
    ExactSolver.Solution solution = ExactSolver.solve(mdp, reward, Programme.AUTO);
    assertEquals(Programme.D, solution.programme());
    assertEquals(ValueIteration.solve(mdp, reward).optimum(), solution.optimum(), 1e-8);
    assertTrue(solution.flowResidual() < 1e-12);
    assertTrue(solution.seconds() < 60);
  }

  @Test
  void aFarRewardIsFoundFromTheOtherEndOfALongCorridor() {
    int length = 2000;
    int[][] next = new int[length][2];
    for (int state = 0; state < length; state++) {
      next[state][0] = Math.max(0, state - 1);
      next[state][1] = Math.min(length - 1, state + 1);
    }
    for (double discount : new double[] {0.9, 0.9999}) {
      FiniteMdp mdp = FiniteMdp.deterministic(next, discount);
      FlowSimplex.Vertex vertex = FlowSimplex.maximise(mdp, Rewards.goal(mdp, length - 1));
      for (int state = 0; state < length; state++) {
        assertEquals(1, vertex.actions()[state], "state " + state);
      }
    }
  }

  @Test
  void factorsSolveBothWays() {
    Random random = new Random(2);
    int size = 40;
    double[][] matrix = new double[size][size];
    for (int i = 0; i < size; i++) {
      for (int j = 0; j < size; j++) {
        matrix[i][j] = random.nextInt(3) == 0 ? -0.9 * random.nextDouble() / size : 0;
      }
      matrix[i][i] += 1;
    }
    double[] x = random.doubles(size, -1, 1).toArray();
    double[] forward = new double[size];
    double[] transposed = new double[size];
    double[][] copy = new double[size][];
    for (int i = 0; i < size; i++) {
      copy[i] = matrix[i].clone();
      for (int j = 0; j < size; j++) {
        forward[i] += matrix[i][j] * x[j];
        transposed[j] += matrix[i][j] * x[i];
      }
    }
    DenseLu factors = new DenseLu(copy);
    factors.solve(forward);
    factors.solveTransposed(transposed);
    assertArrayEquals(x, forward, 1e-13);
    assertArrayEquals(x, transposed, 1e-13);
  }
}
