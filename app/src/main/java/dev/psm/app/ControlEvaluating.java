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
import dev.psm.lab.run.Grade;
import dev.psm.lab.run.MilestoneCount;
import dev.psm.lab.run.TaskList;
import dev.psm.zeroshot.ZeroShotAgent;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
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
      description = "Threads; they change only the speed (default: all cores).")
  private int threads = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--out",
      paramLabel = "FILE.json",
      description = "Also write what --json prints into this file.")
  private Path out;

  /**
   * Who plays what, which is the same for all seeds of a run.
   *
   * @param method null where there is no choice
   * @param goals how many; 0 where none are played
   */
  private record Played(
      String agent, World world, SolveMethod method, int goals, List<Task> tasks) {}

  /** What the models of a run earn, one evaluation per seed. */
  private record Graded(String agent, World world, Map<String, Evaluation> perSeed) {
    /** Mean returns of a task, or over all tasks, one per seed. */
    double[] means(String task) {
      return perSeed.values().stream()
          .mapToDouble(each -> task.equals(AVERAGE) ? each.average() : each.mean(task))
          .toArray();
    }

    /** What episodes of a task passed on their way, of all seeds together. */
    List<MilestoneCount> milestones(String task) {
      List<List<MilestoneCount>> seeds =
          perSeed.values().stream()
              .map(each -> each.milestones().getOrDefault(task, List.of()))
              .toList();
      return IntStream.range(0, seeds.get(0).size())
          .mapToObj(i -> MilestoneCount.sum(seeds.stream().map(seed -> seed.get(i)).toList()))
          .toList();
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
    Played played = null;
    Map<String, GoalEvaluation> reached = new LinkedHashMap<>();
    Map<String, Evaluation> earned = new LinkedHashMap<>();
    // One model at a time is in memory, however many seeds there are.
    for (Map.Entry<String, Path> model : models.entrySet()) {
      String seed = model.getKey();
      try (ZeroShotAgent loaded = ZeroShotAgent.read(model.getValue())) {
        loaded.requireEnvironment();
        SolveMethod method = Methods.of(loaded, methodName);
        ZeroShotAgent agent = Methods.by(method, loaded);
        if (played == null) {
          played = played(agent, method, goals, given);
        }
        if (models.size() > 1) {
          output.note("seed " + seed);
        }
        if (played.goals > 0) {
          reached.put(
              seed,
              GoalEvaluation.run(
                      agent, played.goals, startSeed, threads, output.progress(), () -> false)
                  .orElseThrow());
        }
        if (!played.tasks.isEmpty()) {
          earned.put(
              seed,
              Evaluation.run(agent, played.tasks, episodes, startSeed, threads, output.progress()));
        }
      }
    }
    World world = played.world;
    ObjectNode document = Json.object();
    document
        .put("agent", played.agent)
        .put("environment", world.name())
        .put(Provenance.ENGINE, world.engine());
    if (played.method != null) {
      document.put("method", played.method.id());
    }
    document.put("episodeSteps", world.episodeSteps()).put("startSeed", startSeed);
    models.keySet().stream()
        .filter(each -> !each.isEmpty())
        .forEach(each -> document.withArray("seeds").add(Long.parseLong(each)));
    if (played.goals > 0) {
      goals(played, reached, startSeed, document, output);
    }
    if (!played.tasks.isEmpty()) {
      tasks(played, earned, startSeed, document, output);
    }
    if (out != null) {
      Json.write(out, document);
      output.note("written to " + out);
    }
    output.finish(document);
  }

  private Played played(
      ZeroShotAgent agent, SolveMethod method, String goals, MatchedOptions given) {
    World world = agent.environment();
    boolean asksForTasks = given.has("--tasks") || given.has("--tasks-file");
    boolean playsGoals = agent.takesEpisodeGoals() && (goals != null || !asksForTasks);
    if (goals != null && !agent.takesEpisodeGoals()) {
      throw UserError.invalid(
          "--goals: the episodes of %s draw no goals that this model takes; its tasks are played",
          world.name());
    }
    if (playsGoals && !asksForTasks) {
      given.refuse("is for tasks; say with --goals how many goals are played", "--episodes");
    }
    int count = playsGoals ? count(goals) : 0;
    List<Task> wanted = playsGoals && !asksForTasks ? List.of() : tasks(agent);
    return new Played(agent.name(), world, method, count, wanted);
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
      Played played,
      Map<String, GoalEvaluation> perSeed,
      long startSeed,
      ObjectNode document,
      Output output) {
    World world = played.world;
    int count = played.goals;
    GoalEvaluation random =
        GoalEvaluation.random(world, count, startSeed, threads, output.progress());
    output.say(
        "%s%s on %s, %s: %s, solved at once in %s s, %s each%s"
            .formatted(
                played.agent,
                Methods.in(played.method),
                world.name(),
                world.engine(),
                Wording.count(count, "goal"),
                shown(2, means(perSeed, GoalEvaluation.SOLVE_SECONDS)),
                Wording.count(world.episodeSteps(), "step"),
                overSeeds(perSeed.size())));
    output.say(row(20, "", played.agent, RANDOM));
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
                output.say(row(20, words(name), shown(3, means), decimal(3, chance)));
              }
            });
    long divergences = perSeed.values().stream().mapToLong(GoalEvaluation::divergences).sum();
    sayDivergences(divergences, (long) perSeed.size() * count, output);
    if (divergences > 0) {
      node.put("divergences", divergences);
    }
  }

  /** The name of a task stays as it is. */
  private static String words(String metric) {
    String returns = Grade.RETURNS.metric("");
    return metric.startsWith(returns)
        ? "return, " + Grade.RETURNS.name(metric)
        : metric.replace('_', ' ');
  }

  private static double[] means(Map<String, GoalEvaluation> perSeed, String name) {
    return perSeed.values().stream().mapToDouble(each -> each.summary().get(name)).toArray();
  }

  private void tasks(
      Played played,
      Map<String, Evaluation> perSeed,
      long startSeed,
      ObjectNode document,
      Output output) {
    List<Task> wanted = played.tasks;
    Graded graded = new Graded(played.agent, played.world, perSeed);
    double[][] random =
        RandomEpisodes.run(graded.world, wanted, episodes, startSeed, threads, output.progress())
            .returns();
    print(graded, wanted, random, Methods.in(played.method), output);
    describe(graded, wanted, random, document);
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
    sayMilestones(graded, names, output);
    sayDivergences(graded.divergences(), (long) count * names.size() * episodes, output);
  }

  private static void sayMilestones(Graded graded, List<String> tasks, Output output) {
    for (String task : tasks) {
      for (MilestoneCount count : graded.milestones(task)) {
        output.say(
            Wording.format(
                "%s, %s: %d of %d episodes, at the end %d, %.0f %% of the last %d steps",
                task,
                count.milestone().name(),
                count.reached(),
                count.episodes(),
                count.atEnd(),
                100 * count.lately(),
                MilestoneCount.LAST_STEPS));
      }
    }
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
      graded
          .milestones(task.name())
          .forEach(count -> describe(count, node.withArray("milestones").addObject()));
    }
    summarise(document.putObject(AVERAGE), graded.means(AVERAGE));
  }

  private static void describe(MilestoneCount count, ObjectNode node) {
    node.put("name", count.milestone().name())
        .put("condition", count.milestone().condition())
        .put("episodes", count.episodes());
    count.shares().forEach(node::put);
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
