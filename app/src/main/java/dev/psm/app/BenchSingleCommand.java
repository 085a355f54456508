package dev.psm.app;

import dev.psm.agents.rnd.ExplorerSettings;
import dev.psm.bench.SingleTaskBench;
import dev.psm.core.env.World;
import dev.psm.core.env.Worlds;
import dev.psm.core.io.Json;
import dev.psm.lab.run.TaskList;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "single",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "What zero-shot costs: DDPG (DQN where actions are numbered) trained from interaction on one reward alone, one"
          + " task after another, each from nothing. Prints the returns as it learns; evaluate gives those of a zero-shot agent from the same starts."
          + " Computes on one core.",
      ""
    })
final class BenchSingleCommand implements Callable<Integer> {
  @Mixin private Output output;

  @Option(names = "--env", required = true, paramLabel = "NAME", description = "See env list.")
  private String name;

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

  @Option(
      names = "--steps",
      paramLabel = "N",
      defaultValue = "250000",
      description = "Environment steps per task (default: ${DEFAULT-VALUE}).")
  private long steps;

  @Option(
      names = "--evaluate-every",
      paramLabel = "STEPS",
      defaultValue = "25000",
      description = "Environment steps between evaluations (default: ${DEFAULT-VALUE}).")
  private long evaluateEvery;

  @Option(
      names = "--episodes",
      paramLabel = "N",
      defaultValue = "10",
      description = "Per evaluation (default: ${DEFAULT-VALUE}).")
  private int episodes;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "0",
      description = "Decides every random draw of training (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--start-seed",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Draws where evaluation's episodes begin, as in evaluate (default: ${DEFAULT-VALUE}).")
  private long startSeed;

  @Option(
      names = "--out",
      paramLabel = "FILE.json",
      description = "Also write what --json prints into this file, anew after every task.")
  private Path out;

  @Parameters(
      paramLabel = "KEY=VALUE",
      arity = "0..*",
      description = "Overrides of DDPG's or DQN's settings, such as width=512 or stepsPerUpdate=8.")
  private List<String> overrides = List.of();

  @Override
  public Integer call() {
    Destination.file("--out", out, ".json");
    World world = Worlds.named(name);
    ExplorerSettings settings = SingleTaskBench.settings(world, overrides);
    SingleTaskBench.Plan plan =
        new SingleTaskBench.Plan(steps, evaluateEvery, episodes, seed, startSeed);
    SingleTaskBench bench =
        new SingleTaskBench(world, settings, plan, output.progress(), output::say);
    TaskList.of(tasks, tasksFile, world)
        .forEach(
            task -> {
              bench.train(task);
              if (out != null) {
                Json.write(out, bench.document());
              }
            });
    if (out != null) {
      output.note("written to " + out);
    }
    output.finish(bench.document());
    return 0;
  }
}
