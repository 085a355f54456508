package dev.psm.app;

import dev.psm.lab.control.Cadence;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The options of {@code pretrain} that only a run on a dataset has, null where not given, and the
 * device's.
 */
final class RunOptions {
  @Mixin DeviceOption device;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Learn from this dataset, for continuous actions; see collect and dataset.")
  Path data;

  @Option(
      names = "--seeds",
      split = ",",
      paramLabel = "N",
      description = "Several seeds side by side, as in 0,1,2, each with a folder of its own.")
  List<Long> seeds;

  @Option(
      names = "--evaluate-every",
      paramLabel = "STEPS",
      description =
          "All tasks are tried that often, and at the end (default: a tenth of all, at least 1000).")
  Integer evaluateEvery;

  @Option(
      names = "--episodes",
      paramLabel = "N",
      description = "Per task and evaluation (default: " + Cadence.EPISODES + ").")
  Integer episodes;

  @Option(
      names = "--checkpoint-every",
      paramLabel = "STEPS",
      description = "What is lost by a kill, at most (default: " + Cadence.CHECKPOINT_EVERY + ").")
  Integer checkpointEvery;

  @Option(
      names = "--keep",
      paramLabel = "N",
      description = "Checkpoints that stay, the newest (default: " + Cadence.KEEP + ").")
  Integer keep;

  @Option(
      names = "--log-every",
      paramLabel = "STEPS",
      description = "Write metrics every STEPS (default: a 50th of all steps, at most 500).")
  Integer logEvery;

  @Option(
      names = "--resume",
      description =
          "Go on with the run in --out where it was; with a larger gradientSteps also beyond its"
              + " end.")
  boolean resume;

  @Option(
      names = "--from-step",
      paramLabel = "STEP",
      description = "With --resume: from the checkpoint of that step, forgetting later ones.")
  Long fromStep;

  /** The options among these that were given and that a grid has no use for. */
  List<String> given() {
    List<String> given = new ArrayList<>();
    add(given, "--data", data);
    add(given, "--resume", resume ? true : null);
    add(given, "--seeds", seeds);
    add(given, "--evaluate-every", evaluateEvery);
    add(given, "--episodes", episodes);
    add(given, "--checkpoint-every", checkpointEvery);
    add(given, "--keep", keep);
    add(given, "--log-every", logEvery);
    add(given, "--from-step", fromStep);
    return given;
  }

  private static void add(List<String> given, String name, Object value) {
    if (value != null) {
      given.add(name);
    }
  }

  Cadence cadence(int gradientSteps) {
    return new Cadence(
        or(logEvery, Cadence.logEvery(gradientSteps)),
        or(evaluateEvery, Cadence.evaluateEvery(gradientSteps)),
        or(episodes, Cadence.EPISODES),
        or(checkpointEvery, Cadence.CHECKPOINT_EVERY),
        or(keep, Cadence.KEEP));
  }

  private static int or(Integer given, int usual) {
    return given == null ? usual : given;
  }
}
