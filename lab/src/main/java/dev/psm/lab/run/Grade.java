package dev.psm.lab.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.psm.agents.Agent;
import dev.psm.core.Wording;
import dev.psm.core.env.FiniteWorld;
import dev.psm.core.env.World;
import dev.psm.core.reward.Task;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** What an evaluation finds out, and under which names it is logged. */
public enum Grade {
  /** What became of goals that episodes drew: see {@link GoalEvaluation}. */
  GOALS("goals", "", GoalEvaluation.SUCCESS, Cadence.GOALS),

  /** Returns of episodes that were played, by task. */
  RETURNS("returns", "return/", "average", Cadence.EPISODES),

  /**
   * Errors against exact solutions, in per cent: {@code goals}, wrong actions on the way to goals,
   * and {@code rewards}, value lost on other rewards.
   */
  ERRORS("errors", "error/", "goals", Cadence.EPISODES);

  /** Beside the headline of errors. */
  static final String REWARDS = "rewards";

  private static final Set<String> OF_GOALS = Set.copyOf(GoalEvaluation.NAMES);

  private final String plural;
  private final String prefix;
  private final String headline;
  private final int episodes;

  Grade(String plural, String prefix, String headline, int episodes) {
    this.plural = plural;
    this.prefix = prefix;
    this.headline = headline;
    this.episodes = episodes;
  }

  /** What is found out of an agent's models in a world. */
  public static Grade of(Agent agent, World world) {
    if (world instanceof FiniteWorld) {
      return ERRORS;
    }
    int size = agent.goalSize(world);
    return world.episodeGoal().filter(goal -> goal.place().size() == size).isPresent()
        ? GOALS
        : RETURNS;
  }

  /** Of a number in a log; empty for what training itself says. */
  static Optional<Grade> of(String metric) {
    if (OF_GOALS.contains(metric)) {
      return Optional.of(GOALS);
    }
    return Arrays.stream(values())
        .filter(grade -> !grade.prefix.isEmpty() && metric.startsWith(grade.prefix))
        .findFirst();
  }

  /**
   * The grades in a line of a log, by name. Beside those of goals, returns keep their prefix: a
   * task may be called as a grade is.
   */
  static Map<String, Double> in(JsonNode line) {
    boolean goals = line.has(GOALS.metric(GOALS.headline));
    Map<String, Double> grades = new LinkedHashMap<>();
    line.fields()
        .forEachRemaining(
            field ->
                of(field.getKey())
                    .map(grade -> goals ? field.getKey() : grade.name(field.getKey()))
                    .ifPresent(name -> grades.put(name, field.getValue().asDouble())));
    return grades;
  }

  /** What several are called, in files and sentences. */
  public String plural() {
    return plural;
  }

  /** The one that stands for all, without its prefix. */
  public String headline() {
    return headline;
  }

  /** Episodes of an evaluation where nobody says otherwise: goals, or per task. */
  public int episodes() {
    return episodes;
  }

  /** The name in a log. */
  public String metric(String name) {
    return prefix + name;
  }

  /** The name that a log's begins with a prefix. */
  public String name(String metric) {
    return metric.substring(prefix.length());
  }

  /** What an evaluation in a world finds out that can be compared, the headline first. */
  public List<String> names(World world) {
    return switch (this) {
      case GOALS ->
          List.of(
              GoalEvaluation.SUCCESS, GoalEvaluation.SUCCESS_AT_END, GoalEvaluation.FINAL_DISTANCE);
      case RETURNS ->
          world.tasks().isEmpty()
              ? List.of()
              : Stream.concat(Stream.of(headline), world.tasks().stream().map(Task::name)).toList();
      case ERRORS -> List.of(headline, REWARDS);
    };
  }

  /** Whether a smaller number is the better one. */
  public boolean isSmallerBetter(String name) {
    return this == ERRORS || name.equals(GoalEvaluation.FINAL_DISTANCE);
  }

  /** The headline in a few words. */
  public String words(double value) {
    return switch (this) {
      case GOALS -> Wording.format("success %.1f %%", 100 * value);
      case RETURNS -> Wording.format("return %.1f", value);
      case ERRORS -> Wording.format("error %.2f %%", value);
    };
  }

  Map<String, Double> logged(Map<String, Double> values) {
    Map<String, Double> named = new LinkedHashMap<>();
    values.forEach(
        (name, value) ->
            named.put(Evaluation.isMilestoneMetric(name) ? name : metric(name), value));
    return named;
  }
}
