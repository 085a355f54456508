package dev.psm.app;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.Wording;
import dev.psm.core.env.World;
import dev.psm.core.io.Json;
import dev.psm.core.reward.Task;
import dev.psm.core.stats.Summary;
import dev.psm.lab.Provenance;
import dev.psm.lab.RandomEpisodes;
import dev.psm.lab.run.Evaluation;
import dev.psm.lab.run.TaskList;
import dev.psm.zeroshot.ZeroShotAgent;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Option;

/** {@code evaluate} with agents of continuous control. */
final class ControlEvaluating {
  private static final String AVERAGE = "average";

  @Option(
      names = "--tasks",
      paramLabel = "all|A,B",
      description =
          "Tasks by name and formulas, commas between them (default: every task of the environment, or of"
              + " --tasks-file).")
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
   */
  void run(Map<String, Path> models, long startSeed, Output output) {
    Range.check("--episodes", episodes, 1, Range.MAX_EPISODES);
    Range.check("--threads", threads, 1, Range.MAX_THREADS);
    Destination.file("--out", out);
    Map<String, Evaluation> perSeed = new LinkedHashMap<>();
    List<Task> wanted = List.of();
    ZeroShotAgent agent = null;
    for (Map.Entry<String, Path> model : models.entrySet()) {
      agent = ZeroShotAgent.read(model.getValue());
      agent.requireEnvironment();
      wanted = TaskList.of(tasks, tasksFile, agent.environment());
      if (models.size() > 1) {
        output.note("seed " + model.getKey());
      }
      perSeed.put(
          model.getKey(),
          Evaluation.run(agent, wanted, episodes, startSeed, threads, output.progress()));
    }
    Graded graded = new Graded(agent.name(), agent.environment(), perSeed);
    double[][] random =
        RandomEpisodes.run(graded.world, wanted, episodes, startSeed, threads, output.progress())
            .returns();
    print(graded, wanted, random, output);
    ObjectNode document = document(graded, wanted, random, startSeed);
    if (out != null) {
      Json.write(out, document);
      output.note("written to " + out);
    }
    output.finish(document);
  }

  private void print(Graded graded, List<Task> wanted, double[][] random, Output output) {
    int count = graded.perSeed.size();
    output.say(
        "%s on %s, %s: mean returns of %s of %s%s"
            .formatted(
                graded.agent,
                graded.world.name(),
                graded.world.engine(),
                Wording.count(episodes, "episode"),
                Wording.count(graded.world.episodeSteps(), "step"),
                count > 1 ? ", ± standard deviation over %d seeds".formatted(count) : ""));
    List<String> names = new ArrayList<>(wanted.stream().map(Task::name).toList());
    int width = Math.max(8, names.stream().mapToInt(String::length).max().orElse(0));
    output.say(row(width, "task", graded.agent, "random"));
    double sum = 0;
    for (int i = 0; i < names.size(); i++) {
      double chance = Summary.of(random[i]).mean();
      sum += chance;
      output.say(row(width, names.get(i), shown(graded.means(names.get(i))), decimal(chance)));
    }
    if (names.size() > 1) {
      output.say(row(width, AVERAGE, shown(graded.means(AVERAGE)), decimal(sum / names.size())));
    }
    if (graded.divergences() > 0) {
      output.say(
          "cut short because the simulation blew up: %s of %d"
              .formatted(
                  Wording.count(graded.divergences(), "episode"), count * names.size() * episodes));
    }
  }

  private static String row(int width, String task, String agent, String random) {
    return String.format(Locale.ROOT, "%-" + width + "s  %20s  %10s", task, agent, random);
  }

  private static String shown(double[] perSeed) {
    Summary summary = Summary.of(perSeed);
    return perSeed.length == 1
        ? decimal(summary.mean())
        : decimal(summary.mean()) + " ± " + decimal(summary.standardDeviation());
  }

  private static String decimal(double value) {
    return Wording.format("%.2f", value);
  }

  private ObjectNode document(Graded graded, List<Task> wanted, double[][] random, long startSeed) {
    ObjectNode document = Json.object();
    document
        .put("agent", graded.agent)
        .put("environment", graded.world.name())
        .put(Provenance.ENGINE, graded.world.engine())
        .put("episodes", episodes)
        .put("episodeSteps", graded.world.episodeSteps())
        .put("startSeed", startSeed);
    graded.perSeed.keySet().stream()
        .filter(each -> !each.isEmpty())
        .forEach(each -> document.withArray("seeds").add(Long.parseLong(each)));
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
      node.put("random", Summary.of(random[i]).mean());
      add(node.putArray("randomReturns"), random[i]);
    }
    summarise(document.putObject(AVERAGE), graded.means(AVERAGE));
    return document;
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
