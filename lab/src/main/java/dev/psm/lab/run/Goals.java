package dev.psm.lab.run;

import dev.psm.agents.finite.FiniteModel;
import dev.psm.core.Seeds;
import dev.psm.core.env.FiniteWorld;
import dev.psm.core.env.GoalOracle;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** States to reach in a finite world: as rewards, drawn at random, and graded. */
public final class Goals {
  private Goals() {}

  public static int[] all(FiniteWorld world) {
    return IntStream.range(0, world.stateCount()).toArray();
  }

  /** 1 for entering the goal, else 0. */
  public static double[] reward(int goal, FiniteWorld world) {
    double[] reward = new double[world.stateCount()];
    reward[goal] = 1;
    return reward;
  }

  public static double[][] rewards(int[] goals, FiniteWorld world) {
    return Arrays.stream(goals).mapToObj(goal -> reward(goal, world)).toArray(double[][]::new);
  }

  /**
   * Distinct goals drawn uniformly, as the paper draws its ten; the same for every agent at one
   * seed.
   */
  public static int[] random(FiniteWorld world, int count, long seed) {
    RandomGenerator random = Seeds.generator(seed * 1_000_003 + 17);
    int[] goals = all(world);
    int chosen = Math.min(count, goals.length);
    for (int i = 0; i < chosen; i++) {
      int j = i + random.nextInt(goals.length - i);
      int swap = goals[i];
      goals[i] = goals[j];
      goals[j] = swap;
    }
    return Arrays.copyOf(goals, chosen);
  }

  /** Tie-aware error of greedy policies in per cent, one per goal. */
  public static double[] errors(GoalOracle oracle, int[] goals, double[][][] q) {
    double[] errors = new double[goals.length];
    for (int i = 0; i < goals.length; i++) {
      errors[i] = oracle.error(goals[i], FiniteModel.greedy(q[i]));
    }
    return errors;
  }
}
