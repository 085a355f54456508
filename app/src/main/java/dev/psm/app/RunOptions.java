package dev.psm.app;

import dev.psm.lab.run.Cadence;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of {@code pretrain} that say how a run goes, null where not given. */
final class RunOptions {
  @Mixin DeviceOption device;
  @Mixin StopAfter stop;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Learn from this dataset; see collect and dataset.")
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
          "Evaluate every STEPS, and at the end (default: a tenth of all; from data at least 1000).")
  Integer evaluateEvery;

  @Option(
      names = "--episodes",
      paramLabel = "N",
      description =
          "Episodes per task and evaluation, where they are played (default: "
              + Cadence.EPISODES
              + "); goals per evaluation, where episodes draw them (default: "
              + Cadence.GOALS
              + ").")
  Integer episodes;

  @Option(
      names = "--checkpoint-every",
      paramLabel = "STEPS",
      description =
          "Write a checkpoint every STEPS (default: "
              + Cadence.CHECKPOINT_EVERY
              + "; on a grid a tenth of all).")
  Integer checkpointEvery;

  @Option(
      names = "--keep",
      paramLabel = "N",
      description = "How many of the newest checkpoints to keep (default: " + Cadence.KEEP + ").")
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

  /** What is usual for the run, changed as told. */
  Cadence cadence(Cadence usual) {
    return new Cadence(
        or(logEvery, usual.logEvery()),
        or(evaluateEvery, usual.evaluateEvery()),
        or(episodes, usual.episodes()),
        or(checkpointEvery, usual.checkpointEvery()),
        or(keep, usual.keep()));
  }

  private static int or(Integer given, int usual) {
    return given == null ? usual : given;
  }
}
