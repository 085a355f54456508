package dev.psm.app;

import dev.psm.bench.EnvBench;
import dev.psm.bench.GridBench;
import dev.psm.core.UserError;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "WHAT",
    description =
        "Benchmarks: speeds as ratios within one run, and the returns of agents trained for one reward alone.",
    subcommands = {
      BenchCommand.Grids.class,
      BenchCommand.Envs.class,
      BenchRewardsCommand.class,
      BenchDataCommand.class,
      BenchInferCommand.class,
      BenchTrainingCommand.class,
      BenchMeshCommand.class,
      BenchFuzzCommand.class,
      BenchSingleCommand.class,
      BenchServeCommand.class,
      BenchStudioCommand.class
    })
final class BenchCommand extends CommandGroup {
  BenchCommand() {
    super("what to measure");
  }

  @Command(
      name = "grids",
      mixinStandardHelpOptions = true,
      description =
          "Time per gradient step of affine PSM, exact and as published, beside the same two in Python PyTorch when a"
              + " Python with torch is there; and resident memory over many steps.")
  static final class Grids implements Callable<Integer> {
    @Mixin private Output output;

    @Option(
        names = "--python",
        paramLabel = "FILE",
        description = "A Python that can import torch (default: python3, if it can).")
    private Path python;

    @Option(
        names = "--memory-steps",
        paramLabel = "N",
        defaultValue = "20000",
        description = "Steps over which memory is watched; 0 for none (default: ${DEFAULT-VALUE}).")
    private int memorySteps;

    @Override
    public Integer call() {
      if (memorySteps < 0) {
        throw UserError.invalid("--memory-steps must not be negative, found %d", memorySteps);
      }
      GridBench.Result result = GridBench.run(python, memorySteps, output.progress());
      output.say(result.text());
      output.finish(result.json());
      return 0;
    }
  }

  @Command(
      name = "envs",
      mixinStandardHelpOptions = true,
      description =
          "Control steps per second of the physics environments, observation and reward included, beside the bare engine"
              + " driven from C when a C compiler and MuJoCo's headers are there; two threads beside one; the cost of"
              + " a call; and resident memory over many steps.")
  static final class Envs implements Callable<Integer> {
    @Mixin private Output output;

    @Option(
        names = "--env",
        paramLabel = "NAME",
        split = ",",
        description = "Which ones, separated by commas (default: all).")
    private List<String> environments = List.of();

    @Option(
        names = "--seconds",
        paramLabel = "S",
        defaultValue = "5",
        description = "Seconds of each measurement (default: ${DEFAULT-VALUE}).")
    private double seconds;

    @Option(
        names = "--memory-steps",
        paramLabel = "N",
        defaultValue = "100000",
        description =
            "Steps over which memory is watched, with a reset after every 100; 0 for none (default:"
                + " ${DEFAULT-VALUE}).")
    private int memorySteps;

    @Override
    public Integer call() {
      if (!(seconds > 0 && seconds <= 3600)) {
        throw UserError.invalid(
            "--seconds must lie above 0 and at most at 3600, found %s", seconds);
      }
      if (memorySteps < 0) {
        throw UserError.invalid("--memory-steps must not be negative, found %d", memorySteps);
      }
      EnvBench.Result result =
          EnvBench.run(
              new EnvBench.Settings(environments, seconds, memorySteps), output.progress());
      output.say(result.text());
      output.finish(result.json());
      return 0;
    }
  }
}
