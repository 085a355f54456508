package dev.psm.app;

import dev.psm.bench.DataBench;
import dev.psm.core.UserError;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "data",
    mixinStandardHelpOptions = true,
    description =
        "Datasets of the walker's size: opening a large one (sparse files with real headers); loading all of one as a"
            + " tensor, and batches of 1024 random transitions; drawing the states that a model keeps; and rewards of"
            + " stored states for four tasks, on two threads and on one.")
final class BenchDataCommand implements Callable<Integer> {
  private static final long MAX_TRANSITIONS = 1_000_000_000_000L;
  private static final double MAX_GIGABYTES = 1000;
  private static final int MAX_STATES = 10_000_000;

  @Mixin private Output output;

  @Option(
      names = "--transitions",
      paramLabel = "N",
      defaultValue = "" + DataBench.TRANSITIONS,
      description =
          "Transitions to write, load and draw from, at about 268 bytes each; 0 for none (default:"
              + " ${DEFAULT-VALUE}).")
  private long transitions;

  @Option(
      names = "--gigabytes",
      paramLabel = "G",
      defaultValue = "" + DataBench.GIGABYTES,
      description =
          "Size of the dataset to be opened, which takes hardly any disk; 0 for none (default:"
              + " ${DEFAULT-VALUE}).")
  private double gigabytes;

  @Option(
      names = "--states",
      paramLabel = "N",
      defaultValue = "" + DataBench.STATES,
      description = "States to be relabelled; 0 for none (default: ${DEFAULT-VALUE}).")
  private int states;

  @Option(
      names = "--folder",
      paramLabel = "FOLDER",
      description =
          "Where the temporary files go, which are deleted at the end (default: the system's place"
              + " for them).")
  private Path folder = Path.of(System.getProperty("java.io.tmpdir"));

  @Override
  public Integer call() {
    if (transitions < 0 || transitions > MAX_TRANSITIONS) {
      throw UserError.invalid(
          "--transitions must lie from 0 to %d, found %d", MAX_TRANSITIONS, transitions);
    }
    if (!(gigabytes >= 0 && gigabytes <= MAX_GIGABYTES)) {
      throw UserError.invalid(
          "--gigabytes must lie from 0 to %.0f, found %s", MAX_GIGABYTES, gigabytes);
    }
    if (states < 0 || states > MAX_STATES) {
      throw UserError.invalid("--states must lie from 0 to %d, found %d", MAX_STATES, states);
    }
    DataBench.Result result =
        DataBench.run(
            new DataBench.Settings(transitions, gigabytes, states, folder), output.progress());
    output.say(result.text());
    output.finish(result.json());
    return 0;
  }
}
