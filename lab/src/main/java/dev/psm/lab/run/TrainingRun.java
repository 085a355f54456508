package dev.psm.lab.run;

import dev.psm.agents.Trainer;
import dev.psm.agents.TrainingData;
import dev.psm.core.UserError;
import dev.psm.core.io.FolderLock;
import dev.psm.lab.Provenance;
import dev.psm.torch.Device;
import dev.psm.zeroshot.AgentFolder;
import java.nio.file.Path;
import java.util.List;
import java.util.NavigableSet;
import java.util.OptionalLong;

/**
 * Pretrains an agent into a folder, from the beginning or from where it was. A run that was
 * stopped, or killed at any moment, ends with the same bits as one that was not, on the same CPU
 * with the same number of threads; on a GPU it goes on with the same draws.
 */
public final class TrainingRun {
  private static final String DEVICE = "device";

  /** What the last bits of a product of matrices depend on. */
  private static final List<String> ARITHMETIC = List.of("libtorch", "blas", "threads", DEVICE);

  private static final String CHANGED = "%s is %s, but was %s when the run began: %s";

  private TrainingRun() {}

  /**
   * Begins a run in an empty folder, or in place of another run, which is kept until the new one
   * has a checkpoint and comes back where it fails before.
   */
  public static TrainingOutcome start(
      RunDescription run, Path path, boolean replace, TrainingData data, RunContext context) {
    RunFolder folder = new RunFolder(path);
    folder.requireFree(replace);
    try (FolderLock lock = folder.lock()) {
      return begin(run, folder, replace, data, context);
    }
  }

  /**
   * Begins a run in an empty folder, or goes on with it where it is there already.
   *
   * @param lock of the folder, which the caller keeps
   */
  public static TrainingOutcome beginOrResume(
      RunDescription run, Path path, FolderLock lock, TrainingData data, RunContext context) {
    RunFolder folder = new RunFolder(path);
    lock.requireOf(path);
    return AgentFolder.isRun(path)
        ? goOn(folder.description(), folder, OptionalLong.empty(), data, context)
        : begin(run, folder, false, data, context);
  }

  private static TrainingOutcome begin(
      RunDescription run,
      RunFolder folder,
      boolean replace,
      TrainingData data,
      RunContext context) {
    folder.requireFree(replace);
    // Whatever can fail does so before the old run goes.
    try (Evaluator evaluator = context.evaluators().open(run, data);
        Trainer trainer = trainer(run, data, context)) {
      ReplacedRun replaced = new ReplacedRun(folder);
      replaced.setAside();
      boolean ended = false;
      try {
        folder.write(run);
        TrainingOutcome outcome = loop(run, folder, trainer, 0, evaluator, context);
        ended = true;
        return outcome;
      } finally {
        if (!ended && replaced.exists()) {
          replaced.restore();
          context.notes().accept("the run that was in " + folder.path() + " is back");
        } else if (!ended && trainer.stepsDone() == 0) {
          // What fails at its first step would fail there again: the folder is left free.
          folder.remove();
        }
      }
    }
  }

  /**
   * Goes on with a run.
   *
   * @param run as the folder has it, or with more gradient steps, or with its data elsewhere
   * @param from the step to go on from; the last one by default
   */
  public static TrainingOutcome resume(
      RunDescription run, Path path, OptionalLong from, TrainingData data, RunContext context) {
    RunFolder folder = new RunFolder(path);
    try (FolderLock lock = folder.lock()) {
      return goOn(run, folder, from, data, context);
    }
  }

  private static TrainingOutcome goOn(
      RunDescription run,
      RunFolder folder,
      OptionalLong from,
      TrainingData data,
      RunContext context) {
    new ReplacedRun(folder).recover();
    run.data().requireSame(data);
    noteArithmetic(run, context);
    Checkpoints checkpoints = new Checkpoints(folder, run);
    long step = step(checkpoints, from, folder);
    try (Evaluator evaluator = context.evaluators().open(run, data);
        Trainer trainer = trainer(run, data, context)) {
      double seconds = step == 0 ? 0 : checkpoints.restore(trainer, step);
      folder.clearResult();
      if (step < run.gradientSteps()) {
        folder.clearGrades();
      }
      folder.write(run);
      folder.sweep();
      checkpoints.deleteAfter(step);
      context.notes().accept(step == 0 ? "starting over" : "going on from step " + step);
      return loop(run, folder, trainer, seconds, evaluator, context);
    }
  }

  private static Trainer trainer(RunDescription run, TrainingData data, RunContext context) {
    Trainer trainer = run.agent().trainer(run.settings(), data, run.seeds(), context.device());
    trainer.remark().ifPresent(context.notes());
    return trainer;
  }

  private static TrainingOutcome loop(
      RunDescription run,
      RunFolder folder,
      Trainer trainer,
      double seconds,
      Evaluator evaluator,
      RunContext context) {
    try (TrainingLoop loop = new TrainingLoop(run, folder, trainer, seconds, evaluator, context)) {
      return loop.train();
    }
  }

  private static void noteArithmetic(RunDescription run, RunContext context) {
    var now = Provenance.software(context.device());
    for (String key : ARITHMETIC) {
      // Runs from before there was a choice were computed on the CPU.
      String then = run.provenance().path(key).asText(Device.CPU.describe());
      String found = now.path(key).asText();
      if (!then.equals(found)) {
        context.notes().accept(CHANGED.formatted(key, found, then, consequence(key, then, found)));
      }
    }
    String engine = run.world().engine();
    if (!engine.equals(run.engine())) {
      context
          .notes()
          .accept(
              CHANGED.formatted(
                  Provenance.ENGINE,
                  engine,
                  run.engine(),
                  "from here on its returns are those of another engine"));
    }
  }

  /** A GPU draws other numbers than a CPU, and each precision rounds in its own way. */
  private static String consequence(String key, String then, String found) {
    if (!key.equals(DEVICE)) {
      return "its last bits may differ from an undisturbed run's";
    }
    return isCpu(then) || isCpu(found)
        ? "it goes on with other random draws than an undisturbed run"
        : "it goes on with another rounding than an undisturbed run";
  }

  private static boolean isCpu(String device) {
    return device.equals(Device.CPU.describe());
  }

  private static long step(Checkpoints checkpoints, OptionalLong from, RunFolder folder) {
    NavigableSet<Long> steps = checkpoints.steps();
    if (from.isEmpty()) {
      if (steps.isEmpty()) {
        checkpoints.requireNeverWritten();
      }
      return steps.isEmpty() ? 0 : steps.last();
    }
    long wanted = from.getAsLong();
    if (wanted != 0 && !steps.contains(wanted)) {
      throw UserError.argument(
          "fromStep",
          "%s has no checkpoint of step %d; expected 0, for the beginning%s",
          folder.path(),
          wanted,
          steps.isEmpty() ? "" : ", or one of " + steps);
    }
    return wanted;
  }
}
