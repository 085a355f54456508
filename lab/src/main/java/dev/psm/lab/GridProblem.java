package dev.psm.lab;

import dev.psm.agents.finite.FiniteModel;
import dev.psm.core.Seeds;
import dev.psm.core.data.TransitionTable;
import dev.psm.core.env.GridMap;
import dev.psm.core.env.GridOracle;
import java.util.random.RandomGenerator;

/**
 * A grid as an agent's problem: uniform reward-free data in, goals to be reached out, and an oracle
 * that knows the way.
 */
public final class GridProblem {
  private final GridMap map;
  private final GridOracle oracle;

  public GridProblem(GridMap map) {
    this.map = map;
    this.oracle = new GridOracle(map);
  }

  public GridMap map() {
    return map;
  }

  public GridOracle oracle() {
    return oracle;
  }

  public int stateCount() {
    return map.freeCellCount();
  }

  public TransitionTable data(double discount) {
    float[][] observations = new float[stateCount()][];
    for (int state = 0; state < stateCount(); state++) {
      observations[state] = map.observation(state);
    }
    return new TransitionTable(map.toMdp(discount), observations);
  }

  /** 1 for entering the goal, else 0. */
  public double[] goalReward(int goal) {
    double[] reward = new double[stateCount()];
    reward[goal] = 1;
    return reward;
  }

  /** {@link #goalReward} of each goal. */
  public double[][] goalRewards(int[] goals) {
    double[][] rewards = new double[goals.length][];
    for (int i = 0; i < goals.length; i++) {
      rewards[i] = goalReward(goals[i]);
    }
    return rewards;
  }

  public int[] allGoals() {
    int[] goals = new int[stateCount()];
    for (int goal = 0; goal < goals.length; goal++) {
      goals[goal] = goal;
    }
    return goals;
  }

  /**
   * Distinct goals drawn uniformly, as the paper draws its ten; the same for every agent at one
   * seed.
   */
  public int[] randomGoals(int count, long seed) {
    RandomGenerator random = Seeds.generator(seed * 1_000_003 + 17);
    int[] goals = allGoals();
    int chosen = Math.min(count, goals.length);
    for (int i = 0; i < chosen; i++) {
      int j = i + random.nextInt(goals.length - i);
      int swap = goals[i];
      goals[i] = goals[j];
      goals[j] = swap;
    }
    return java.util.Arrays.copyOf(goals, chosen);
  }

  /** Tie-aware error of greedy policies in per cent, one per goal. */
  public double[] errors(int[] goals, double[][][] q) {
    double[] errors = new double[goals.length];
    for (int i = 0; i < goals.length; i++) {
      errors[i] = oracle.error(goals[i], FiniteModel.greedy(q[i]));
    }
    return errors;
  }
}
