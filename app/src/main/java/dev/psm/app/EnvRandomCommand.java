package dev.psm.app;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.Wording;
import dev.psm.core.env.World;
import dev.psm.core.env.Worlds;
import dev.psm.core.io.Json;
import dev.psm.core.reward.Task;
import dev.psm.core.stats.Summary;
import dev.psm.lab.Provenance;
import dev.psm.lab.RandomEpisodes;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "random",
    mixinStandardHelpOptions = true,
    description = "Returns of uniformly random actions for every task, and how fast it went.")
final class EnvRandomCommand implements Callable<Integer> {
  @Mixin private Output output;

  @Parameters(paramLabel = "NAME", description = "See env list.")
  private String name;

  @Option(
      names = "--episodes",
      paramLabel = "N",
      defaultValue = "5",
      description = "How many (default: ${DEFAULT-VALUE}).")
  private int episodes;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "0",
      description = "Draws starts and actions (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Threads; they change only the speed (default: all cores).")
  private Integer threads;

  @Override
  public Integer call() {
    World world = Worlds.named(name);
    int cores = Runtime.getRuntime().availableProcessors();
    int atOnce = threads == null ? cores : threads;
    Range.check("--episodes", episodes, 1, Range.MAX_EPISODES);
    Range.check("--threads", atOnce, 1, Range.MAX_THREADS);
    RandomEpisodes.Result result =
        RandomEpisodes.run(world, episodes, seed, atOnce, output.progress());
    output.say(
        "%s: %s of %s, uniformly random actions, seed %d"
            .formatted(
                world.name(),
                Wording.count(episodes, "episode"),
                Wording.count(world.episodeSteps(), "step"),
                seed));
    output.say(
        String.format(
            Locale.ROOT,
            "%-24s %10s %10s %10s %10s",
            "task",
            "mean",
            "std dev",
            "lowest",
            "highest"));
    ObjectNode document = Json.object();
    document
        .put("env", world.name())
        .put(Provenance.ENGINE, world.engine())
        .put("episodes", episodes)
        .put("seed", seed);
    ObjectNode returns = document.putObject("returns");
    for (int i = 0; i < world.tasks().size(); i++) {
      Task task = world.tasks().get(i);
      Summary summary = Summary.of(result.returns()[i]);
      output.say(
          Wording.format(
              "%-24s %10.2f %10s %10.2f %10.2f",
              task.name(),
              summary.mean(),
              episodes > 1 ? Wording.format("%.2f", summary.standardDeviation()) : "-",
              summary.min(),
              summary.max()));
      ObjectNode node = returns.putObject(task.name());
      node.put("mean", summary.mean());
      if (episodes > 1) {
        node.put("standardDeviation", summary.standardDeviation());
      }
      for (double value : result.returns()[i]) {
        node.withArray("episodes").add(value);
      }
    }
    output.say(
        String.format(
            Locale.ROOT,
            "%,.0f control steps per second on %s; %s blew up",
            result.stepsPerSecond(),
            Wording.count(result.threads(), "thread"),
            Wording.count(result.divergences(), "episode")));
    document
        .put("controlStepsPerSecond", result.stepsPerSecond())
        .put("threads", result.threads())
        .put("divergences", result.divergences());
    output.finish(document);
    return 0;
  }
}
