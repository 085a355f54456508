package dev.psm.lab.sweep;

import dev.psm.core.UserError;
import dev.psm.lab.run.LearningCurve;
import dev.psm.lab.run.RunFolder;
import java.util.ArrayList;
import java.util.List;

/**
 * What a seed of a finished run is worth.
 *
 * @param value by the grade of its world
 * @param seconds of training of all seeds of its run
 */
record SweepResult(SweepCell cell, long seed, double value, double seconds) {

  /** Of all seeds of a run. */
  static List<SweepResult> read(SweepPlan.Run run) {
    List<SweepResult> results = new ArrayList<>();
    RunFolder folder = new RunFolder(run.folder());
    String name = run.cell().world().gradeName();
    for (long seed : run.seeds()) {
      LearningCurve.Point last = folder.curve(seed).orElseThrow().last();
      double value = last.grades().getOrDefault(name, Double.NaN);
      if (Double.isNaN(value)) {
        throw UserError.invalid(
            "%s has ended, but its last evaluation does not say %s; delete it to begin anew",
            run.folder(), run.cell().world().metric());
      }
      results.add(new SweepResult(run.cell(), seed, value, last.seconds()));
    }
    return results;
  }
}
