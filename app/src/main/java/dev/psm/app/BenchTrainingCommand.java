package dev.psm.app;

import dev.psm.bench.TrainingBench;
import dev.psm.core.UserError;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "training",
    mixinStandardHelpOptions = true,
    description =
        "Time per gradient step of the agents for continuous actions on data of the walker's size, in turns with the"
            + " same steps in Python PyTorch when a Python with torch is there; the share of a step that drawing random"
            + " numbers takes; and resident memory over many steps.")
final class BenchTrainingCommand implements Callable<Integer> {
  private static final int MOST_ROUNDS = 1000;

  @Mixin private Output output;

  @Option(
      names = "--python",
      paramLabel = "FILE",
      description = "A Python that can import torch (default: python3, if it can).")
  private Path python;

  @Option(
      names = "--agents",
      paramLabel = "NAME",
      split = ",",
      defaultValue = "psm,fb,laplacian,hilp",
      description = "Which ones, separated by commas (default: ${DEFAULT-VALUE}).")
  private List<String> agents;

  @Option(
      names = "--sizes",
      paramLabel = "NAME",
      split = ",",
      defaultValue = "paper,small",
      description =
          "Presets to measure, separated by commas; 'tiny' only tries things out (default:"
              + " ${DEFAULT-VALUE}).")
  private List<String> sizes;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "7",
      description = "Rounds that count (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--memory-steps",
      paramLabel = "N",
      defaultValue = "5000",
      description =
          "Steps of the small PSM over which memory is watched; 0 for none (default:"
              + " ${DEFAULT-VALUE}).")
  private int memorySteps;

  @Override
  public Integer call() {
    if (rounds < 1 || rounds > MOST_ROUNDS) {
      throw UserError.usage("--rounds must lie from 1 to %d, found %d", MOST_ROUNDS, rounds);
    }
    if (memorySteps < 0) {
      throw UserError.usage("--memory-steps must not be negative, found %d", memorySteps);
    }
    TrainingBench.Result result =
        TrainingBench.run(
            new TrainingBench.Settings(python, agents, sizes, rounds, memorySteps),
            output.progress());
    output.say(result.text());
    output.finish(result.json());
    return 0;
  }
}
