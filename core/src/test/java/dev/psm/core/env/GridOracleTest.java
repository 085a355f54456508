package dev.psm.core.env;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GridOracleTest {
  private static List<Integer> optimal(GridOracle oracle, int goal, int state) {
    List<Integer> actions = new ArrayList<>();
    for (int action = 0; action < GridMap.ACTION_COUNT; action++) {
      if (oracle.isOptimal(goal, state, action)) {
        actions.add(action);
      }
    }
    return actions;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"gridworld", "four-rooms", "four-rooms-dark", "four-rooms-large", "spiral"})
  void theOraclesOwnActionsWithRandomTiesHaveNoError(String name) {
    GridMap map = GridMap.named(name);
    GridOracle oracle = new GridOracle(map);
    Random random = new Random(5);
    for (int goal = 0; goal < map.freeCellCount(); goal++) {
      int[] actions = new int[map.freeCellCount()];
      for (int state = 0; state < actions.length; state++) {
        List<Integer> best = optimal(oracle, goal, state);
        actions[state] = best.get(random.nextInt(best.size()));
      }
      assertEquals(0.0, oracle.error(goal, actions));
    }
  }

  /** Mean number of optimal actions, percentage of ties, error of the uniform policy, diameter. */
  @ParameterizedTest
  @CsvSource({
    "gridworld, 1.636, 61.8, 67.28, 13",
    "four-rooms, 1.558, 52.9, 68.84, 16",
    "four-rooms-dark, 1.558, 52.4, 68.84, 16",
    "four-rooms-large, 1.785, 76.7, 64.30, 36"
  })
  void tiesAreAsCommonAsComputedElsewhere(
      String name, double mean, double ties, double uniform, int diameter) {
    GridMap map = GridMap.named(name);
    GridOracle oracle = new GridOracle(map);
    int states = map.freeCellCount();
    int total = 0;
    int tied = 0;
    int longest = 0;
    double error = 0;
    for (int goal = 0; goal < states; goal++) {
      for (int state = 0; state < states; state++) {
        int count = optimal(oracle, goal, state).size();
        total += count;
        tied += count > 1 ? 1 : 0;
        longest = Math.max(longest, oracle.distance(goal, state));
      }
      for (int action = 0; action < GridMap.ACTION_COUNT; action++) {
        int[] constant = new int[states];
        Arrays.fill(constant, action);
        error += oracle.error(goal, constant) / GridMap.ACTION_COUNT / states;
      }
    }
    double pairs = (double) states * states;
    assertEquals(mean, total / pairs, 0.0005);
    assertEquals(ties, 100 * tied / pairs, 0.05);
    assertEquals(uniform, error, 0.005);
    assertEquals(diameter, longest);
  }

  @Test
  void atTheGoalStayingAndBumpingAreBothRight() {
    GridMap map = GridMap.named("gridworld");
    GridOracle oracle = new GridOracle(map);
    int corner = map.stateAt(1, 1);
    assertEquals(List.of(GridMap.UP, GridMap.LEFT, GridMap.STAY), optimal(oracle, corner, corner));
    assertTrue(oracle.isOptimal(corner, map.stateAt(1, 2), GridMap.LEFT));
  }

  @Test
  void oneWrongCellInFiftyIsTwoPercent() {
    GridMap map = GridMap.named("gridworld");
    GridOracle oracle = new GridOracle(map);
    int[] actions = new int[50];
    for (int state = 0; state < 50; state++) {
      actions[state] = optimal(oracle, 7, state).get(0);
    }
    actions[20] = GridMap.STAY;
    assertEquals(2.0, oracle.error(7, actions));
  }
}
