package dev.psm.bench;

import dev.psm.core.UserError;
import dev.psm.core.data.Dataset;
import dev.psm.core.data.DatasetWriter;
import dev.psm.lab.Progress;
import java.nio.file.Path;

/**
 * Batches from a dataset that was written a moment ago, so that as much of it as fits is in memory.
 */
final class DataSampling {
  private static final int WARM_UP = 500;
  private static final int BATCHES = 5000;

  /** Room for headers, the manifest and whatever else the machine does in the meantime. */
  private static final long RESERVE = 100_000_000;

  private DataSampling() {}

  record Result(long bytes, double writeSeconds, BatchTimes times) {}

  static long bytes(long transitions) {
    long episodes = (transitions + SyntheticWalker.STEPS - 1) / SyntheticWalker.STEPS;
    return (transitions + episodes) * SyntheticWalker.ROW_BYTES;
  }

  /** Refuses at once what would fail only after minutes. */
  static void checkSpace(long transitions, Path parent) {
    long needed = bytes(transitions) + RESERVE;
    long free = TemporaryFolder.free(parent);
    if (needed > free) {
      throw UserError.argument(
          "transitions",
          "%,d need %.1f GB in %s, and %.1f GB are free; take fewer, or another folder",
          transitions,
          needed / 1e9,
          parent,
          free / 1e9);
    }
  }

  static Result measure(long transitions, Path parent, Progress progress) {
    try (TemporaryFolder folder = TemporaryFolder.in(parent)) {
      long start = System.nanoTime();
      write(transitions, folder.path(), progress);
      double seconds = (System.nanoTime() - start) / 1e9;
      try (Dataset dataset = Dataset.open(folder.path())) {
        return new Result(
            bytes(transitions),
            seconds,
            BatchTimes.measure(dataset, WARM_UP, BATCHES, "sampling", progress));
      }
    }
  }

  private static void write(long transitions, Path folder, Progress progress) {
    SyntheticWalker walker = new SyntheticWalker();
    try (DatasetWriter writer = DatasetWriter.create(folder, SyntheticWalker.description());
        Progress.Bar bar = progress.start("writing transitions", transitions)) {
      while (writer.transitions() < transitions) {
        long left = transitions - writer.transitions();
        writer.append(walker.next((int) Math.min(SyntheticWalker.STEPS, left)));
        bar.update(writer.transitions(), "");
      }
      writer.flush();
    }
  }
}
