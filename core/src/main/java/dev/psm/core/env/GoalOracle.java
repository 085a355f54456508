package dev.psm.core.env;

import dev.psm.core.mdp.FiniteMdp;
import dev.psm.core.mdp.Rewards;
import dev.psm.core.mdp.ValueIteration;
import java.util.HashMap;
import java.util.Map;

/**
 * Knows which actions lead best to a state, and grades policies by that. Ties are common, so an
 * action is right when it lies in the <em>set</em> of optimal ones: a single-action oracle would
 * charge a perfect policy about a third of a grid's cells.
 */
public interface GoalOracle {
  /** Whether an action is optimal when entering the goal, again and again, is all that pays. */
  boolean isOptimal(int goal, int state, int action);

  /** Percentage of states, the goal included, in which the given action is not optimal. */
  default double error(int goal, int[] actions) {
    int wrong = 0;
    for (int state = 0; state < actions.length; state++) {
      if (!isOptimal(goal, state, actions[state])) {
        wrong++;
      }
    }
    return 100.0 * wrong / actions.length;
  }

  /** The oracle of any finite MDP: value iteration on the reward of entering the goal. */
  static GoalOracle of(FiniteMdp mdp) {
    Map<Integer, ValueIteration> solved = new HashMap<>();
    return (goal, state, action) ->
        solved
            .computeIfAbsent(
                goal,
                any -> {
                  double[] entering = new double[mdp.stateCount()];
                  entering[goal] = 1;
                  return ValueIteration.solve(mdp, Rewards.entering(mdp, entering));
                })
            .isOptimal(state, action);
  }
}
