package dev.psm.app;

import dev.psm.core.UserError;
import dev.psm.core.settings.Settings;
import dev.psm.lab.run.Cadence;
import dev.psm.lab.run.RunDescription;
import java.util.List;
import java.util.Objects;

/**
 * Compares what was given beside {@code --resume} with what the run is. The same again is welcome,
 * so that a command line can be repeated; a change is not, but for more gradient steps of a run
 * whose learning rates do not depend on their number.
 */
final class ResumeCheck {
  private final RunDescription stored;
  private final PretrainRequest request;
  private final RunOptions options;

  ResumeCheck(RunDescription stored, PretrainRequest request, RunOptions options) {
    this.stored = stored;
    this.request = request;
    this.options = options;
  }

  /** The stored run, with the wanted end. */
  RunDescription wanted() {
    requireSame("--agent", stored.agent().id(), request.agent());
    requireSame("--preset", stored.preset(), request.preset());
    requireSame("--seeds", stored.seeds(), options.seeds);
    requireSame("--seed", stored.seeds(), request.seed() == null ? null : List.of(request.seed()));
    Cadence cadence = stored.cadence();
    requireSame("--log-every", cadence.logEvery(), options.logEvery);
    requireSame("--evaluate-every", cadence.evaluateEvery(), options.evaluateEvery);
    requireSame("--episodes", cadence.episodes(), options.episodes);
    requireSame("--checkpoint-every", cadence.checkpointEvery(), options.checkpointEvery);
    requireSame("--keep", cadence.keep(), options.keep);
    RunDescription changed =
        stored.withSettings(Settings.override(stored.settings(), request.overrides()));
    int steps = changed.gradientSteps();
    if (steps < stored.gradientSteps()) {
      throw UserError.invalid(
          "the run has %d gradient steps, which can only become more, found %d",
          stored.gradientSteps(), steps);
    }
    if (steps > stored.gradientSteps() && !stored.canBeExtended()) {
      throw UserError.invalid(
          "what the run does at a step depends on the last one, %d (its learning rates fall until then,"
              + " or a phase begins at a share of it), so with %d it would have been another; start a"
              + " new run, with decay=none (and enrichedCodes=0, where it enriches) if it is to be"
              + " extended",
          stored.gradientSteps(), steps);
    }
    if (!stored.withGradientSteps(steps).settings().equals(changed.settings())) {
      throw UserError.invalid(
          "a run goes on with the settings it began with, but for more gradientSteps; found %s:"
              + " leave that out, or start a new run",
          String.join(" ", request.overrides()));
    }
    return changed;
  }

  private static void requireSame(String option, Object stored, Object wanted) {
    if (wanted != null && !Objects.equals(stored, wanted)) {
      throw UserError.invalid(
          "%s: the run in --out has %s, found %s; leave it out to go on, or start a new run",
          option, stored, wanted);
    }
  }
}
