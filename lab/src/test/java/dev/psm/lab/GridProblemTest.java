package dev.psm.lab;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.env.GridMap;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class GridProblemTest {
  private static final GridProblem ROOMS = new GridProblem(GridMap.named("four-rooms"));

  /** Q that is 1 for one optimal action in every state. */
  private static double[][] oracleValues(int goal) {
    double[][] q = new double[ROOMS.stateCount()][GridMap.ACTION_COUNT];
    for (int state = 0; state < q.length; state++) {
      for (int action = 0; action < q[state].length; action++) {
        q[state][action] = ROOMS.oracle().isOptimal(goal, state, action) ? 1 : 0;
      }
    }
    return q;
  }

  @Test
  void theOraclesPolicyHasNoErrorAndOneWrongCellIsOneCell() {
    int[] goals = ROOMS.allGoals();
    double[][][] q = new double[goals.length][][];
    Arrays.setAll(q, goal -> oracleValues(goal));
    assertArrayEquals(new double[goals.length], ROOMS.errors(goals, q));
    int away = ROOMS.map().nextState(0, GridMap.RIGHT);
    Arrays.fill(q[0][away], 0);
    q[0][away][GridMap.STAY] = 1;
    assertEquals(100.0 / ROOMS.stateCount(), ROOMS.errors(goals, q)[0], 1e-12);
  }

  @Test
  void randomGoalsAreDistinctAndDecidedByTheSeed() {
    int[] goals = ROOMS.randomGoals(10, 3);
    assertEquals(10, Arrays.stream(goals).distinct().count());
    assertArrayEquals(goals, ROOMS.randomGoals(10, 3));
    assertFalse(Arrays.equals(goals, ROOMS.randomGoals(10, 4)));
    assertTrue(Arrays.stream(goals).allMatch(goal -> goal >= 0 && goal < ROOMS.stateCount()));
  }

  @Test
  void noMoreGoalsAreDrawnThanThereAre() {
    int[] goals = Tiny.PROBLEM.randomGoals(1000, 0);
    Arrays.sort(goals);
    assertArrayEquals(Tiny.PROBLEM.allGoals(), goals);
  }
}
