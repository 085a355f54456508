package dev.psm.lab.run;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.env.GoalOracle;
import dev.psm.core.env.GridMap;
import dev.psm.core.env.GridWorld;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class GoalsTest {
  private static final GridWorld ROOMS = new GridWorld(GridMap.named("four-rooms"));
  private static final GoalOracle ORACLE = ROOMS.goalOracle(0.98);

  /** Q that is 1 for one optimal action in every state. */
  private static double[][] oracleValues(int goal) {
    double[][] q = new double[ROOMS.stateCount()][GridMap.ACTION_COUNT];
    for (int state = 0; state < q.length; state++) {
      for (int action = 0; action < q[state].length; action++) {
        q[state][action] = ORACLE.isOptimal(goal, state, action) ? 1 : 0;
      }
    }
    return q;
  }

  @Test
  void theOraclesPolicyHasNoErrorAndOneWrongCellIsOneCell() {
    int[] goals = Goals.all(ROOMS);
    double[][][] q = new double[goals.length][][];
    Arrays.setAll(q, goal -> oracleValues(goal));
    assertArrayEquals(new double[goals.length], Goals.errors(ORACLE, goals, q));
    int away = ROOMS.map().nextState(0, GridMap.RIGHT);
    Arrays.fill(q[0][away], 0);
    q[0][away][GridMap.STAY] = 1;
    assertEquals(100.0 / ROOMS.stateCount(), Goals.errors(ORACLE, goals, q)[0], 1e-12);
  }

  @Test
  void randomGoalsAreDistinctAndDecidedByTheSeed() {
    int[] goals = Goals.random(ROOMS, 10, 3);
    assertEquals(10, Arrays.stream(goals).distinct().count());
    assertArrayEquals(goals, Goals.random(ROOMS, 10, 3));
    assertFalse(Arrays.equals(goals, Goals.random(ROOMS, 10, 4)));
    assertTrue(Arrays.stream(goals).allMatch(goal -> goal >= 0 && goal < ROOMS.stateCount()));
  }

  @Test
  void noMoreGoalsAreDrawnThanThereAre() {
    int[] goals = Goals.random(TinyGrids.WORLD, 1000, 0);
    Arrays.sort(goals);
    assertArrayEquals(Goals.all(TinyGrids.WORLD), goals);
  }
}
