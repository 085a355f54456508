package dev.psm.lab.run;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.agents.finite.FiniteModel;
import dev.psm.core.env.GridMap;
import dev.psm.core.mdp.FiniteMdp;
import dev.psm.core.mdp.Rewards;
import dev.psm.core.stats.Summary;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ValueLossTest {
  private static final FiniteMdp MDP = GridMap.named("gridworld").toMdp(0.98);
  private static final double[][] REWARDS = ValueLoss.rewards(MDP, 0);

  /** Q* by plain sweeps: the grader's own value iteration must not grade itself. */
  private static double[][] optimal(double[] entering) {
    double[] reward = Rewards.entering(MDP, entering);
    double[][] q = new double[MDP.stateCount()][MDP.actionCount()];
    for (int sweep = 0; sweep < 1500; sweep++) {
      double[] value = new double[q.length];
      for (int state = 0; state < q.length; state++) {
        value[state] = q[state][FiniteModel.greedy(q)[state]];
      }
      for (int pair = 0; pair < MDP.pairCount(); pair++) {
        int next = MDP.successor(MDP.rowStart(pair));
        q[pair / MDP.actionCount()][pair % MDP.actionCount()] =
            reward[pair] + MDP.discount() * value[next];
      }
    }
    return q;
  }

  @Test
  void optimalValuesLoseNothing() {
    double[][] rewards = {REWARDS[0], REWARDS[1], REWARDS[2]};
    double[][][] q = {optimal(rewards[0]), optimal(rewards[1]), optimal(rewards[2])};
    for (double loss : ValueLoss.of(MDP, rewards, q)) {
      assertEquals(0, loss, 1e-6);
    }
  }

  @Test
  void arbitraryValuesAreNoBetterThanChance() {
    Random random = new Random(1);
    double[][][] q = new double[REWARDS.length][MDP.stateCount()][MDP.actionCount()];
    for (double[][] values : q) {
      for (double[] row : values) {
        Arrays.setAll(row, action -> random.nextDouble());
      }
    }
    double mean = Summary.of(ValueLoss.of(MDP, REWARDS, q)).mean();
    assertTrue(mean > 80 && mean < 130, "mean loss " + mean);
  }

  @Test
  void whereNothingCanBeGainedNothingIsLost() {
    double[] constant = new double[MDP.stateCount()];
    Arrays.fill(constant, 3);
    double[][] rewards = {constant, new double[MDP.stateCount()]};
    double[][][] q = new double[2][MDP.stateCount()][MDP.actionCount()];
    assertArrayEquals(new double[2], ValueLoss.of(MDP, rewards, q));
  }

  @Test
  void theSeedDecidesTheRewards() {
    assertArrayEquals(REWARDS[0], ValueLoss.rewards(MDP, 0)[0]);
    assertNotEquals(REWARDS[0][0], ValueLoss.rewards(MDP, 1)[0][0]);
  }
}
