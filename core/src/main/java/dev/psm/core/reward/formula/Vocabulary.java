package dev.psm.core.reward.formula;

import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.Task;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The words an environment adds to the language: its quantities, its own functions, and its tasks,
 * whose names stand for their formulas.
 */
public final class Vocabulary {
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  private final Map<String, Quantity> quantities = new LinkedHashMap<>();
  private final Map<String, StateFunction> functions = new LinkedHashMap<>();
  private final Map<String, Task> tasks = new LinkedHashMap<>();

  private Vocabulary(List<Quantity> quantities, List<Task> tasks, List<StateFunction> functions) {
    Set<String> taken = new HashSet<>(Functions.names());
    taken.addAll(Functions.CONSTANTS.keySet());
    for (StateFunction function : functions) {
      claim(function.name(), taken);
      this.functions.put(function.name(), function);
    }
    for (Quantity quantity : quantities) {
      claim(quantity.name(), taken);
      this.quantities.put(quantity.name(), quantity);
    }
    for (Task task : tasks) {
      if (!task.formula().isEmpty()) {
        claim(task.name(), taken);
        this.tasks.put(task.name(), task);
      }
    }
  }

  /**
   * Whether a quantity or task may be called this: a word that means nothing in the language yet.
   */
  public static boolean canName(String word) {
    return NAME.matcher(word).matches()
        && !Functions.names().contains(word)
        && !Functions.CONSTANTS.containsKey(word)
        && !word.equals(StateFunction.DISTANCE);
  }

  private static void claim(String name, Set<String> taken) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "'%s' cannot be a name in a reward: expected letters, digits and underscores, no digit first"
              .formatted(name));
    }
    if (!taken.add(name)) {
      throw new IllegalArgumentException(
          Functions.names().contains(name) || Functions.CONSTANTS.containsKey(name)
              ? "'%s' is a word of the reward language".formatted(name)
              : "the name '%s' is there twice".formatted(name));
    }
  }

  public static Vocabulary of(List<Quantity> quantities, StateFunction... functions) {
    return of(quantities, List.of(), functions);
  }

  /** Of the tasks, those that nobody wrote a formula for are left out. */
  public static Vocabulary of(
      List<Quantity> quantities, List<Task> tasks, StateFunction... functions) {
    return new Vocabulary(quantities, tasks, List.of(functions));
  }

  /** What a task's own formula may say: all but the tasks. */
  Vocabulary withoutTasks() {
    return new Vocabulary(quantities(), List.of(), functions());
  }

  public List<Quantity> quantities() {
    return List.copyOf(quantities.values());
  }

  public List<StateFunction> functions() {
    return List.copyOf(functions.values());
  }

  public List<Task> tasks() {
    return List.copyOf(tasks.values());
  }

  /** The task of that name, or null. */
  Task task(String name) {
    return tasks.get(name);
  }

  /** The quantity of that name, or null. */
  Quantity quantity(String name) {
    return quantities.get(name);
  }

  /** The environment's own function of that name, or null. */
  StateFunction function(String name) {
    return functions.get(name);
  }
}
