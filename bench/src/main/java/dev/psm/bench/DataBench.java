package dev.psm.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.errorprone.annotations.FormatMethod;
import dev.psm.core.UserError;
import dev.psm.core.io.Json;
import dev.psm.lab.Machine;
import dev.psm.lab.Progress;
import dev.psm.zeroshot.InferenceSample;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Datasets: opening a large one, what pretraining and solving take out of one, rewards of stored
 * states. A bar is judged only where the work is at least as much as the bar was set for.
 */
public final class DataBench {
  public static final long TRANSITIONS = 5_000_000;
  public static final double GIGABYTES = 20;
  public static final int STATES = 100_000;

  private static final double SAMPLING_BAR_MILLISECONDS = 1;
  private static final double OPENING_BAR_SECONDS = 1;
  private static final double HEAP_BAR_MEGABYTES = 2000;
  private static final double RELABELLING_BAR_SECONDS = 15;

  private final ObjectNode document = Json.object();
  private final StringBuilder text = new StringBuilder();
  private final List<Boolean> judged = new ArrayList<>();
  private final Settings settings;
  private final Progress progress;

  /**
   * What to measure.
   *
   * @param transitions in the dataset that batches are drawn from; 0 to leave that out
   * @param gigabytes of the dataset to be opened; 0 to leave that out
   * @param states to be relabelled; 0 to leave that out
   * @param folder where the temporary folders are made
   */
  public record Settings(long transitions, double gigabytes, int states, Path folder) {}

  /** What was measured: a document, and the same for people. */
  public record Result(ObjectNode json, String text) {}

  private DataBench(Settings settings, Progress progress) {
    this.settings = settings;
    this.progress = progress;
  }

  public static Result run(Settings settings, Progress progress) {
    if (!Files.isDirectory(settings.folder())) {
      throw UserError.usage("--folder must be a folder that is there, found %s", settings.folder());
    }
    DataSampling.checkSpace(settings.transitions(), settings.folder());
    DataBench bench = new DataBench(settings, progress);
    bench.describe();
    // First, because whoever opens a dataset does so with code that is not compiled yet.
    if (settings.gigabytes() > 0) {
      bench.opening();
    }
    if (settings.transitions() > 0) {
      bench.sampling();
    }
    if (settings.states() > 0) {
      bench.relabelling();
    }
    if (bench.judged.size() == 4) {
      bench.document.put("met", bench.judged.stream().allMatch(met -> met));
    }
    return new Result(bench.document, bench.text.toString().stripTrailing());
  }

  private void describe() {
    String java = System.getProperty("java.vm.name") + " " + Runtime.version();
    double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    document.put("machine", Machine.cpu()).put("loadAverage", load).put("java", java);
    document.put("folder", settings.folder().toString());
    line(
        "%s, load %.1f before this; %s; files in %s", Machine.cpu(), load, java, settings.folder());
    line("");
    line("%-52s %12s %10s", "", "measured", "bar");
  }

  private void opening() {
    ObjectNode node = document.putObject("opening");
    DataOpening.Result result;
    try {
      result = DataOpening.measure(settings.gigabytes(), settings.folder(), progress);
    } catch (DataOpening.Skipped e) {
      node.put("skipped", e.getMessage());
      line("opening a large dataset was left out: %s", e.getMessage());
      return;
    }
    boolean large = settings.gigabytes() >= GIGABYTES;
    node.put("gigabytes", result.bytes() / 1e9).put("chunks", result.chunks());
    node.put("episodes", result.episodes()).put("transitions", result.transitions());
    DataOpening.Timing first = result.first();
    DataOpening.Timing again = result.again();
    node.put("firstSeconds", first.seconds()).put("firstCpuSeconds", first.cpuSeconds());
    node.put("againSeconds", again.seconds()).put("againCpuSeconds", again.cpuSeconds());
    node.put("bar", OPENING_BAR_SECONDS);
    node.put("busy", first.busy()).put("judgedBy", first.busy() ? "cpu" : "wall");
    String met = met(node, large, first.judged() <= OPENING_BAR_SECONDS);
    ObjectNode heap = node.putObject("heap").put("megabytes", result.heapBytes() / 1e6);
    heap.put("bar", HEAP_BAR_MEGABYTES);
    String small = met(heap, large, result.heapBytes() / 1e6 <= HEAP_BAR_MEGABYTES);
    line(
        "opening %.1f GB, %,d transitions in %,d hollow chunks",
        result.bytes() / 1e9, result.transitions(), result.chunks());
    row("  the first time", first.seconds(), "s", OPENING_BAR_SECONDS, met);
    row("    processor time", first.cpuSeconds(), "s", Double.NaN, "");
    row("  again", again.seconds(), "s", Double.NaN, "");
    row("    processor time", again.cpuSeconds(), "s", Double.NaN, "");
    row("  heap after a collection", result.heapBytes() / 1e6, "MB", HEAP_BAR_MEGABYTES, small);
    if (first.busy()) {
      line("the machine was busy: of the first time, its processor time is judged");
    }
  }

  private void sampling() {
    ObjectNode node = document.putObject("sampling");
    DataSampling.Result result =
        DataSampling.measure(settings.transitions(), settings.folder(), progress);
    node.put("transitions", settings.transitions()).put("gigabytes", result.bytes() / 1e9);
    node.put("writeSeconds", result.writeSeconds()).put("loadSeconds", result.loadSeconds());
    result.times().describe(node.put("batchSize", result.batch()));
    node.putObject("inferenceSample")
        .put("states", InferenceSample.DEFAULT_SIZE)
        .put("threads", DataSampling.THREADS)
        .put("seconds", result.sampleSeconds());
    node.put("bar", SAMPLING_BAR_MILLISECONDS);
    String met =
        met(
            node,
            settings.transitions() >= TRANSITIONS,
            result.times().median() <= SAMPLING_BAR_MILLISECONDS);
    line("sampling %,d transitions, %.2f GB", settings.transitions(), result.bytes() / 1e9);
    row("  writing them, hashes included", result.writeSeconds(), "s", Double.NaN, "");
    row("  loading them, hashes included", result.loadSeconds(), "s", Double.NaN, "");
    BatchTimes times = result.times();
    String batch = "  drawing and gathering a batch of %,d, median".formatted(result.batch());
    row(batch, times.median(), "ms", SAMPLING_BAR_MILLISECONDS, met);
    row("    95 % are below", times.high(), "ms", Double.NaN, "");
    row("    mean", times.mean(), "ms", Double.NaN, "");
    row("    processor time, median", times.medianCpu(), "ms", Double.NaN, "");
    row("    processor time, mean", times.meanCpu(), "ms", Double.NaN, "");
    row("    the very first", times.first(), "ms", Double.NaN, "");
    row("    the very first, processor time", times.firstCpu(), "ms", Double.NaN, "");
    String states = "  a model's sample of %,d states".formatted(InferenceSample.DEFAULT_SIZE);
    row(states, result.sampleSeconds(), "s", Double.NaN, "");
  }

  private void relabelling() {
    ObjectNode node = document.putObject("relabelling");
    DataRelabelling.Result result = DataRelabelling.measure(settings.states(), progress);
    node.put("environment", "walker").put("states", settings.states());
    result.tasks().forEach(node.putArray("tasks")::add);
    node.put("statesSeconds", result.statesSeconds());
    describe(result.two(), node.putObject("twoThreads"));
    describe(result.one(), node.putObject("oneThread"));
    node.put("bar", RELABELLING_BAR_SECONDS);
    node.put("judgedBy", result.two().busy() ? "cpu" : "wall");
    String met =
        met(node, settings.states() >= STATES, result.two().judged() <= RELABELLING_BAR_SECONDS);
    line(
        "relabelling %,d states of the walker for %d tasks",
        settings.states(), result.tasks().size());
    row("  on two threads", result.two().seconds(), "s", RELABELLING_BAR_SECONDS, met);
    row("    processor time", result.two().cpuSeconds(), "s", Double.NaN, "");
    row("  on one thread", result.one().seconds(), "s", Double.NaN, "");
    row("    processor time", result.one().cpuSeconds(), "s", Double.NaN, "");
    if (result.two().busy()) {
      line(
          "the machine was busy, two threads got %.0f %% of two cores: half of their processor time"
              + " is judged",
          100 * result.two().share());
    }
  }

  private static void describe(DataRelabelling.Timing timing, ObjectNode node) {
    node.put("seconds", timing.seconds()).put("cpuSeconds", timing.cpuSeconds());
    node.put("shareOfCores", timing.share()).put("busy", timing.busy());
  }

  /** Notes whether a bar was met, where it can be judged, and says so in a word if not. */
  private String met(ObjectNode node, boolean enough, boolean met) {
    if (!enough) {
      return "not judged: too little work";
    }
    node.put("met", met);
    judged.add(met);
    return met ? "met" : "missed";
  }

  private void row(String what, double figure, String unit, double bar, String met) {
    String limit = Double.isNaN(bar) ? "" : String.format(Locale.ROOT, "%,.0f %s", bar, unit);
    String row =
        String.format(Locale.ROOT, "%-52s %,9.3f %-2s %10s  %s", what, figure, unit, limit, met);
    line("%s", row.stripTrailing());
  }

  @FormatMethod
  private void line(String format, Object... arguments) {
    text.append(String.format(Locale.ROOT, format, arguments)).append('\n');
  }
}
