package dev.psm.lab.study;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import dev.psm.core.io.AtomicFiles;
import dev.psm.core.io.FolderLock;
import dev.psm.core.io.Json;
import dev.psm.core.io.JsonField;
import dev.psm.core.settings.Settings;
import dev.psm.lab.Provenance;
import dev.psm.lab.run.LearningCurve;
import dev.psm.lab.run.RunDescription;
import dev.psm.lab.run.RunFolder;
import dev.psm.torch.Device;
import dev.psm.torch.Precision;
import dev.psm.zeroshot.AgentFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A run that a study wants, and where: begun, gone on with, or taken as it is, and never another's.
 */
public record Trial(Path folder, RunDescription run) {
  static final String FOLDER = "folder";
  static final String RUN = "run";
  static final String PRECISION = "precision";
  static final String THREADS = "threads";

  public Trial {
    folder = folder.toAbsolutePath().normalize();
  }

  /** Whether the run is there and done; one that is there but another is refused. */
  public boolean isFinished() {
    if (!AgentFolder.isRun(folder)) {
      return false;
    }
    RunFolder found = new RunFolder(folder);
    requireSame(found.description());
    return found.finishedAt().isPresent();
  }

  /** What its seeds were worth so far; without those that were not evaluated yet. */
  Map<Long, LearningCurve> curves() {
    Map<Long, LearningCurve> curves = new LinkedHashMap<>();
    RunFolder found = new RunFolder(folder);
    for (long seed : run.seeds()) {
      found.curve(seed).ifPresent(curve -> curves.put(seed, curve));
    }
    return curves;
  }

  /**
   * What the time of a step depends on: the agent, its seeds, its settings but for the number of
   * steps, as long as phases keep their shares, and the device.
   */
  String kind() {
    Map<String, String> values = new TreeMap<>();
    flatten(Settings.toJson(run.settings()), values);
    values.remove("discount");
    double all = run.gradientSteps();
    values.replaceAll(
        (key, value) ->
            key.endsWith("Steps") && value.matches("\\d+")
                ? Double.toString(Double.parseDouble(value) / all)
                : value);
    values.put("agent", run.agent().id());
    values.put("seeds", Integer.toString(run.seeds().size()));
    values.put("device", run.provenance().path("device").asText());
    return values.toString();
  }

  /** The right to train there; empty while another process does. */
  Optional<FolderLock> tryLock() {
    try {
      return FolderLock.tryTake(folder);
    } catch (IOException e) {
      throw AtomicFiles.explain("write", folder, e);
    }
  }

  /** As a task of {@link TrainingWork}, the same wherever it was planned. */
  ObjectNode task(Device device, int threads) {
    ObjectNode task = Json.object().put(FOLDER, folder.toString()).put(THREADS, threads);
    if (device.isCuda()) {
      task.put(PRECISION, device.precision().name());
    }
    task.set(RUN, run.begun(Json.object().put(Provenance.ENGINE, run.engine())).toJson());
    return task;
  }

  static Trial of(ObjectNode task) {
    JsonField root = JsonField.of("a task", task);
    return new Trial(Path.of(root.get(FOLDER).text()), RunDescription.read(root.get(RUN)));
  }

  /** To be opened where the run is computed. */
  static Device device(ObjectNode task) {
    return task.has(PRECISION)
        ? Device.cuda(Precision.valueOf(task.path(PRECISION).asText().toUpperCase(Locale.ROOT)))
        : Device.CPU;
  }

  private void requireSame(RunDescription found) {
    Map<String, String> there = flat(found);
    Map<String, String> here = flat(run);
    Set<String> keys = new LinkedHashSet<>(there.keySet());
    keys.addAll(here.keySet());
    String differences =
        keys.stream()
            .filter(key -> !Objects.equals(there.get(key), here.get(key)))
            .map(key -> "%s is %s, wanted %s".formatted(key, there.get(key), here.get(key)))
            .collect(Collectors.joining("; "));
    if (!differences.isEmpty()) {
      throw UserError.argument(
          "out",
          "%s holds a run that is not the one wanted: %s; choose another folder, or delete it",
          folder,
          differences);
    }
  }

  /** What must not differ between two goes, by name. */
  private static Map<String, String> flat(RunDescription run) {
    Map<String, String> values = new LinkedHashMap<>();
    values.put("agent", run.agent().id());
    values.put("seeds", run.seeds().toString());
    flatten(Settings.toJson(run.settings()), values);
    values.put(Provenance.ENGINE, run.engine());
    values.put("the data's fingerprint", run.data().fingerprint());
    flatten(Settings.toJson(run.cadence()), values);
    // However often it was logged, it learned the same.
    values.remove("logEvery");
    return values;
  }

  private static void flatten(JsonNode node, Map<String, String> values) {
    node.fields()
        .forEachRemaining(
            field -> {
              if (field.getValue().isObject()) {
                flatten(field.getValue(), values);
              } else {
                values.put(field.getKey(), field.getValue().asText());
              }
            });
  }
}
