package dev.psm.core.mdp;

import dev.psm.core.UserError;
import dev.psm.core.reward.Reward;

/** Rewards over state-action pairs, r(s,a), the form that all exact theory here takes them in. */
public final class Rewards {
  private Rewards() {}

  /** A reward for the state entered, in expectation: r(s,a) = Σ P(s'|s,a) perState(s'). */
  public static double[] entering(FiniteMdp mdp, double[] perState) {
    checkStates(mdp, perState);
    double[] reward = new double[mdp.pairCount()];
    for (int pair = 0; pair < reward.length; pair++) {
      for (int entry = mdp.rowStart(pair); entry < mdp.rowEnd(pair); entry++) {
        reward[pair] += mdp.probability(entry) * perState[mdp.successor(entry)];
      }
    }
    return reward;
  }

  /** A reward for the state left, whatever the action: r(s,a) = perState(s). */
  public static double[] leaving(FiniteMdp mdp, double[] perState) {
    checkStates(mdp, perState);
    double[] reward = new double[mdp.pairCount()];
    for (int pair = 0; pair < reward.length; pair++) {
      reward[pair] = perState[pair / mdp.actionCount()];
    }
    return reward;
  }

  /** 1 for entering the goal, else 0. */
  public static double[] goal(FiniteMdp mdp, int goal) {
    double[] perState = new double[mdp.stateCount()];
    perState[goal] = 1;
    return entering(mdp, perState);
  }

  static void check(FiniteMdp mdp, double[] reward) {
    if (reward.length != mdp.pairCount()) {
      throw UserError.invalid(
          "reward: expected %d entries for %d states × %d actions, found %d",
          mdp.pairCount(), mdp.stateCount(), mdp.actionCount(), reward.length);
    }
    checkFinite(reward);
  }

  private static void checkStates(FiniteMdp mdp, double[] perState) {
    if (perState.length != mdp.stateCount()) {
      throw UserError.invalid(
          "reward: expected an entry for each of %d states, found %d",
          mdp.stateCount(), perState.length);
    }
    checkFinite(perState);
  }

  private static void checkFinite(double[] reward) {
    for (int i = 0; i < reward.length; i++) {
      if (!(Math.abs(reward[i]) <= Reward.LARGEST)) {
        throw UserError.invalid(
            "reward: expected finite numbers of at most %s, found %s at %d",
            Reward.LARGEST, reward[i], i);
      }
    }
  }
}
