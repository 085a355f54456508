package dev.psm.core.env;

import dev.psm.core.UserError;
import dev.psm.core.mdp.FiniteMdp;
import dev.psm.core.mdp.TransitionTable;
import dev.psm.core.reward.QuantityTable;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

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

  /** The state that a text names: by its {@link #stateName}, or by its number. */
  default int stateNamed(String text) {
    for (int state = 0; state < stateCount(); state++) {
      if (text.strip().equals(stateName(state)) || text.strip().equals(Integer.toString(state))) {
        return state;
      }
    }
    throw UserError.invalid(
        "%s has no state '%s'; expected a number from 0 to %d, or a name such as '%s'",
        name(), text, stateCount() - 1, stateName(0));
  }

  /** What the actions are called, in their order. */
  default List<String> actionNames() {
    return IntStream.range(0, ((Space.Discrete) actionSpace()).count())
        .mapToObj(Integer::toString)
        .toList();
  }

  /**
   * A policy for people to read.
   *
   * @param actions one for every state
   * @param goal a state to be marked; −1 for none
   */
  default String draw(int[] actions, int goal) {
    StringBuilder text = new StringBuilder();
    for (int state = 0; state < actions.length; state++) {
      text.append(stateName(state))
          .append(": ")
          .append(actionNames().get(actions[state]))
          .append(state == goal ? "  (the goal)" : "")
          .append('\n');
    }
    return text.toString();
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
