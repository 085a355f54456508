package dev.psm.core.env;

import java.util.Map;
import java.util.SplittableRandom;

/**
 * Walking to a goal cell: start uniform over the free cells, reward 1 whenever the entered cell is
 * the goal, else 0.
 *
 * <p>The goal is not the end: an agent is meant to stay there, so episodes are only ever truncated,
 * after {@link #HORIZON} steps. Staying put by bumping into a wall enters the cell as much as
 * {@link GridMap#STAY} does.
 */
public final class GridWorld implements Environment<Integer> {
  /** Steps in an episode. */
  public static final int HORIZON = 200;

  private final GridMap map;
  private final int fixedGoal;
  private SplittableRandom random = new SplittableRandom(0);
  private int cell;
  private int goal;
  private int steps = HORIZON;

  /** A goal drawn uniformly from the free cells at every reset. */
  public GridWorld(GridMap map) {
    this.map = map;
    this.fixedGoal = -1;
  }

  /** The same goal in every episode. */
  public GridWorld(GridMap map, int goal) {
    this.map = map;
    this.fixedGoal = checkCell(goal);
    this.goal = goal;
  }

  public GridMap map() {
    return map;
  }

  /** The state rewarded in this episode. */
  public int goal() {
    return goal;
  }

  @Override
  public Start reset(long seed) {
    random = new SplittableRandom(seed);
    return reset();
  }

  @Override
  public Start reset() {
    cell = random.nextInt(map.freeCellCount());
    goal = fixedGoal >= 0 ? fixedGoal : random.nextInt(map.freeCellCount());
    steps = 0;
    return new Start(map.observation(cell), info());
  }

  @Override
  public Step step(Integer action) {
    if (action < 0 || action >= GridMap.ACTION_COUNT) {
      throw new IllegalArgumentException("action must be 0 to 4, found " + action);
    }
    if (steps >= HORIZON) {
      throw new IllegalStateException("the episode is over; call reset");
    }
    cell = map.nextState(cell, action);
    steps++;
    return new Step(map.observation(cell), cell == goal ? 1 : 0, false, steps == HORIZON, info());
  }

  @Override
  public Space.Box observationSpace() {
    return Space.Box.uniform(0, 1, 2);
  }

  @Override
  public Space.Discrete actionSpace() {
    return new Space.Discrete(GridMap.ACTION_COUNT);
  }

  /** Cell, goal and steps taken. */
  @Override
  public double[] state() {
    return new double[] {cell, goal, steps};
  }

  @Override
  public void setState(double[] state) {
    if (state.length != 3 || !(state[2] >= 0 && state[2] <= HORIZON)) {
      throw new IllegalArgumentException("a state is {cell, goal, steps taken}");
    }
    cell = checkCell((int) state[0]);
    goal = checkCell((int) state[1]);
    steps = (int) state[2];
  }

  private int checkCell(int state) {
    if (state < 0 || state >= map.freeCellCount()) {
      throw new IllegalArgumentException("no free cell has the number " + state);
    }
    return state;
  }

  private Map<String, Object> info() {
    return Map.of("row", map.row(cell), "column", map.column(cell), "goal", goal);
  }
}
