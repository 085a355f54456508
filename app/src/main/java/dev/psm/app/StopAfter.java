package dev.psm.app;

import dev.psm.core.UserError;
import dev.psm.core.Wording;
import picocli.CommandLine.Option;

/** When a command is to stop by itself, so that the last minute of a lent machine loses nothing. */
final class StopAfter {
  private static final double NANOS_OF_A_MINUTE = 60e9;
  private static final String SAVING = "stopping after this step, and saving it";

  @Option(
      names = "--stop-after",
      paramLabel = "MINUTES",
      description =
          "Stop by itself so many minutes after the command began, as Ctrl-C does: all is saved, and goes on from there"
              + " (default: never).")
  private Double minutes;

  private final long began = System.nanoTime();

  /** Refuses what is no time. */
  void check() {
    if (minutes != null && !(minutes > 0 && minutes < Integer.MAX_VALUE)) {
      throw UserError.invalid("--stop-after must be more than 0 minutes, found %s", minutes);
    }
  }

  /** The same for work that others may perform, whom this process cannot stop. */
  void check(WorkersOption workers) {
    check();
    if (minutes != null && workers.isQueued()) {
      throw UserError.invalid(
          "--stop-after is for work of this process; a job of Slurm stops by --slurm time=MINUTES, and"
              + " saves itself before");
    }
  }

  /** Whether work is to stop, for either reason; to be opened right before it begins. */
  Interruption interruption(Output output) {
    return minutes == null
        ? new Interruption(() -> output.note(SAVING))
        : new Interruption(
            () -> output.note(SAVING),
            began + (long) (minutes * NANOS_OF_A_MINUTE),
            () -> output.note(Wording.format("%.4g minutes are over: %s", minutes, SAVING)));
  }
}
