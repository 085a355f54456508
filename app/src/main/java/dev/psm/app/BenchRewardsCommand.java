package dev.psm.app;

import dev.psm.bench.RewardBench;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "rewards",
    mixinStandardHelpOptions = true,
    description = "The reward language: 100,000 states under a formula of 20 terms on one core.")
final class BenchRewardsCommand implements Callable<Integer> {
  @Mixin private Output output;

  @Override
  public Integer call() {
    RewardBench.Result result = RewardBench.run();
    output.say(result.text());
    output.finish(result.json());
    return 0;
  }
}
