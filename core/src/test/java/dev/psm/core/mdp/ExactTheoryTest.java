package dev.psm.core.mdp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.ojalgo.matrix.decomposition.QR;
import org.ojalgo.matrix.store.R064Store;

/** The facts of the exact theory, each over MDPs of many shapes. */
class ExactTheoryTest {
  private static final String CASES = "dev.psm.core.mdp.RandomMdps#all";

  private static int rank(double[][] matrix) {
    QR<Double> qr = QR.R064.make(true);
    qr.decompose(R064Store.FACTORY.rows(matrix).transpose().copy());
    return qr.getRank();
  }

  @ParameterizedTest
  @MethodSource(CASES)
  void theFlowHasFullRowRankAndTheBasisTheRest(RandomMdps.Case test) {
    FiniteMdp mdp = test.mdp();
    assertEquals(mdp.stateCount(), rank(new BellmanFlow(mdp).dense()));
    assertEquals(mdp.stateCount() * (mdp.actionCount() - 1), FlowBasis.of(mdp).dimension());
  }

  @ParameterizedTest
  @MethodSource(CASES)
  void basisVectorsAreNullVectorsThatSumToZeroAndBiasesSumToOne(RandomMdps.Case test) {
    FiniteMdp mdp = test.mdp();
    BellmanFlow flow = new BellmanFlow(mdp);
    FlowBasis basis = FlowBasis.of(mdp);
    for (int j = 0; j < basis.dimension(); j++) {
      double[] column = basis.column(j);
      assertEquals(0, Arrays.stream(column).sum(), 1e-9);
      for (double residual : flow.apply(column)) {
        assertEquals(0, residual, 1e-10);
      }
    }
    for (double[] bias : new double[][] {basis.bias(), basis.leastNormBias()}) {
      assertEquals(1, Arrays.stream(bias).sum(), 1e-10);
      assertEquals(0, flow.residual(bias), 1e-12);
    }
  }

  @ParameterizedTest
  @MethodSource(CASES)
  void everyPolicysVisitationLiesInTheAffineSet(RandomMdps.Case test) {
    FiniteMdp mdp = test.mdp();
    FlowBasis basis = FlowBasis.of(mdp);
    FlowBasis other = basis.withBias(basis.leastNormBias());
    Random random = new Random(11);
    for (int i = 0; i < 3; i++) {
      double[] d = new BellmanFlow(mdp).visitation(RandomMdps.policy(mdp, random));
      assertTrue(basis.residual(d) < 1e-9);
      assertTrue(other.residual(d) < 1e-9);
      assertTrue(Arrays.stream(d).min().getAsDouble() >= 0);
    }
    double[] offside = new double[mdp.pairCount()];
    offside[0] = 2;
    assertTrue(basis.residual(offside) > 1e-3);
  }

  @ParameterizedTest
  @MethodSource(CASES)
  void bothProgrammesReachTheOptimumOfValueIteration(RandomMdps.Case test) {
    FiniteMdp mdp = test.mdp();
    FlowBasis basis = FlowBasis.of(mdp);
    ValueIteration truth = ValueIteration.solve(mdp, test.reward());
    for (VisitationProgram.Solution solution :
        new VisitationProgram.Solution[] {
          VisitationProgram.inCoordinates(basis, test.reward()),
          VisitationProgram.inCoordinates(basis, test.reward(), new double[mdp.pairCount()]),
          VisitationProgram.inVisitations(mdp, test.reward())
        }) {
      assertEquals(truth.optimum(), solution.optimum(), 1e-8, solution.solver());
      assertTrue(basis.residual(solution.visitation()) < 1e-9, solution.solver());
      assertTrue(Arrays.stream(solution.visitation()).min().getAsDouble() > -1e-9);
      VisitedPolicy read = VisitedPolicy.of(mdp, solution.visitation());
      for (int state = 0; state < mdp.stateCount(); state++) {
        assertTrue(read.visited()[state]);
        for (int action = 0; action < mdp.actionCount(); action++) {
          assertTrue(
              read.policy().probability(state, action) == 0 || truth.isOptimal(state, action),
              "%s: action %d in state %d".formatted(solution.solver(), action, state));
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource(CASES)
  void theOptimumDoesNotDependOnTheBias(RandomMdps.Case test) {
    if (test.mdp().pairCount() > 500) {
      return;
    }
    FlowBasis basis = FlowBasis.of(test.mdp());
    FlowBasis other = basis.withBias(basis.leastNormBias());
    assertEquals(
        VisitationProgram.inCoordinates(basis, test.reward()).optimum(),
        VisitationProgram.inCoordinates(other, test.reward()).optimum(),
        1e-8);
  }

  @ParameterizedTest
  @MethodSource(CASES)
  void blockPivotsEndWithADualCertificate(RandomMdps.Case test) {
    FiniteMdp mdp = test.mdp();
    FlowSimplex.Vertex vertex = FlowSimplex.maximise(mdp, test.reward());
    double dual = 0;
    double[] source = new BellmanFlow(mdp).source();
    for (int state = 0; state < mdp.stateCount(); state++) {
      dual += source[state] * vertex.values()[state];
    }
    double primal = 0;
    for (int pair = 0; pair < mdp.pairCount(); pair++) {
      primal += test.reward()[pair] * vertex.visitation()[pair];
      double slack =
          vertex.values()[pair / mdp.actionCount()]
              - ValueIteration.backup(mdp, test.reward(), pair, vertex.values());
      assertTrue(slack > -1e-9);
    }
    assertEquals(dual, primal, 1e-10);
    assertTrue(vertex.rounds() < 30);
  }
}
