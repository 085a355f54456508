package dev.psm.core.env;

import dev.psm.core.Nearest;
import dev.psm.core.UserError;
import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.QuantityTable;
import dev.psm.core.reward.Task;
import dev.psm.core.reward.formula.Formula;
import dev.psm.core.reward.formula.StateFunction;
import dev.psm.core.reward.formula.Vocabulary;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Where agents live: what can be observed, done and measured there, what is usually asked for, and
 * how to open an {@link Environment} of it. Everything that psm does with an environment starts
 * from one of these; nothing else knows what a particular world is called or made of.
 *
 * <p>To add one of your own, implement this interface in a class with a public constructor without
 * parameters and name the class in {@code META-INF/services/dev.psm.core.env.World}: see {@link
 * Worlds}. All of it but {@link #open} may be asked without any engine being loaded.
 */
public interface World {
  double DEFAULT_STEP_SECONDS = 1.0 / 25;
  double DEFAULT_DISCOUNT = 0.98;

  /** The engine of worlds that are written in it. */
  String JAVA = "Java";

  /** As a user types it: letters, digits, underscores and dashes. */
  String name();

  /** What it is, in a few words. */
  String title();

  /** Numbers in an observation. */
  int observationSize();

  /** Vectors in [−1, 1], which the environment turns into its own units, or numbered actions. */
  Space actionSpace();

  /**
   * The actions as whoever made the data counts them: what −1 and 1 stand for there. Environments
   * convert actions themselves, so this only differs where there is nothing but such data.
   */
  default Space actionUnits() {
    return actionSpace();
  }

  /** Numbers in an action as it is given and stored: 1 where actions are numbered. */
  default int actionSize() {
    return actionSpace() instanceof Space.Box box ? box.size() : 1;
  }

  /** The most steps of an episode. */
  int episodeSteps();

  /** Seconds that a step takes in the world, for films and for whoever counts in seconds. */
  default double stepSeconds() {
    return DEFAULT_STEP_SECONDS;
  }

  /** What can be measured in every state, and named in a reward. */
  List<Quantity> quantities();

  /**
   * Whether the quantities are the numbers of an observation, in their order, so that observations
   * are all that a reward needs.
   */
  default boolean quantitiesObserved() {
    return false;
  }

  /** Rewards that are usually asked for, and over which averages are taken; there may be none. */
  default List<Task> tasks() {
    return List.of();
  }

  /**
   * Rewards that have a name, too, but are evaluated only where they are asked for and are in no
   * average: other people's definitions of a task, say.
   */
  default List<Task> furtherTasks() {
    return List.of();
  }

  /** All rewards that have a name. */
  default List<Task> namedTasks() {
    return Stream.concat(tasks().stream(), furtherTasks().stream()).toList();
  }

  /** The quantities that say where the agent is, for {@code distance(…)}; empty where none do. */
  default List<Quantity> place() {
    return List.of();
  }

  /**
   * Which numbers of an observation a goal speaks of, ascending, Gymnasium's achieved goal: all of
   * them unless told otherwise. An arm that is to be somewhere may be there at any speed.
   */
  default int[] achievedGoal() {
    return IntStream.range(0, observationSize()).toArray();
  }

  /** The goal that every episode draws for itself, where there is one. */
  default Optional<EpisodeGoal> episodeGoal() {
    return Optional.empty();
  }

  /**
   * Whether a reward speaks of the goal that each episode draws: then a state alone does not tell
   * what it pays, and neither do states of other episodes.
   */
  default boolean concernsEpisodeGoal(Task task) {
    Optional<EpisodeGoal> drawn = episodeGoal();
    if (drawn.isEmpty()) {
      return false;
    }
    Set<Quantity> used = new HashSet<>();
    if (task.reward() instanceof Formula formula) {
      used.addAll(formula.quantities());
    } else if (!task.formula().isEmpty()) {
      used.addAll(Formula.parse(task.formula(), vocabulary()).quantities());
    } else {
      task.reward(
          quantity -> {
            used.add(quantity);
            return 0;
          });
    }
    return used.contains(drawn.get().distance())
        || drawn.get().place().stream().anyMatch(used::contains);
  }

  /** Formulas to begin with. */
  default List<String> examples() {
    return List.of();
  }

  /** The discount that its published experiments use, or that suits it. */
  default double discount() {
    return DEFAULT_DISCOUNT;
  }

  /** The plane in which coverage is drawn; without one, the first two quantities are. */
  default Optional<Plane> plane() {
    return Optional.empty();
  }

  /** A volume whose cells are counted besides, where one matters. */
  default Optional<Volume> volume() {
    return Optional.empty();
  }

  /** Parts of it whose shares of the data are told. */
  default List<Region> regions() {
    return List.of();
  }

  /**
   * Numbers in a stored state, from which an environment can be started and measured again. Where
   * this is 0, data keeps the quantities themselves instead: rewards can be put on such data too,
   * but no episode can begin in one of its states.
   */
  default int stateSize() {
    return 0;
  }

  /** The engine and its version, for the provenance of data. */
  default String engine() {
    return JAVA;
  }

  /** What {@link Worlds#named} finds it by again: stored with data and models. */
  default String reference() {
    return name();
  }

  /**
   * All of it in a few words, where that can be said: a grid's map. Data and models keep it, so
   * that they bring their world along; {@link WorldSource#define} makes the world again.
   */
  default Optional<Definition> definition() {
    return Optional.empty();
  }

  /**
   * A world as text.
   *
   * @param kind which {@link WorldSource} understands it
   */
  record Definition(String kind, String text) {}

  /** Other names by which it is known. */
  default List<String> aliases() {
    return List.of();
  }

  /** The quantities of every state, where the states are few and known. */
  default Optional<QuantityTable> allStates() {
    return Optional.empty();
  }

  /** A new, independent environment, for the thread that asks. */
  Environment open();

  /** What a formula may speak of here. */
  default Vocabulary vocabulary() {
    return vocabulary(quantities(), namedTasks(), place());
  }

  /** The words of quantities and tasks, and of {@code distance} where the place is known. */
  static Vocabulary vocabulary(List<Quantity> quantities, List<Task> tasks, List<Quantity> place) {
    if (place.isEmpty()) {
      return Vocabulary.of(quantities, tasks);
    }
    String from = place.stream().map(Quantity::name).collect(Collectors.joining(", "));
    return Vocabulary.of(
        quantities, tasks, StateFunction.distance("straight distance from (" + from + ")", place));
  }

  /** Numbers that data keeps of a state: see {@link #stateSize}. */
  default int storedSize() {
    return stateSize() > 0 ? stateSize() : quantities().size();
  }

  default Task task(String wanted) {
    return namedTasks().stream()
        .filter(task -> task.name().equals(wanted))
        .findFirst()
        .orElseThrow(
            () -> {
              List<String> names = namedTasks().stream().map(Task::name).toList();
              return UserError.invalid(
                  "%s has no task '%s'; %s", name(), wanted, Nearest.hint(wanted, names));
            });
  }

  /** The reward a user asks for: the name of a task, or a formula. */
  default Task taskOrFormula(String text) {
    String name = text.strip();
    return namedTasks().stream()
        .filter(task -> task.name().equals(name))
        .findFirst()
        .orElseGet(() -> Formula.parse(text, vocabulary()).task(name, "as written"));
  }

  default Quantity quantity(String wanted) {
    return quantities().stream()
        .filter(quantity -> quantity.name().equals(wanted))
        .findFirst()
        .orElseThrow(
            () -> {
              List<String> names = quantities().stream().map(Quantity::name).toList();
              return UserError.invalid(
                  "%s has no quantity '%s'; %s", name(), wanted, Nearest.hint(wanted, names));
            });
  }
}
