package dev.psm.mujoco.suite;

import dev.psm.core.Nearest;
import dev.psm.core.UserError;
import dev.psm.core.env.Space;
import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.Task;
import dev.psm.core.reward.formula.Formula;
import dev.psm.core.reward.formula.StateFunction;
import dev.psm.core.reward.formula.Vocabulary;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * What can be said of a domain without loading MuJoCo.
 *
 * @param title what it is, for a person
 * @param substeps engine steps per control step
 * @param controlTimestep seconds per control step
 * @param discreteActions how many numbered actions there are; 0 when actions are vectors
 * @param physicsSize numbers in a stored state: {@code qpos, qvel, act}, as ExoRL keeps them
 * @param place the quantities that say where it is, for distances; empty where none do
 * @param tasks the first one is the default
 * @param opener makes a new, independent instance
 */
public record DomainFacts(
    String name,
    String title,
    int observationSize,
    int actionSize,
    int discreteActions,
    int substeps,
    double controlTimestep,
    int episodeSteps,
    int physicsSize,
    List<Quantity> quantities,
    List<Quantity> place,
    List<Task> tasks,
    Supplier<Domain> opener) {

  /** Every domain, in the paper's order. */
  public static List<DomainFacts> all() {
    return List.of(
        Walker.FACTS,
        Cheetah.FACTS,
        Quadruped.FACTS,
        PointMassMaze.FACTS,
        FetchReach.FACTS,
        FetchReach.DISCRETE_FACTS);
  }

  /** The domain of that name; the maze is also known as {@code maze}. */
  public static DomainFacts named(String name) {
    List<String> names = all().stream().map(DomainFacts::name).toList();
    return find(name)
        .orElseThrow(
            () ->
                UserError.usage(
                    "there is no environment '%s'; %s", name, Nearest.hint(name, names)));
  }

  /** The same, empty where there is none. */
  public static Optional<DomainFacts> find(String name) {
    String wanted = name.equals("maze") ? PointMassMaze.FACTS.name() : name;
    return all().stream().filter(facts -> facts.name().equals(wanted)).findFirst();
  }

  public Domain open() {
    return opener.get();
  }

  /** The actions it takes, as vectors; each actuator's own range follows from them. */
  public Space.Box actionSpace() {
    return Space.Box.uniform(-1, 1, actionSize);
  }

  public Task task(String wanted) {
    List<String> names = tasks.stream().map(Task::name).toList();
    return tasks.stream()
        .filter(task -> task.name().equals(wanted))
        .findFirst()
        .orElseThrow(
            () ->
                UserError.usage(
                    "%s has no task '%s'; %s", name, wanted, Nearest.hint(wanted, names)));
  }

  /** What a formula may speak of here. */
  public Vocabulary vocabulary() {
    if (place.isEmpty()) {
      return Vocabulary.of(quantities, tasks);
    }
    String from = place.stream().map(Quantity::name).collect(Collectors.joining(", "));
    return Vocabulary.of(
        quantities, tasks, StateFunction.distance("straight distance from (" + from + ")", place));
  }

  /** The reward a user asks for: the name of a task, or a formula. */
  public Task taskOrFormula(String text) {
    String name = text.strip();
    return tasks.stream()
        .filter(task -> task.name().equals(name))
        .findFirst()
        .orElseGet(() -> Formula.parse(text, vocabulary()).task(name, "as written"));
  }

  public Quantity quantity(String wanted) {
    List<String> names = quantities.stream().map(Quantity::name).collect(Collectors.toList());
    return quantities.stream()
        .filter(quantity -> quantity.name().equals(wanted))
        .findFirst()
        .orElseThrow(
            () ->
                UserError.usage(
                    "%s has no quantity '%s'; %s", name, wanted, Nearest.hint(wanted, names)));
  }
}
