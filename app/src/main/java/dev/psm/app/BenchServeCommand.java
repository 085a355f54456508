package dev.psm.app;

import dev.psm.bench.ServeBench;
import dev.psm.core.UserError;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "serve",
    mixinStandardHelpOptions = true,
    description =
        "A service in a process of its own: latencies of act, infer and solve at a steady rate, how many acts a second it"
            + " takes at most (asked by wrk where that is installed), and what it answers to five times as many and"
            + " afterwards.")
final class BenchServeCommand implements Callable<Integer> {
  @Mixin private Output output;

  @Parameters(
      paramLabel = "MODEL",
      arity = "0..1",
      defaultValue = "models/walker-psm",
      description = "The folder of an agent or a run (default: ${DEFAULT-VALUE}).")
  private Path model;

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "500",
      description = "Requests a second (default: ${DEFAULT-VALUE}).")
  private double rate;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "10",
      description = "How long each measurement takes (default: ${DEFAULT-VALUE}).")
  private double seconds;

  @Option(
      names = "--memory-minutes",
      paramLabel = "M",
      defaultValue = "0",
      description =
          "Then also watch its memory under mixed load for so long (default: not at all).")
  private double minutes;

  @Override
  public Integer call() {
    if (!(rate >= 1 && rate <= 100_000)) {
      throw UserError.invalid("--rate must be at least 1 and at most 100000, found %s", rate);
    }
    if (!(seconds >= 1 && seconds <= 3600)) {
      throw UserError.invalid("--seconds must be at least 1 and at most 3600, found %s", seconds);
    }
    if (!(minutes >= 0 && minutes <= 10_000)) {
      throw UserError.invalid(
          "--memory-minutes must be at least 0 and at most 10000, found %s", minutes);
    }
    ServeBench.Result result =
        ServeBench.run(new ServeBench.Settings(model, rate, seconds, minutes), output.progress());
    output.say(result.text());
    output.finish(result.json());
    return 0;
  }
}
