package dev.psm.bench;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.errorprone.annotations.FormatMethod;
import dev.psm.core.UserError;
import dev.psm.core.data.Dataset;
import dev.psm.core.data.DatasetGathering;
import dev.psm.core.data.DatasetWriter;
import dev.psm.core.env.Relabelling;
import dev.psm.core.env.World;
import dev.psm.core.io.Json;
import dev.psm.core.reward.Task;
import dev.psm.lab.Machine;
import dev.psm.lab.Progress;
import dev.psm.lab.compute.LocalWorkers;
import dev.psm.lab.compute.WorkContext;
import dev.psm.lab.infer.Inference;
import dev.psm.lab.infer.InferenceResult;
import dev.psm.zeroshot.ZeroShotAgent;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Task vectors of many formulas by a pass over generated data of the walker's size: time against
 * formulas and against rows, memory, what a second worker is worth, and how far the vectors are
 * from those of all states at once in memory.
 */
public final class InferBench {
  /** Formulas whose vectors are compared. */
  private static final int COMPARED = 5;

  private final Settings settings;
  private final Progress progress;
  private final StringBuilder text = new StringBuilder();
  private final ObjectNode document = Json.object();

  /**
   * What to measure.
   *
   * @param agent an agent of the walker
   * @param formulas how many, ascending; all of them with the second number of rows
   * @param rows how many transitions, ascending; all of them with the most formulas
   * @param workers each of these numbers of them, in turns, with the fewest rows and the most
   *     formulas; the others are compared with the first
   * @param folder where the temporary files go
   */
  public record Settings(
      Path agent, List<Integer> formulas, List<Long> rows, List<Integer> workers, Path folder) {}

  /** What was measured: a document, and the same for people. */
  public record Result(ObjectNode json, String text) {}

  private InferBench(Settings settings, Progress progress) {
    this.settings = settings;
    this.progress = progress;
  }

  public static Result run(Settings settings, Progress progress) {
    long most = settings.rows.get(settings.rows.size() - 1);
    DataSampling.checkSpace(most, settings.folder);
    try (TemporaryFolder folder = TemporaryFolder.in(settings.folder)) {
      InferBench bench = new InferBench(settings, progress);
      bench.measure(folder.path());
      return new Result(bench.document, bench.text.toString().stripTrailing());
    }
  }

  private void measure(Path folder) {
    int cores = Runtime.getRuntime().availableProcessors();
    document.put("machine", Machine.cpu()).put("cores", cores);
    line("%s, %d cores", Machine.cpu(), cores);
    List<Path> data = write(folder);
    World world = SyntheticWalker.WORLD;
    int most = settings.formulas.get(settings.formulas.size() - 1);
    List<Task> tasks = tasks(world, most);
    ArrayNode measured = document.putArray("measured");
    // What comes first also waits for its code to be compiled.
    infer(data.get(0), tasks, cores);
    line(
        "%-12s %-9s %-8s %-9s %-9s %-9s %-9s %s",
        "transitions",
        "formulas",
        "workers",
        "seconds",
        "pilot",
        "CPU s",
        "rows/s",
        "peak MB (heap and native, without files)");
    List<double[]> byRows = new ArrayList<>();
    for (int i = 0; i < data.size(); i++) {
      double cpuSeconds = measure(data.get(i), tasks, cores, measured).cpuSeconds();
      byRows.add(new double[] {settings.rows.get(i), cpuSeconds});
    }
    List<double[]> byFormulas = new ArrayList<>();
    for (int count : settings.formulas) {
      Path middle = data.get(Math.min(1, data.size() - 1));
      double cpuSeconds = measure(middle, tasks.subList(0, count), cores, measured).cpuSeconds();
      byFormulas.add(new double[] {count, cpuSeconds});
    }
    WorkerSpeedup speedup = new WorkerSpeedup();
    for (int turn = 0; turn < WorkerSpeedup.TURNS; turn++) {
      for (int workers : settings.workers) {
        speedup.add(workers, measure(data.get(0), tasks, workers, measured));
      }
    }
    speedup.lines(document.putArray("speedup")).forEach(each -> line("%s", each));
    slope("cpuSecondsPerMillionRows", "CPU seconds per million rows", 1e6, byRows);
    slope("cpuSecondsPerFormula", "CPU seconds per formula", 1, byFormulas);
    compare(data.get(0), tasks.subList(0, COMPARED), world);
  }

  /** Each is the one before it and more, by links. */
  private List<Path> write(Path folder) {
    List<Path> parts = new ArrayList<>();
    List<Path> data = new ArrayList<>();
    SyntheticWalker walker = new SyntheticWalker();
    long before = 0;
    for (long rows : settings.rows) {
      Path part = folder.resolve("part-" + parts.size());
      try (DatasetWriter writer = DatasetWriter.create(part, SyntheticWalker.description());
          Progress.Bar bar = progress.start("writing transitions", rows - before)) {
        while (writer.transitions() < rows - before) {
          long left = rows - before - writer.transitions();
          writer.append(walker.next((int) Math.min(SyntheticWalker.STEPS, left)));
          bar.update(writer.transitions(), "");
        }
        writer.flush();
      }
      before = rows;
      parts.add(part);
      data.add(folder.resolve("data-" + rows));
      DatasetGathering.gather(data.get(data.size() - 1), List.copyOf(parts), 1, Json.object());
    }
    return data;
  }

  /** Of four kinds, each with numbers of its own: 9 operations on average. */
  static List<Task> tasks(World world, int count) {
    SplittableRandom random = new SplittableRandom(1);
    List<Task> tasks = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      double a = random.nextDouble(0.1, 3);
      double b = random.nextDouble(0.1, 2);
      double c = random.nextDouble(-1, 1);
      String formula =
          String.format(
              Locale.ROOT,
              switch (i % 4) {
                case 0 -> "upright * clip(velocity_x / %1$.6f, 0, 1) + %2$.6f * torso_height";
                case 1 ->
                    "exp(-%1$.6f * abs(torso_height - %2$.6f)) * clip(%3$.6f - velocity_x, 0, 1)";
                case 2 ->
                    "torso_height > %2$.6f ? upright + %1$.6f : -0.1 * abs(velocity_x - %3$.6f)";
                default ->
                    "%1$.6f * velocity_x + %2$.6f * upright - 0.01 * (velocity_x - %3$.6f) ^ 2";
              },
              a,
              b,
              c);
      Task task = world.taskOrFormula(formula);
      tasks.add(new Task("r" + i, task.meaning(), formula, task.reward()));
    }
    return tasks;
  }

  private InferenceResult infer(Path data, List<Task> tasks, int workers) {
    return Inference.run(
            settings.agent,
            data,
            tasks,
            new LocalWorkers(workers),
            new WorkContext(progress, note -> {}, () -> false))
        .orElseThrow();
  }

  /** In CPU seconds, which tell more than the clock where others use the cores too. */
  private WorkerSpeedup.Pass measure(Path data, List<Task> tasks, int workers, ArrayNode measured) {
    System.gc();
    long cpu = cpuNanos();
    InferenceResult result;
    long peak;
    try (PeakMemory memory = new PeakMemory()) {
      result = infer(data, tasks, workers);
      peak = memory.peakBytes();
    }
    double cpuSeconds = (cpuNanos() - cpu) / 1e9;
    measured
        .addObject()
        .put("states", result.states())
        .put("formulas", tasks.size())
        .put("workers", workers)
        .put("seconds", result.seconds())
        .put("pilotSeconds", result.pilotSeconds())
        .put("cpuSeconds", cpuSeconds)
        .put("peakMegabytes", peak / 1e6);
    line(
        "%-12d %-9d %-8d %-9.1f %-9.1f %-9.1f %-9.0f %.0f",
        result.states(),
        tasks.size(),
        workers,
        result.seconds(),
        result.pilotSeconds(),
        cpuSeconds,
        result.states() / result.seconds(),
        peak / 1e6);
    return new WorkerSpeedup.Pass(result.seconds(), result.pilotSeconds(), cpuSeconds);
  }

  private static long cpuNanos() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  /** Of the line that fits best, and how far the measurements are from it at most. */
  private void slope(String key, String words, double unit, List<double[]> points) {
    if (points.size() < 2) {
      return;
    }
    double x = points.stream().mapToDouble(point -> point[0]).average().orElseThrow();
    double y = points.stream().mapToDouble(point -> point[1]).average().orElseThrow();
    double xx = 0;
    double xy = 0;
    for (double[] point : points) {
      xx += (point[0] - x) * (point[0] - x);
      xy += (point[0] - x) * (point[1] - y);
    }
    double slope = xy / xx;
    double start = y - slope * x;
    double worst = 0;
    for (double[] point : points) {
      worst = Math.max(worst, Math.abs(point[1] - start - slope * point[0]));
    }
    document.put(key, slope * unit).put(key + "Start", start).put(key + "Misfit", worst);
    line("%.4f %s, %.1f s to begin with; off by at most %.1f s", slope * unit, words, start, worst);
  }

  /** Everything at once in memory, as solve does with a sample. */
  private void compare(Path data, List<Task> tasks, World world) {
    InferenceResult found = infer(data, tasks, 1);
    double largest = 0;
    try (ZeroShotAgent agent = ZeroShotAgent.read(settings.agent);
        Dataset dataset = Dataset.open(data)) {
      int states = Math.toIntExact(dataset.transitions());
      float[] observations = new float[Math.multiplyExact(states, world.observationSize())];
      double[] physics = new double[Math.multiplyExact(states, world.stateSize())];
      int next = 0;
      for (int episode = 0; episode < dataset.episodes(); episode++) {
        int count = (int) (dataset.lastRow(episode) - dataset.firstRow(episode));
        long row = dataset.firstRow(episode) + 1;
        dataset.observations(row, count, observations, next * world.observationSize());
        dataset.physics(row, count, physics, next * world.stateSize());
        next += count;
      }
      int cores = Runtime.getRuntime().availableProcessors();
      double[][] rewards =
          new Relabelling(world, cores, (done, total) -> {}).rewards(tasks, physics);
      for (int i = 0; i < rewards.length; i++) {
        float[] wanted = agent.solveSamples(observations, rewards[i]).taskVector();
        float[] vector = found.tasks().get(i).vector();
        for (int j = 0; j < wanted.length; j++) {
          largest = Math.max(largest, Math.abs(wanted[j] - vector[j]));
        }
      }
    } catch (OutOfMemoryError e) {
      throw UserError.failed(e, "the states do not fit into memory at once; take fewer rows");
    }
    document.put("largestDifference", largest);
    line(
        "largest difference from the vectors of all %d states in memory: %.2g",
        found.states(), largest);
  }

  @FormatMethod
  private void line(String pattern, Object... arguments) {
    text.append(String.format(Locale.ROOT, pattern, arguments).stripTrailing()).append('\n');
  }
}
