package dev.psm.app;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.agents.SolveMethod;
import dev.psm.core.UserError;
import dev.psm.core.Wording;
import dev.psm.core.env.World;
import dev.psm.core.io.Json;
import dev.psm.core.reward.Task;
import dev.psm.core.stats.Summary;
import dev.psm.lab.Provenance;
import dev.psm.lab.RandomEpisodes;
import dev.psm.lab.run.Cadence;
import dev.psm.lab.run.Evaluation;
import dev.psm.lab.run.GoalEvaluation;
import dev.psm.lab.run.TaskList;
import dev.psm.zeroshot.ZeroShotAgent;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Option;

/** {@code evaluate} by playing: tasks, or goals where episodes draw them. */
final class ControlEvaluating {
  private static final String AVERAGE = "average";
  private static final String RANDOM = "random";

  @Option(
      names = "--tasks",
      paramLabel = "all|A,B",
      description =
          "Tasks by name and formulas, commas between them (default: every task of the environment, or of"
              + " --tasks-file; none where goals are played).")
  private String tasks = "all";

  @Option(
      names = "--tasks-file",
      paramLabel = "FILE",
      description = "More tasks, one a line: NAME: FORMULA, or a formula alone; # begins a remark.")
  private Path tasksFile;

  @Option(names = "--episodes", paramLabel = "N", description = "Per task and seed (default: 10).")
  private int episodes = 10;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "At once; changes nothing but the speed (default: all cores).")
  private int threads = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--out",
      paramLabel = "FILE.json",
      description = "Also write what --json prints into this file.")
  private Path out;

  /** What the models of a run earn, one evaluation per seed. */
  private record Graded(String agent, World world, Map<String, Evaluation> perSeed) {
    /** Mean returns of a task, or over all tasks, one per seed. */
    double[] means(String task) {
      return perSeed.values().stream()
          .mapToDouble(each -> task.equals(AVERAGE) ? each.average() : each.mean(task))
          .toArray();
    }

    /** Episodes of all seeds that were cut short. */
    long divergences() {
      return perSeed.values().stream().mapToLong(Evaluation::divergences).sum();
    }
  }

  /**
   * @param models by seed; the only one under an empty name
   * @param goals how many, as text; null where not given
   * @param methodName null for the model's own
   */
  void run(
      Map<String, Path> models,
      long startSeed,
      String goals,
      String methodName,
      MatchedOptions given,
      Output output) {
    Range.check("--episodes", episodes, 1, Range.MAX_EPISODES);
    Range.check("--threads", threads, 1, Range.MAX_THREADS);
    Destination.file("--out", out);
    Map<String, ZeroShotAgent> agents = new LinkedHashMap<>();
    SolveMethod method = null;
    for (Map.Entry<String, Path> model : models.entrySet()) {
      ZeroShotAgent agent = ZeroShotAgent.read(model.getValue());
      agent.requireEnvironment();
      method = Methods.of(agent, methodName);
      agents.put(model.getKey(), Methods.by(method, agent));
    }
    ZeroShotAgent first = agents.values().iterator().next();
    World world = first.environment();
    boolean asksForTasks = given.has("--tasks") || given.has("--tasks-file");
    boolean playsGoals = first.takesEpisodeGoals() && (goals != null || !asksForTasks);
    if (goals != null && !first.takesEpisodeGoals()) {
      throw UserError.invalid(
          "--goals: the episodes of %s draw no goals that this model takes; its tasks are played",
          world.name());
    }
    if (playsGoals && !asksForTasks) {
      given.refuse("is for tasks; say with --goals how many goals are played", "--episodes");
    }
    int count = playsGoals ? count(goals) : 0;
    List<Task> wanted = playsGoals && !asksForTasks ? List.of() : tasks(first);
    ObjectNode document = Json.object();
    document
        .put("agent", first.name())
        .put("environment", world.name())
        .put(Provenance.ENGINE, world.engine());
    if (method != null) {
      document.put("method", method.id());
    }
    document.put("episodeSteps", world.episodeSteps()).put("startSeed", startSeed);
    agents.keySet().stream()
        .filter(each -> !each.isEmpty())
        .forEach(each -> document.withArray("seeds").add(Long.parseLong(each)));
    if (playsGoals) {
      goals(agents, count, startSeed, Methods.in(method), document, output);
    }
    if (!wanted.isEmpty()) {
      tasks(agents, wanted, startSeed, Methods.in(method), document, output);
    }
    if (out != null) {
      Json.write(out, document);
      output.note("written to " + out);
    }
    output.finish(document);
  }

  private static int count(String goals) {
    if (goals == null) {
      return Cadence.GOALS;
    }
    try {
      int count = Integer.parseInt(goals);
      Range.check("--goals", count, 1, Range.MAX_EPISODES);
      return count;
    } catch (NumberFormatException e) {
      throw UserError.invalid("--goals: expected how many goals to play, found '%s'", goals);
    }
  }

  /** What goals are paid by cannot be solved from states of other episodes. */
  private List<Task> tasks(ZeroShotAgent agent) {
    World world = agent.environment();
    List<Task> known = TaskList.of(tasks, tasksFile, world);
    if (!agent.takesEpisodeGoals()) {
      return known;
    }
    List<Task> solvable = known.stream().filter(task -> !world.concernsEpisodeGoal(task)).toList();
    boolean all = tasks.strip().equals("all") && tasksFile == null;
    if (solvable.isEmpty() || (!all && solvable.size() < known.size())) {
      Task refused =
          known.stream().filter(world::concernsEpisodeGoal).findFirst().orElse(known.get(0));
      throw UserError.invalid(
          "--tasks: '%s' speaks of the goal that each episode draws; --goals N plays such goals, and"
              + " says what they earn",
          refused.name());
    }
    return solvable;
  }

  private void goals(
      Map<String, ZeroShotAgent> agents,
      int count,
      long startSeed,
      String method,
      ObjectNode document,
      Output output) {
    Map<String, GoalEvaluation> perSeed = new LinkedHashMap<>();
    agents.forEach(
        (seed, agent) -> {
          noteSeed(seed, agents.size(), output);
          perSeed.put(
              seed,
              GoalEvaluation.run(agent, count, startSeed, threads, output.progress(), () -> false)
                  .orElseThrow());
        });
    ZeroShotAgent agent = agents.values().iterator().next();
    World world = agent.environment();
    GoalEvaluation random =
        GoalEvaluation.random(world, count, startSeed, threads, output.progress());
    output.say(
        "%s%s on %s, %s: %s, solved at once in %s s, %s each%s"
            .formatted(
                agent.name(),
                method,
                world.name(),
                world.engine(),
                Wording.count(count, "goal"),
                shown(2, means(perSeed, GoalEvaluation.SOLVE_SECONDS)),
                Wording.count(world.episodeSteps(), "step"),
                overSeeds(agents.size())));
    output.say(row(20, "", agent.name(), RANDOM));
    ObjectNode node = document.putObject("goals").put("count", count);
    random
        .summary()
        .forEach(
            (name, chance) -> {
              double[] means = means(perSeed, name);
              ObjectNode one = node.putObject(name);
              summarise(one, means);
              add(one.putArray("perSeed"), means);
              if (!name.equals(GoalEvaluation.SOLVE_SECONDS)) {
                one.put(RANDOM, chance);
                String words =
                    random.returns().containsKey(name) ? "return, " + name : name.replace('_', ' ');
                output.say(row(20, words, shown(3, means), decimal(3, chance)));
              }
            });
    long divergences = perSeed.values().stream().mapToLong(GoalEvaluation::divergences).sum();
    sayDivergences(divergences, (long) agents.size() * count, output);
    if (divergences > 0) {
      node.put("divergences", divergences);
    }
  }

  private static double[] means(Map<String, GoalEvaluation> perSeed, String name) {
    return perSeed.values().stream().mapToDouble(each -> each.summary().get(name)).toArray();
  }

  private void tasks(
      Map<String, ZeroShotAgent> agents,
      List<Task> wanted,
      long startSeed,
      String method,
      ObjectNode document,
      Output output) {
    Map<String, Evaluation> perSeed = new LinkedHashMap<>();
    agents.forEach(
        (seed, agent) -> {
          noteSeed(seed, agents.size(), output);
          perSeed.put(
              seed, Evaluation.run(agent, wanted, episodes, startSeed, threads, output.progress()));
        });
    ZeroShotAgent agent = agents.values().iterator().next();
    Graded graded = new Graded(agent.name(), agent.environment(), perSeed);
    double[][] random =
        RandomEpisodes.run(graded.world, wanted, episodes, startSeed, threads, output.progress())
            .returns();
    print(graded, wanted, random, method, output);
    describe(graded, wanted, random, document);
  }

  private static void noteSeed(String seed, int seeds, Output output) {
    if (seeds > 1) {
      output.note("seed " + seed);
    }
  }

  private static String overSeeds(int count) {
    return count > 1 ? ", ± standard deviation over %d seeds".formatted(count) : "";
  }

  private void print(
      Graded graded, List<Task> wanted, double[][] random, String method, Output output) {
    int count = graded.perSeed.size();
    output.say(
        "%s%s on %s, %s: mean returns of %s of %s%s"
            .formatted(
                graded.agent,
                method,
                graded.world.name(),
                graded.world.engine(),
                Wording.count(episodes, "episode"),
                Wording.count(graded.world.episodeSteps(), "step"),
                overSeeds(count)));
    List<String> names = new ArrayList<>(wanted.stream().map(Task::name).toList());
    int width = Math.max(8, names.stream().mapToInt(String::length).max().orElse(0));
    output.say(row(width, "task", graded.agent, RANDOM));
    double sum = 0;
    for (int i = 0; i < names.size(); i++) {
      double chance = Summary.of(random[i]).mean();
      sum += chance;
      output.say(
          row(width, names.get(i), shown(2, graded.means(names.get(i))), decimal(2, chance)));
    }
    if (names.size() > 1) {
      output.say(
          row(width, AVERAGE, shown(2, graded.means(AVERAGE)), decimal(2, sum / names.size())));
    }
    sayDivergences(graded.divergences(), (long) count * names.size() * episodes, output);
  }

  private static void sayDivergences(long divergences, long of, Output output) {
    if (divergences > 0) {
      output.say(
          "cut short because the simulation blew up: %s of %d"
              .formatted(Wording.count(divergences, "episode"), of));
    }
  }

  private static String row(int width, String task, String agent, String random) {
    return String.format(Locale.ROOT, "%-" + width + "s  %20s  %10s", task, agent, random);
  }

  private static String shown(int decimals, double[] perSeed) {
    Summary summary = Summary.of(perSeed);
    return perSeed.length == 1
        ? decimal(decimals, summary.mean())
        : decimal(decimals, summary.mean())
            + " ± "
            + decimal(decimals, summary.standardDeviation());
  }

  private static String decimal(int decimals, double value) {
    return decimals == 2 ? Wording.format("%.2f", value) : Wording.format("%.3f", value);
  }

  private void describe(Graded graded, List<Task> wanted, double[][] random, ObjectNode document) {
    document.put("episodes", episodes);
    if (graded.divergences() > 0) {
      document.put("divergences", graded.divergences());
    }
    ObjectNode nodes = document.putObject("tasks");
    for (int i = 0; i < wanted.size(); i++) {
      Task task = wanted.get(i);
      ObjectNode node = nodes.putObject(task.name());
      node.put("formula", task.formula());
      summarise(node, graded.means(task.name()));
      graded.perSeed.values().stream()
          .map(each -> each.returns().get(task.name()))
          .forEach(returns -> add(node.withArray("returns").addArray(), returns));
      node.put(RANDOM, Summary.of(random[i]).mean());
      add(node.putArray("randomReturns"), random[i]);
    }
    summarise(document.putObject(AVERAGE), graded.means(AVERAGE));
  }

  private static void add(ArrayNode array, double[] values) {
    for (double value : values) {
      array.add(value);
    }
  }

  private static void summarise(ObjectNode node, double[] perSeed) {
    Summary summary = Summary.of(perSeed);
    node.put("mean", summary.mean());
    if (perSeed.length > 1) {
      node.put("standardDeviation", summary.standardDeviation());
    }
  }
}
