package dev.psm.lab.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.agents.Agent;
import dev.psm.agents.Trainer;
import dev.psm.agents.TrainingData;
import dev.psm.core.UserError;
import dev.psm.core.UserError.Kind;
import dev.psm.core.data.Dataset;
import dev.psm.core.env.World;
import dev.psm.core.env.Worlds;
import dev.psm.core.io.AtomicFiles;
import dev.psm.core.io.Json;
import dev.psm.core.io.Safetensors;
import dev.psm.core.io.TensorData;
import dev.psm.core.settings.Settings;
import dev.psm.lab.Progress;
import dev.psm.lab.Provenance;
import dev.psm.lab.collect.Collection;
import dev.psm.torch.Device;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.function.Executable;

/** Tiny runs on a tiny dataset, and what is asked of their folders. */
public final class Runs {
  static final int STEPS = 60;
  static final World MAZE = Worlds.named("maze");

  private final Path data;

  /** Everything that a run said. */
  final List<String> notes = new ArrayList<>();

  Runs(Path data) {
    this.data = data;
  }

  /** Three episodes of random actions in the maze. */
  public static Path collect(Path folder, long seed) {
    Collection.atRandom(MAZE, new Collection.Plan(3000, 3, 1, seed), folder, Progress.SILENT);
    return folder;
  }

  RunDescription describe(Agent agent, List<Long> seeds, String... overrides) {
    List<String> settings =
        new ArrayList<>(List.of("batchSize=16", "featureDimension=4", "width=8", "featureWidth=8"));
    for (String override : overrides) {
      settings.removeIf(one -> one.startsWith(override.substring(0, override.indexOf('=') + 1)));
      settings.add(override);
    }
    try (Dataset dataset = Dataset.open(data)) {
      return new RunDescription(
          agent,
          "small",
          Settings.override(agent.withSteps(agent.preset("small", MAZE), STEPS), settings),
          RunDescription.Data.of(data, dataset),
          seeds,
          new Cadence(5, 20, 3, 15, 2),
          Provenance.software());
    }
  }

  RunDescription describe(Agent agent) {
    return describe(agent, List.of(0L));
  }

  /** The moment a killed run did not get beyond. */
  static final class Killed extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** Looks at no more than what a run has learned, and may be killed doing so. */
  static final class FakeEvaluator implements Evaluator {
    private final int killedAt;
    int evaluated;

    FakeEvaluator(int killedAt) {
      this.killedAt = killedAt;
    }

    @Override
    public Grade grade() {
      return Grade.RETURNS;
    }

    @Override
    public Optional<Map<String, Double>> evaluate(
        Trainer trainer, long seed, Path folder, BooleanSupplier stop) {
      if (++evaluated == killedAt) {
        throw new Killed();
      }
      if (stop.getAsBoolean()) {
        return Optional.empty();
      }
      double sum = 0;
      for (Map.Entry<String, TensorData> tensor : trainer.checkpoint(seed).entrySet()) {
        if (tensor.getKey().startsWith("actor/")) {
          for (float value : tensor.getValue().floats()) {
            sum += value;
          }
        }
      }
      Map<String, Double> returns = new LinkedHashMap<>();
      returns.put("here", sum);
      returns.put("there", 2 * sum);
      returns.put("average", 1.5 * sum);
      saveModel(trainer, seed, folder);
      return Optional.of(returns);
    }

    @Override
    public void saveModel(Trainer trainer, long seed, Path folder) {
      ObjectNode model = Json.object();
      AtomicFiles.writeText(folder.resolve("model.safetensors"), "");
      Json.write(folder.resolve("model.json"), model.put("step", trainer.stepsDone()));
    }
  }

  RunContext around(Progress progress, BooleanSupplier stop, Evaluator evaluator) {
    return new RunContext(Device.CPU, progress, notes::add, stop, (run, dataset) -> evaluator);
  }

  RunContext undisturbed() {
    return around(Progress.SILENT, () -> false, new FakeEvaluator(-1));
  }

  /** Killed right after the step of that number in this process, all else of it done. */
  RunContext killedAtStep(long step) {
    Progress progress =
        (label, total) ->
            new Progress.Bar() {
              @Override
              public void update(long done, String note) {
                if (done == step) {
                  throw new Killed();
                }
              }

              @Override
              public void close() {}
            };
    return around(progress, () -> false, new FakeEvaluator(-1));
  }

  /** Killed in the evaluation of that number. */
  RunContext killedAtEvaluation(int number) {
    return around(Progress.SILENT, () -> false, new FakeEvaluator(number));
  }

  /** Asked to stop when so many steps are done in this process. */
  RunContext stoppedAtStep(long step) {
    boolean[] stop = new boolean[1];
    Progress progress =
        (label, total) ->
            new Progress.Bar() {
              @Override
              public void update(long done, String note) {
                stop[0] = done >= step;
              }

              @Override
              public void close() {}
            };
    return around(progress, () -> stop[0], new FakeEvaluator(-1));
  }

  /** Asked to stop in the middle of the evaluation of that number. */
  RunContext stoppedAtEvaluation(int number) {
    FakeEvaluator evaluator = new FakeEvaluator(-1);
    // The loop asks before every evaluation, and the evaluation asks again.
    return around(Progress.SILENT, () -> evaluator.evaluated == number, evaluator);
  }

  TrainingOutcome start(RunDescription run, Path folder, RunContext around) {
    try (Dataset dataset = Dataset.open(run.data().folder().orElseThrow())) {
      return TrainingRun.start(
          run, folder, false, new TrainingData.Recorded(MAZE, dataset), around);
    }
  }

  TrainingOutcome resume(Path folder, RunContext around) {
    return resume(new RunFolder(folder).description(), folder, OptionalLong.empty(), around);
  }

  TrainingOutcome resume(RunDescription run, Path folder, OptionalLong from, RunContext around) {
    try (Dataset dataset = Dataset.open(run.data().folder().orElseThrow())) {
      return TrainingRun.resume(
          run, folder, from, new TrainingData.Recorded(MAZE, dataset), around);
    }
  }

  /** The log of a seed without what a clock decides. */
  static List<String> lines(Path folder, long seed) throws IOException {
    List<String> lines = new ArrayList<>();
    for (String line : Files.readAllLines(folder.resolve("seed-" + seed + "/metrics.jsonl"))) {
      ObjectNode node = (ObjectNode) Json.parse(line, "metrics.jsonl");
      assertTrue(node.remove("seconds").asDouble() >= 0);
      lines.add(Json.line(node));
    }
    return lines;
  }

  static Path checkpoint(Path folder, long seed, long step) {
    return folder.resolve("seed-%d/checkpoints/step-%09d.safetensors".formatted(seed, step));
  }

  static Map<String, TensorData> tensors(Path folder, long seed, long step) {
    return Safetensors.read(checkpoint(folder, seed, step)).tensors();
  }

  /** The names in a folder, hidden ones too. */
  static List<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  /** Two runs that nobody could tell apart but by the clock. */
  static void assertSame(Path expected, Path found, List<Long> seeds, long step)
      throws IOException {
    for (long seed : seeds) {
      assertEquals(lines(expected, seed), lines(found, seed));
      assertEquals(tensors(expected, seed, step), tensors(found, seed, step));
      assertEquals(
          Files.readString(expected.resolve("seed-" + seed + "/model.json")),
          Files.readString(found.resolve("seed-" + seed + "/model.json")));
      assertEquals(Files.size(events(expected, seed)), Files.size(events(found, seed)), "events");
    }
  }

  static Path events(Path folder, long seed) throws IOException {
    List<String> files =
        names(folder.resolve("seed-" + seed)).stream()
            .filter(name -> name.startsWith("events."))
            .toList();
    assertEquals(1, files.size(), files.toString());
    return folder.resolve("seed-" + seed).resolve(files.get(0));
  }

  public static UserError refused(Kind kind, Executable work, String... words) {
    UserError error = assertThrows(UserError.class, work);
    assertEquals(kind, error.kind(), error.getMessage());
    for (String word : words) {
      assertTrue(
          error.getMessage().contains(word), "'" + word + "' is not in: " + error.getMessage());
    }
    return error;
  }
}
