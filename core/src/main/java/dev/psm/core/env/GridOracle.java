package dev.psm.core.env;

import java.util.ArrayDeque;
import java.util.Arrays;

/**
 * Grades goal-reaching on a map against shortest paths.
 *
 * <p>At the goal every action that keeps the agent there is optimal, bumping into a wall included.
 */
public final class GridOracle implements GoalOracle {
  private final GridMap map;
  private final int[][] distances;

  public GridOracle(GridMap map) {
    this.map = map;
    this.distances = new int[map.freeCellCount()][];
  }

  /** Steps from a state to the goal along a shortest path. */
  public int distance(int goal, int state) {
    return distances(goal)[state];
  }

  @Override
  public boolean isOptimal(int goal, int state, int action) {
    int[] distance = distances(goal);
    int next = map.nextState(state, action);
    return state == goal ? next == goal : distance[next] == distance[state] - 1;
  }

  @Override
  public double error(int goal, int[] actions) {
    if (actions.length != map.freeCellCount()) {
      throw new IllegalArgumentException(
          "%d actions for %d free cells".formatted(actions.length, map.freeCellCount()));
    }
    return GoalOracle.super.error(goal, actions);
  }

  /** Every move can be undone by its opposite, so one search from the goal finds all distances. */
  int[] distances(int goal) {
    if (distances[goal] != null) {
      return distances[goal];
    }
    int[] distance = new int[map.freeCellCount()];
    Arrays.fill(distance, -1);
    ArrayDeque<Integer> open = new ArrayDeque<>();
    distance[goal] = 0;
    open.add(goal);
    while (!open.isEmpty()) {
      int state = open.remove();
      for (int action = 0; action < GridMap.ACTION_COUNT; action++) {
        int next = map.nextState(state, action);
        if (distance[next] < 0) {
          distance[next] = distance[state] + 1;
          open.add(next);
        }
      }
    }
    distances[goal] = distance;
    return distance;
  }
}
