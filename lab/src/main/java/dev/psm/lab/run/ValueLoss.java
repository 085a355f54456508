package dev.psm.lab.run;

import dev.psm.agents.finite.FiniteModel;
import dev.psm.core.Seeds;
import dev.psm.core.mdp.FiniteMdp;
import dev.psm.core.mdp.Policy;
import dev.psm.core.mdp.Rewards;
import dev.psm.core.mdp.SuccessorMeasure;
import dev.psm.core.mdp.ValueIteration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * How well an agent does on rewards that are not goals: the share of what an optimal policy gains
 * over random actions that the agent's policy loses, in per cent, averaged over all start states. 0
 * is optimal, 100 is no better than chance.
 */
public final class ValueLoss {
  private static final int PER_KIND = 8;

  /** How many test rewards there are, of three kinds. */
  static final int REWARDS = 3 * PER_KIND;

  private static final double SMOOTHING = 0.9;

  /** Below this share of the largest reward, a gain over random actions is rounding. */
  private static final double NO_GAIN = 1e-9;

  private ValueLoss() {}

  /**
   * Test rewards on the state entered: independent Gaussians, Gaussians smoothed along random walks
   * that begin with a step up, and a few prizes among a few traps. The same for every agent.
   */
  public static double[][] rewards(FiniteMdp mdp, long seed) {
    RandomGenerator random = Seeds.generator(seed + 4711);
    int states = mdp.stateCount();
    double[][] walk =
        SuccessorMeasure.ofNextState(
            mdp.withDiscount(SMOOTHING), Policy.uniform(states, mdp.actionCount()));
    List<double[]> rewards = new ArrayList<>();
    for (int i = 0; i < PER_KIND; i++) {
      double[] gaussian = random.doubles(states).map(u -> random.nextGaussian()).toArray();
      rewards.add(gaussian);
      double[] smooth = new double[states];
      for (int state = 0; state < states; state++) {
        double[] reached = walk[state * mdp.actionCount()];
        for (int other = 0; other < states; other++) {
          smooth[state] += reached[other] * gaussian[other];
        }
      }
      rewards.add(smooth);
      double[] sparse = new double[states];
      for (int prize = 0; prize < 3; prize++) {
        sparse[random.nextInt(states)] += 0.2 + 0.8 * random.nextDouble();
      }
      for (int trap = 0; trap < 5; trap++) {
        sparse[random.nextInt(states)] -= 0.5;
      }
      rewards.add(sparse);
    }
    return rewards.toArray(new double[0][]);
  }

  /** The loss of greedy policies, one per reward. */
  public static double[] of(FiniteMdp mdp, double[][] rewards, double[][][] q) {
    int states = mdp.stateCount();
    double[][] chance =
        SuccessorMeasure.ofNextState(mdp, Policy.uniform(states, mdp.actionCount()));
    double[] losses = new double[rewards.length];
    for (int i = 0; i < rewards.length; i++) {
      double best = ValueIteration.solve(mdp, Rewards.entering(mdp, rewards[i])).optimum();
      double random = 0;
      for (double[] reached : chance) {
        random += dot(reached, rewards[i]) / chance.length;
      }
      int[] actions = FiniteModel.greedy(q[i]);
      double[][] measure =
          SuccessorMeasure.ofNextState(mdp, Policy.deterministic(actions, mdp.actionCount()));
      double achieved = 0;
      for (int state = 0; state < states; state++) {
        achieved += dot(measure[state * mdp.actionCount() + actions[state]], rewards[i]) / states;
      }
      double gain = best - random;
      double scale = Arrays.stream(rewards[i]).map(Math::abs).max().orElse(0);
      losses[i] = gain > NO_GAIN * scale ? 100 * (best - achieved) / gain : 0;
    }
    return losses;
  }

  private static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }
}
