package dev.psm.core.mdp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.UserError;
import dev.psm.core.env.GridArrows;
import dev.psm.core.env.GridMap;
import dev.psm.core.env.GridOracle;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The programmes on the paper's grids, graded by shortest paths. */
class GridProgramTest {
  @ParameterizedTest
  @CsvSource({"gridworld, 200", "four-rooms, 272"})
  void everyGoalIsSolvedWithoutErrorByBothProgrammes(String name, int dimension) {
    GridMap map = GridMap.named(name);
    FiniteMdp mdp = map.toMdp(0.98);
    GridOracle oracle = new GridOracle(map);
    FlowBasis basis = FlowBasis.of(mdp);
    assertEquals(dimension, basis.dimension());
    for (int goal = 0; goal < map.freeCellCount(); goal++) {
      double[] reward = Rewards.goal(mdp, goal);
      double truth = ValueIteration.solve(mdp, reward).optimum();
      for (VisitationProgram.Solution solution :
          new VisitationProgram.Solution[] {
            VisitationProgram.inCoordinates(basis, reward),
            VisitationProgram.inVisitations(mdp, reward)
          }) {
        assertEquals(truth, solution.optimum(), 1e-8, solution.solver());
        assertTrue(basis.residual(solution.visitation()) < 1e-9);
        Policy policy = VisitedPolicy.of(mdp, solution.visitation()).policy();
        int[] actions = new int[mdp.stateCount()];
        for (int state = 0; state < actions.length; state++) {
          actions[state] = policy.likeliest(state);
        }
        assertEquals(0, oracle.error(goal, actions), solution.solver());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.3, 0.7, 0.9, 0.98, 0.9999})
  void goalsTooFarForATolerancesEyeAreStillReached(double discount) {
    GridMap map = GridMap.named("spiral");
    GridOracle oracle = new GridOracle(map);
    FiniteMdp mdp = map.toMdp(discount);
    for (int goal = 0; goal < map.freeCellCount(); goal += 10) {
      for (Programme programme : List.of(Programme.W, Programme.D)) {
        Policy policy = ExactSolver.solve(mdp, Rewards.goal(mdp, goal), programme).policy();
        int[] actions = new int[mdp.stateCount()];
        Arrays.setAll(actions, policy::likeliest);
        assertEquals(0, oracle.error(goal, actions), programme + " to " + goal);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {1e-9, 1, 1e9})
  void theUnitOfTheRewardDoesNotMatter(double unit) {
    FiniteMdp mdp = GridMap.named("gridworld").toMdp(0.98);
    double[] reward = Rewards.goal(mdp, 20);
    double[] scaled = Arrays.stream(reward).map(r -> r * unit).toArray();
    double truth = ValueIteration.solve(mdp, reward).optimum();
    for (Programme programme : List.of(Programme.W, Programme.D)) {
      assertEquals(truth, ExactSolver.solve(mdp, scaled, programme).optimum() / unit, 1e-10);
    }
  }

  @Test
  void theSpiralIsWalkedToItsEnd() {
    GridMap map = GridMap.named("spiral");
    int goal = map.goal("7,5");
    FiniteMdp mdp = map.toMdp(0.9);
    ExactSolver.Solution solution = ExactSolver.solve(mdp, Rewards.goal(mdp, goal), Programme.D);
    String drawing = GridArrows.draw(map, solution.policy()::likeliest, goal);
    assertTrue(drawing.startsWith("#############\n#→→→→→→→→→→↓#\n"), drawing);
    assertFalse(drawing.contains("?"), drawing);
    assertTrue(drawing.contains("#↑#↑#G←←#↓#↓#"), drawing);
  }

  @Test
  void aConcentratedStartLeavesUnvisitedStatesUndefined() {
    GridMap map = GridMap.named("gridworld");
    double[] start = new double[50];
    start[map.stateAt(1, 1)] = 1;
    FiniteMdp mdp = map.toMdp(0.9).withInitial(start);
    ExactSolver.Solution solution =
        ExactSolver.solve(mdp, Rewards.goal(mdp, map.stateAt(1, 3)), Programme.AUTO);
    assertEquals(Programme.W, solution.programme());
    int visited = 0;
    for (boolean v : solution.visited()) {
      visited += v ? 1 : 0;
    }
    assertEquals(3, visited);
    assertEquals(0.2, solution.policy().probability(map.stateAt(7, 7), 0), 1e-15);
  }

  @Test
  void problemsBeyondTheLimitsAreRefusedWithTheirSize() {
    FiniteMdp large = FiniteMdp.deterministic(new int[2501][5], 0.9);
    double[] reward = new double[large.pairCount()];
    String inW =
        assertThrows(UserError.class, () -> ExactSolver.solve(large, reward, Programme.W))
            .getMessage();
    assertTrue(inW.contains("2501 states × 5 actions"), inW);
    assertTrue(inW.contains("the limit is 1000000"), inW);
    String inD =
        assertThrows(UserError.class, () -> ExactSolver.solve(large, reward, Programme.AUTO))
            .getMessage();
    assertTrue(inD.contains("at most 2500 states"), inD);
    assertTrue(inD.contains("found 2501 states × 5 actions = 12505 pairs"), inD);
  }
}
