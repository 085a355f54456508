package dev.psm.core.env;

import dev.psm.core.reward.Quantity;
import java.util.random.RandomGenerator;

/**
 * Walking on a {@link GridMap}: an episode begins in a free cell drawn uniformly and is truncated
 * after {@link #HORIZON} steps; nothing ends it before. Staying put by bumping into a wall enters
 * the cell as much as {@link GridMap#STAY} does.
 */
public final class GridEnvironment implements Environment {
  /** Steps in an episode. */
  public static final int HORIZON = 200;

  private final GridMap map;
  private int cell;
  private int steps = HORIZON;

  public GridEnvironment(GridMap map) {
    this.map = map;
  }

  @Override
  public float[] reset(RandomGenerator random) {
    return start(new double[] {random.nextInt(map.freeCellCount())});
  }

  /** A state is the number of its cell. */
  @Override
  public float[] start(double[] state) {
    recall(state, 0);
    steps = 0;
    return map.observation(cell);
  }

  @Override
  public Step step(float[] action) {
    if (steps >= HORIZON) {
      throw new IllegalStateException("the episode is over; call reset");
    }
    int number = action.length == 1 ? (int) action[0] : -1;
    if (number < 0 || number >= GridMap.ACTION_COUNT || number != action[0]) {
      throw new IllegalArgumentException(
          "an action is one number from 0 to " + (GridMap.ACTION_COUNT - 1));
    }
    cell = map.nextState(cell, number);
    steps++;
    return new Step(map.observation(cell), false, steps == HORIZON);
  }

  @Override
  public double get(Quantity quantity) {
    return quantity.equals(GridQuantities.ROW) ? map.row(cell) : map.column(cell);
  }

  @Override
  public double[] state() {
    return new double[] {cell};
  }

  @Override
  public void recall(double[] states, int at) {
    double wanted = states[at];
    if (!(wanted >= 0 && wanted < map.freeCellCount())) {
      throw new SimulationException("no free cell of %s is %s".formatted(map.name(), wanted));
    }
    cell = (int) wanted;
    steps = HORIZON;
  }
}
