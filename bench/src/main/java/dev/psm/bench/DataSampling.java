package dev.psm.bench;

import dev.psm.agents.Agents;
import dev.psm.agents.control.ControlAgent;
import dev.psm.agents.control.ControlSettings;
import dev.psm.agents.training.Draw;
import dev.psm.agents.training.Experience;
import dev.psm.agents.training.RandomInputs;
import dev.psm.core.UserError;
import dev.psm.core.data.Dataset;
import dev.psm.core.data.DatasetWriter;
import dev.psm.lab.Progress;
import dev.psm.torch.Tensors;
import dev.psm.zeroshot.InferenceSample;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * What pretraining and solving take out of a dataset: all of it as one tensor, batches of that by
 * row numbers, and the states that a model carries with it.
 */
final class DataSampling {
  static final int THREADS = 2;

  private static final int WARM_UP = 500;
  private static final int BATCHES = 5000;

  /** Room for headers, the manifest and whatever else the machine does in the meantime. */
  private static final long RESERVE = 100_000_000;

  private DataSampling() {}

  /**
   * What it came to.
   *
   * @param loadSeconds until the dataset is a tensor, its files checked and its numbers looked at
   * @param batch transitions in a batch
   * @param times of drawing a batch's rows and gathering it
   * @param sampleSeconds for states of an {@link InferenceSample} on {@link #THREADS} threads
   */
  record Result(
      long bytes,
      double writeSeconds,
      double loadSeconds,
      int batch,
      BatchTimes times,
      double sampleSeconds) {}

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
          "%,d of them need %.1f GB in %s, and %.1f GB are free; take fewer, or another folder",
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
      double writeSeconds = secondsSince(start);
      try (Dataset dataset = Dataset.open(folder.path())) {
        start = System.nanoTime();
        try (Experience experience = new Experience(dataset)) {
          double loadSeconds = secondsSince(start);
          ControlSettings settings = settings();
          BatchTimes times = batches(experience, settings, progress);
          start = System.nanoTime();
          InferenceSample.draw(
              dataset, SyntheticWalker.WORLD, InferenceSample.DEFAULT_SIZE, 0, THREADS);
          return new Result(
              bytes(transitions),
              writeSeconds,
              loadSeconds,
              settings.batchSize(),
              times,
              secondsSince(start));
        }
      }
    }
  }

  private static double secondsSince(long start) {
    return (System.nanoTime() - start) / 1e9;
  }

  /** Of published size. */
  private static ControlSettings settings() {
    ControlAgent agent = Agents.control().get(0);
    return agent.common(agent.preset("paper", SyntheticWalker.WORLD));
  }

  private static BatchTimes batches(
      Experience experience, ControlSettings settings, Progress progress) {
    RandomInputs inputs =
        new RandomInputs(List.of(0L), experience, settings.draws(experience.actionSize(), 1));
    Set<Draw> rows = Set.of(Draw.ROWS);
    return BatchTimes.measure(
        step -> Tensors.scoped(() -> experience.gather(inputs.draw(step, rows).get(Draw.ROWS))),
        WARM_UP,
        BATCHES,
        "gathering batches",
        progress);
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
