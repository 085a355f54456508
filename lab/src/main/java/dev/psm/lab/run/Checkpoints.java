package dev.psm.lab.run;

import dev.psm.agents.Trainer;
import dev.psm.core.Remedy;
import dev.psm.core.UserError;
import dev.psm.core.io.DType;
import dev.psm.core.io.OutputFolder;
import dev.psm.core.io.Safetensors;
import dev.psm.core.io.TensorData;
import dev.psm.zeroshot.ZeroShotAgent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The checkpoints of a run: a file per seed and step. A step counts only once every seed has its
 * file, and older ones go only after that, so a kill at any moment leaves a whole one.
 */
final class Checkpoints {
  private static final Pattern NAME = Pattern.compile("step-(\\d{9,18})\\.safetensors");
  private static final String SETTINGS = "settings";
  private static final String SECONDS = "trainingSeconds";

  private final RunFolder folder;
  private final RunDescription run;

  Checkpoints(RunFolder folder, RunDescription run) {
    this.folder = folder;
    this.run = run;
  }

  Path file(long seed, long step) {
    return folder(seed).resolve(String.format(Locale.ROOT, "step-%09d.safetensors", step));
  }

  private Path folder(long seed) {
    return folder.checkpoints(seed);
  }

  /** The steps that all seeds have a checkpoint of. */
  NavigableSet<Long> steps() {
    NavigableSet<Long> common = null;
    for (long seed : run.seeds()) {
      NavigableSet<Long> own = steps(seed);
      if (common == null) {
        common = own;
      } else {
        common.retainAll(own);
      }
    }
    return common;
  }

  /**
   * Refuses a run that has come to a checkpoint but has none: to begin again at step 0 would throw
   * away what it learned. A model is only saved after a checkpoint.
   */
  void requireNeverWritten() {
    Optional<Long> end = folder.finishedAt();
    for (long seed : run.seeds()) {
      Path model = folder.seed(seed).resolve(ZeroShotAgent.DESCRIPTION);
      if (steps(seed).isEmpty() && (end.isPresent() || Files.exists(model))) {
        throw UserError.invalid(
                "%s holds no checkpoint, so the run, which %s, cannot go on, though its model can"
                    + " still be used: bring its checkpoints back, begin a new run in another"
                    + " folder, or start over",
                folder(seed),
                end.isPresent() ? "ended with step %d".formatted(end.get()) : "has saved a model")
            .with(Remedy.START_OVER);
      }
    }
    // A kill during the first checkpoint leaves one of some seeds; of the second, the first of all.
    for (long seed : run.seeds()) {
      if (steps(seed).size() > 1) {
        throw UserError.invalid(
                "%s: seed %d has checkpoints of steps %s, but no step has one of every seed: bring"
                    + " the others back, or start over",
                folder.path(), seed, steps(seed))
            .with(Remedy.START_OVER);
      }
    }
  }

  private NavigableSet<Long> steps(long seed) {
    NavigableSet<Long> steps = new TreeSet<>();
    for (Path file : OutputFolder.list(folder(seed))) {
      Matcher name = NAME.matcher(file.getFileName().toString());
      if (name.matches()) {
        steps.add(Long.parseLong(name.group(1)));
      }
    }
    return steps;
  }

  /**
   * Saves every seed.
   *
   * @param seconds of training so far
   */
  void write(Trainer trainer, double seconds) {
    for (long seed : run.seeds()) {
      Map<String, String> metadata = binding(seed);
      metadata.put(SECONDS, Double.toString(seconds));
      Safetensors.write(file(seed, trainer.stepsDone()), trainer.checkpoint(seed), metadata);
    }
    prune(trainer.stepsDone());
  }

  /**
   * Keeps the newest steps, and of each seed nothing that is older: not what others lack either.
   */
  private void prune(long newest) {
    long oldest = newest;
    int kept = 0;
    for (long step : steps().headSet(newest, true).descendingSet()) {
      if (kept++ < run.cadence().keep()) {
        oldest = step;
      }
    }
    for (long seed : run.seeds()) {
      steps(seed).headSet(oldest, false).forEach(step -> RunFolder.delete(file(seed, step)));
    }
  }

  /** Forgets what lies beyond a step. */
  void deleteAfter(long step) {
    for (long seed : run.seeds()) {
      steps(seed).tailSet(step, false).forEach(later -> RunFolder.delete(file(seed, later)));
    }
  }

  /**
   * Brings a trainer to a step. A damaged or foreign file is refused with the reason, and with the
   * newest earlier step that would do.
   *
   * @return the seconds of training until then
   */
  double restore(Trainer trainer, long step) {
    double seconds = 0;
    for (long seed : run.seeds()) {
      Path file = file(seed, step);
      try {
        Safetensors.Contents contents = read(seed, step);
        trainer.restore(seed, contents.tensors(), file.toString());
        seconds = seconds(contents);
      } catch (UserError refused) {
        throw unusable(refused.getMessage(), step);
      }
    }
    return seconds;
  }

  private UserError unusable(String problem, long step) {
    for (long earlier : steps().headSet(step, false).descendingSet()) {
      if (isSound(earlier)) {
        return UserError.invalid(
                "%s; the checkpoint of step %d is sound: go on from there", problem, earlier)
            .with(Remedy.RESUME_FROM, earlier);
      }
    }
    return UserError.invalid("%s; no earlier checkpoint is sound: start over", problem)
        .with(Remedy.START_OVER);
  }

  private boolean isSound(long step) {
    try {
      for (long seed : run.seeds()) {
        read(seed, step);
      }
      return true;
    } catch (UserError refused) {
      return false;
    }
  }

  private Safetensors.Contents read(long seed, long step) {
    Path file = file(seed, step);
    Safetensors.Contents contents = Safetensors.read(file);
    binding(seed)
        .forEach(
            (key, expected) -> {
              String found = contents.metadata().get(key);
              if (!expected.equals(found) && !(key.equals(SETTINGS) && isOlder(found))) {
                throw UserError.invalid(
                    "%s belongs to another run: its %s is %s, expected %s",
                    file, key, found, expected);
              }
            });
    TensorData steps = contents.tensors().get("steps");
    if (steps == null || steps.dtype() != DType.I64 || steps.elementCount() != 1) {
      throw UserError.invalid(
          "%s: tensor 'steps' must hold one whole number, found %s", file, steps);
    }
    if (steps.longs()[0] != step) {
      throw UserError.invalid(
          "%s is of step %d, not of the one in its name; it was renamed", file, steps.longs()[0]);
    }
    return contents;
  }

  /** Files that were written before a decay made the number of steps count. */
  private boolean isOlder(String settings) {
    return run.openEndedHash().equals(settings);
  }

  private static double seconds(Safetensors.Contents contents) {
    try {
      double seconds = Double.parseDouble(contents.metadata().getOrDefault(SECONDS, "0"));
      return Double.isFinite(seconds) ? Math.max(0, seconds) : 0;
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /** What says whose checkpoint a file is. */
  private Map<String, String> binding(long seed) {
    Map<String, String> metadata = new LinkedHashMap<>();
    metadata.put("format", "psm checkpoint 1");
    metadata.put("agent", run.agent().id());
    metadata.put("environment", run.environment());
    metadata.put("seed", Long.toString(seed));
    metadata.put(SETTINGS, run.settingsHash());
    metadata.put("data", run.data().fingerprint());
    return metadata;
  }
}
