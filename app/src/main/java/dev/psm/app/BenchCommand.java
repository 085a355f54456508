package dev.psm.app;

import dev.psm.bench.GridBench;
import dev.psm.core.UserError;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "WHAT",
    description = "Benchmarks, as ratios within one run.",
    subcommands = {BenchCommand.Grids.class, BenchRewardsCommand.class})
final class BenchCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "what to measure is missing");
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
        throw UserError.usage("--memory-steps must not be negative, found %d", memorySteps);
      }
      GridBench.Result result = GridBench.run(python, memorySteps, output.progress());
      output.say(result.text());
      output.finish(result.json());
      return 0;
    }
  }
}
