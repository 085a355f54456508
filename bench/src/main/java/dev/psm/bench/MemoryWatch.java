package dev.psm.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.lab.Machine;
import dev.psm.lab.Progress;
import java.util.Locale;

/** Whether a process that takes the same step again and again keeps its size. */
final class MemoryWatch {
  /** Steps between two looks. */
  private static final int INTERVAL = 250;

  private MemoryWatch() {}

  /** Takes the steps; growth counts from a tenth of them on, when all is warm. */
  static void run(
      Runnable step, int steps, ObjectNode document, StringBuilder text, Progress progress) {
    int warmUp = Math.max(1, steps / 10);
    long start = 0;
    long peak = 0;
    try (Progress.Bar bar = progress.start("memory", steps)) {
      for (int done = 1; done <= steps; done++) {
        step.run();
        if (done == warmUp) {
          start = Machine.residentBytes();
          peak = start;
        }
        if (done % INTERVAL == 0 && done > warmUp) {
          peak = Math.max(peak, Machine.residentBytes());
          bar.update(done, "resident %d MB".formatted(peak >> 20));
        }
      }
    }
    double growth = (Machine.residentBytes() - start) / 1e6;
    document
        .putObject("memory")
        .put("steps", steps)
        .put("warmUpSteps", warmUp)
        .put("residentMegabytesAfterWarmUp", start / 1e6)
        .put("peakMegabytes", peak / 1e6)
        .put("growthMegabytes", growth);
    text.append(
        String.format(
            Locale.ROOT,
            "memory: %.0f MB resident after %d steps, %+.1f MB by step %d%n",
            start / 1e6,
            warmUp,
            growth,
            steps));
  }
}
