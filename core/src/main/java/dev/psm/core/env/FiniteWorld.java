package dev.psm.core.env;

import dev.psm.core.UserError;
import dev.psm.core.mdp.FiniteMdp;
import dev.psm.core.mdp.TransitionTable;
import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.QuantityTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
   * @param actions one for every state; −1 where none is known
   * @param goal a state to be marked; −1 for none
   */
  default String draw(int[] actions, int goal) {
    StringBuilder text = new StringBuilder();
    for (int state = 0; state < actions.length; state++) {
      text.append(stateName(state))
          .append(": ")
          .append(actions[state] < 0 ? "?" : actionNames().get(actions[state]))
          .append(state == goal ? "  (the goal)" : "")
          .append('\n');
    }
    return text.toString();
  }

  /** The quantities of every state, in the order of the states. */
  @Override
  Optional<QuantityTable> allStates();

  /** Grades policies for goals: the best way to one may depend on the discount. */
  default GoalOracle goalOracle(double discount) {
    return GoalOracle.of(mdp(discount));
  }

  /**
   * All that can happen in a world, as data: every action in every state, once.
   *
   * @throws UserError where the world contradicts itself: what is learned would be of something
   *     else
   */
  static TransitionTable transitions(FiniteWorld world, double discount) {
    int states = world.stateCount();
    require(world, states >= 1, "at least one state", states);
    FiniteMdp mdp = world.mdp(discount);
    require(world, mdp != null, "its dynamics", "null");
    require(
        world,
        mdp.discount() == discount,
        "dynamics with the discount that mdp(…) is given, " + discount,
        mdp.discount());
    require(world, mdp.stateCount() == states, "dynamics of %d states", states, mdp.stateCount());
    require(
        world,
        world.actionSpace() instanceof Space.Discrete,
        "numbered actions",
        world.actionSpace());
    int actions = ((Space.Discrete) world.actionSpace()).count();
    require(
        world, mdp.actionCount() == actions, "dynamics of %d actions", actions, mdp.actionCount());
    requireNames(world, states, actions);
    requireQuantities(world, states);
    float[][] observations = new float[states][];
    Map<List<Float>, Integer> seen = new HashMap<>();
    for (int state = 0; state < states; state++) {
      float[] observation = world.observation(state);
      int width = world.observationSize();
      require(world, observation != null, "an observation of every state", "null");
      require(
          world,
          observation.length == width,
          "observations of %d numbers",
          width,
          observation.length);
      List<Float> key = new ArrayList<>();
      for (float number : observation) {
        require(world, Float.isFinite(number), "finite observations", number);
        key.add(number + 0f);
      }
      Integer other = seen.put(key, state);
      if (other != null) {
        throw UserError.invalid(
            "world %s: states %s and %s look the same, %s; each must have an observation of its own",
            world.name(), world.stateName(other), world.stateName(state), key);
      }
      observations[state] = observation;
    }
    return new TransitionTable(mdp, observations);
  }

  private static void requireNames(FiniteWorld world, int states, int actions) {
    List<String> names = world.actionNames();
    int named = names == null ? 0 : names.size();
    require(world, named == actions, "names of %d actions", actions, named);
    require(world, world.title() != null, "a title", "null");
    for (int state = 0; state < states; state++) {
      require(world, world.stateName(state) != null, "a name of every state", "null");
    }
  }

  private static void requireQuantities(FiniteWorld world, int states) {
    Optional<QuantityTable> table = world.allStates();
    int rows = table == null ? 0 : table.map(QuantityTable::rows).orElse(0);
    require(world, rows == states, "quantities of %d states", states, rows);
    for (Quantity quantity : world.quantities()) {
      double[] column;
      try {
        column = table.orElseThrow().column(quantity);
      } catch (IllegalArgumentException e) {
        throw UserError.invalid("world %s: %s; correct its class", world.name(), e.getMessage());
      }
      for (double value : column) {
        require(world, Double.isFinite(value), "finite values of " + quantity.name(), value);
      }
    }
  }

  private static void require(FiniteWorld world, boolean holds, String expected, Object found) {
    if (!holds) {
      throw UserError.invalid(
          "world %s: expected %s, found %s; correct its class", world.name(), expected, found);
    }
  }

  private static void require(
      FiniteWorld world, boolean holds, String expected, int count, Object found) {
    require(world, holds, expected.formatted(count), found);
  }
}
