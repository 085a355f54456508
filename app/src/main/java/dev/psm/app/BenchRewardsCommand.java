package dev.psm.app;

import dev.psm.bench.RewardBench;
import dev.psm.core.UserError;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "rewards",
    mixinStandardHelpOptions = true,
    description =
        "The reward language: 100,000 states under a formula of 20 terms on one core; and any number of odd texts, each of"
            + " which must be read or refused in words.")
final class BenchRewardsCommand implements Callable<Integer> {
  @Mixin private Output output;

  @Option(
      names = "--fuzz",
      paramLabel = "N",
      defaultValue = "100000",
      description = "Odd texts to try; 0 for none (default: ${DEFAULT-VALUE}).")
  private long fuzz;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "0",
      description = "Draws the odd texts (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Override
  public Integer call() {
    if (fuzz < 0) {
      throw UserError.usage("--fuzz must not be negative, found %d", fuzz);
    }
    RewardBench.Result result = RewardBench.run(fuzz, seed, output.progress());
    output.say(result.text());
    output.finish(result.json());
    return 0;
  }
}
