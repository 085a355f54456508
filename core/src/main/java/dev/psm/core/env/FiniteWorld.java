package dev.psm.core.env;

import dev.psm.core.data.TransitionTable;
import dev.psm.core.mdp.FiniteMdp;
import dev.psm.core.reward.QuantityTable;
import java.util.Arrays;
import java.util.Optional;

/**
 * A world whose states are few and whose dynamics are known. All of its transitions are its data,
 * so agents learn it without collecting any; and its exact solutions are known, so agents are
 * graded against the optimum instead of by playing.
 */
public interface FiniteWorld extends World {
  int stateCount();

  /** What every action in every state leads to; episodes begin anywhere. */
  FiniteMdp mdp(double discount);

  /** What an agent sees of a state; no two states look the same. */
  float[] observation(int state);

  /** A state in a few words. */
  default String stateName(int state) {
    return "state " + state;
  }

  /** The quantities of every state, in the order of the states. */
  @Override
  Optional<QuantityTable> allStates();

  /** The state that is observed like this; −1 where none is. */
  default int stateOf(float[] observation) {
    for (int state = 0; state < stateCount(); state++) {
      if (Arrays.equals(observation(state), observation)) {
        return state;
      }
    }
    return -1;
  }

  /** All that can happen, as data: every action in every state, once. */
  default TransitionTable transitions(double discount) {
    float[][] observations = new float[stateCount()][];
    for (int state = 0; state < observations.length; state++) {
      observations[state] = observation(state);
    }
    return new TransitionTable(mdp(discount), observations);
  }

  /** Grades policies for goals. */
  default GoalOracle goalOracle() {
    return GoalOracle.of(mdp(discount()));
  }
}
