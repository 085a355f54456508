package dev.psm.bench.fuzz;

import dev.psm.agents.Trainer;
import dev.psm.agents.TrainingData;
import dev.psm.agents.control.ControlAgent;
import dev.psm.agents.control.ControlForwardBackward;
import dev.psm.core.Seeds;
import dev.psm.core.data.Columns;
import dev.psm.core.data.Dataset;
import dev.psm.core.data.DatasetCheck;
import dev.psm.core.data.DatasetDescription;
import dev.psm.core.data.DatasetWriter;
import dev.psm.core.data.Episode;
import dev.psm.core.env.World;
import dev.psm.core.env.Worlds;
import dev.psm.core.io.Json;
import dev.psm.lab.Progress;
import dev.psm.lab.Provenance;
import dev.psm.lab.run.Cadence;
import dev.psm.lab.run.Evaluator;
import dev.psm.lab.run.Grade;
import dev.psm.lab.run.RunContext;
import dev.psm.lab.run.RunCurves;
import dev.psm.lab.run.RunDescription;
import dev.psm.lab.run.RunFolder;
import dev.psm.lab.run.TrainingRun;
import dev.psm.torch.Device;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Datasets, and runs that learn from them. */
final class DataTargets {
  private static final World MAZE = Worlds.named("maze");
  private static final Columns COLUMNS =
      new Columns(MAZE.observationSize(), MAZE.actionSize(), MAZE.stateSize(), Map.of("reward", 1));
  private static final int ROWS = 9;

  private DataTargets() {}

  static List<FuzzTarget> datasets(Path parent) {
    Path folder = parent.resolve("dataset");
    collect(folder);
    Path manifest = folder.resolve("dataset.json");
    Path chunk = folder.resolve("chunk-000000.safetensors");
    return List.of(
        FileTarget.json("dataset.json", manifest, file -> readDataset(folder)),
        new FileTarget(
            "chunk",
            chunk,
            new SafetensorsMutator(FileTarget.contents(chunk)),
            new ChunkSize(chunk, manifest),
            file -> readDataset(folder)));
  }

  /** Lets the manifest have a chunk's size, or nothing but that would ever be looked at. */
  private record ChunkSize(Path chunk, Path manifest, String sound) implements Runnable {
    ChunkSize(Path chunk, Path manifest) {
      this(chunk, manifest, Json.pretty(Json.read(manifest)));
    }

    @Override
    public void run() {
      String bytes = "\"bytes\" : " + FileTarget.contents(chunk).length;
      FileTarget.write(
          manifest, sound.replaceFirst("\"bytes\" : \\d+", bytes).getBytes(StandardCharsets.UTF_8));
    }
  }

  private static void readDataset(Path folder) {
    DatasetCheck.of(folder).problems();
    try (Dataset dataset = Dataset.open(folder)) {
      long row = dataset.drawRow(Seeds.generator(0));
      dataset.gatherObservations(
          new long[] {row, row + 1}, new float[2 * dataset.columns().observation()]);
      dataset.episode(dataset.episodes() - 1);
    }
  }

  static List<FuzzTarget> runs(Path parent) {
    Path data = parent.resolve("data");
    collect(data);
    Path folder = parent.resolve("run");
    try (Dataset dataset = Dataset.open(data)) {
      RunDescription run =
          new RunDescription(
              ControlForwardBackward.AGENT,
              ControlAgent.DEFAULT_PRESET,
              ControlForwardBackward.AGENT.settings(
                  ControlAgent.DEFAULT_PRESET,
                  MAZE,
                  3,
                  List.of("batchSize=4", "featureDimension=2", "width=4", "featureWidth=4")),
              RunDescription.Data.of(data, dataset),
              List.of(0L, 7L),
              new Cadence(1, 1, 1, 1, 1),
              Provenance.software());
      RunContext alone =
          new RunContext(
              Device.CPU, Progress.SILENT, note -> {}, () -> false, (any, of) -> CONSTANT);
      TrainingRun.start(run, folder, false, new TrainingData.Recorded(MAZE, dataset), alone);
    }
    return List.of(
        FileTarget.json("run.json", folder.resolve("run.json"), file -> readRun(folder)),
        FileTarget.json("result.json", folder.resolve("result.json"), file -> readRun(folder)),
        FileTarget.text(
            "metrics.jsonl", folder.resolve("seed-0/metrics.jsonl"), file -> readRun(folder)));
  }

  private static final Evaluator CONSTANT =
      new Evaluator() {
        @Override
        public Grade grade() {
          return Grade.RETURNS;
        }

        @Override
        public Optional<Map<String, Double>> evaluate(
            Trainer trainer, long seed, Path folder, BooleanSupplier stop) {
          return Optional.of(Map.of("reach_top_left", 1.0));
        }

        @Override
        public void saveModel(Trainer trainer, long seed, Path folder) {}
      };

  private static void readRun(Path folder) {
    RunFolder run = new RunFolder(folder);
    RunDescription description = run.description();
    description.world();
    description.gradientSteps();
    run.finishedAt();
    new RunCurves(List.of(folder)).metrics();
  }

  /** Four episodes in two chunks, and an explorer's checkpoint. */
  private static void collect(Path folder) {
    DatasetDescription description =
        new DatasetDescription(MAZE.name(), "none", "random", Json.object(), 1, COLUMNS);
    try (DatasetWriter writer = DatasetWriter.create(folder, description)) {
      writer.checkpointWith(file -> FileTarget.write(file, new byte[10]));
      for (int i = 0; i < 4; i++) {
        writer.append(episode());
        if (i % 2 == 1) {
          writer.flush();
        }
      }
    }
  }

  private static Episode episode() {
    float[] discounts = new float[ROWS];
    Arrays.fill(discounts, 1);
    return new Episode(
        new float[ROWS * COLUMNS.observation()],
        new float[ROWS * COLUMNS.action()],
        discounts,
        new double[ROWS * COLUMNS.physics()],
        Map.of("reward", new float[ROWS]));
  }
}
