package dev.psm.core.mdp;

import dev.psm.core.io.JsonField;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/**
 * Reads MDPs and rewards from JSON files, strictly: a key nobody knows, a missing row or a
 * probability that does not add up is refused with its file and field.
 *
 * <p>An MDP:
 *
 * <pre>{@code
 * {"states": 2, "actions": 2, "discount": 0.9, "initial": [1, 0],
 *  "transitions": [{"state": 0, "action": 0, "next": [[1, 1.0]]}, ...]}
 * }</pre>
 *
 * with one transition for every pair, {@code next} listing [state, probability], and {@code
 * initial} uniform when absent. A reward is one of {@code {"entering": [per state]}}, {@code
 * {"leaving": [per state]}} and {@code {"pairs": [[per action], per state]}}.
 */
public final class MdpJson {
  /** Beyond this a file is refused before anything is allocated for it. */
  static final int MAX_PAIRS = 1_000_000;

  private static final List<String> MDP_KEYS =
      List.of("states", "actions", "discount", "initial", "transitions");
  private static final List<String> TRANSITION_KEYS = List.of("state", "action", "next");
  private static final List<String> REWARD_KEYS = List.of("entering", "leaving", "pairs");

  private MdpJson() {}

  public static FiniteMdp readMdp(Path file) {
    return mdp(JsonField.read(file));
  }

  /** The reward over pairs, r(s,a), of a file made for the given MDP. */
  public static double[] readReward(Path file, FiniteMdp mdp) {
    return reward(JsonField.read(file), mdp);
  }

  static FiniteMdp mdp(JsonField root) {
    root.checkKeys(MDP_KEYS);
    int states = root.get("states").integer(1, MAX_PAIRS);
    int actions = root.get("actions").integer(1, MAX_PAIRS);
    if ((long) states * actions > MAX_PAIRS) {
      throw root.error(
          "at most %d state-action pairs are read, found %d × %d"
              .formatted(MAX_PAIRS, states, actions));
    }
    double discount = root.get("discount").number();
    FiniteMdp.Builder builder =
        root.get("discount").within(() -> FiniteMdp.builder(states, actions, discount));
    if (root.has("initial")) {
      JsonField initial = root.get("initial");
      double[] distribution = initial.numbers(states);
      initial.within(() -> builder.initial(distribution));
    }
    for (JsonField transition : root.get("transitions").elements()) {
      transition.checkKeys(TRANSITION_KEYS);
      int state = transition.get("state").integer(0, states - 1);
      int action = transition.get("action").integer(0, actions - 1);
      List<JsonField> entries = transition.get("next").elements();
      int[] next = new int[entries.size()];
      double[] chance = new double[entries.size()];
      for (int i = 0; i < next.length; i++) {
        List<JsonField> entry = entries.get(i).elements();
        if (entry.size() != 2) {
          throw entries
              .get(i)
              .error("expected [state, probability], found %d entries".formatted(entry.size()));
        }
        next[i] = entry.get(0).integer(0, states - 1);
        chance[i] = entry.get(1).number();
      }
      transition.within(() -> builder.row(state, action, next, chance));
    }
    return root.get("transitions").within(builder::build);
  }

  static double[] reward(JsonField root, FiniteMdp mdp) {
    root.checkKeys(REWARD_KEYS);
    List<String> given = new ArrayList<>();
    for (String key : REWARD_KEYS) {
      if (root.has(key)) {
        given.add(key);
      }
    }
    if (given.size() != 1) {
      throw root.error("expected exactly one of %s, found %s".formatted(REWARD_KEYS, given));
    }
    JsonField values = root.get(given.get(0));
    return switch (given.get(0)) {
      case "entering" -> perState(values, mdp, Rewards::entering);
      case "leaving" -> perState(values, mdp, Rewards::leaving);
      default -> pairs(values, mdp);
    };
  }

  private static double[] perState(
      JsonField values, FiniteMdp mdp, BiFunction<FiniteMdp, double[], double[]> spread) {
    double[] numbers = values.numbers(mdp.stateCount());
    return values.within(() -> spread.apply(mdp, numbers));
  }

  private static double[] pairs(JsonField rows, FiniteMdp mdp) {
    List<JsonField> states = rows.elements();
    if (states.size() != mdp.stateCount()) {
      throw rows.error(
          "expected a row for each of %d states, found %d"
              .formatted(mdp.stateCount(), states.size()));
    }
    double[] reward = new double[mdp.pairCount()];
    for (int state = 0; state < states.size(); state++) {
      double[] row = states.get(state).numbers(mdp.actionCount());
      System.arraycopy(row, 0, reward, state * row.length, row.length);
    }
    return rows.within(
        () -> {
          Rewards.check(mdp, reward);
          return reward;
        });
  }
}
