package dev.psm.lab.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.psm.agents.TrainingData;
import dev.psm.core.UserError;
import dev.psm.core.settings.Settings;
import dev.psm.lab.Provenance;
import dev.psm.zeroshot.AgentFolder;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;

/** The runs of a study: each is begun, gone on with, or taken as it is, and never another's. */
final class StudyRuns {
  private StudyRuns() {}

  /** Whether a run is there and done; one that is there but another is refused. */
  static boolean isFinished(Path path, RunDescription wanted) {
    if (!AgentFolder.isRun(path)) {
      return false;
    }
    RunFolder folder = new RunFolder(path);
    requireSame(path, folder.description(), wanted);
    return folder.finishedAt().isPresent();
  }

  /** Whether the run is finished now. */
  static boolean train(Path path, RunDescription wanted, TrainingData data, RunContext context) {
    TrainingOutcome outcome =
        AgentFolder.isRun(path)
            ? TrainingRun.resume(
                new RunFolder(path).description(), path, OptionalLong.empty(), data, context)
            : TrainingRun.start(wanted, path, false, data, context);
    return outcome.finished();
  }

  private static void requireSame(Path path, RunDescription found, RunDescription wanted) {
    Map<String, String> there = flat(found);
    Map<String, String> here = flat(wanted);
    Set<String> keys = new LinkedHashSet<>(there.keySet());
    keys.addAll(here.keySet());
    List<String> differences =
        keys.stream()
            .filter(key -> !Objects.equals(there.get(key), here.get(key)))
            .map(key -> "%s is %s, wanted %s".formatted(key, there.get(key), here.get(key)))
            .toList();
    if (!differences.isEmpty()) {
      throw UserError.argument(
          "out",
          "%s holds a run that is not the one wanted: %s; choose another folder, or delete it",
          path,
          String.join("; ", differences));
    }
  }

  /** What must not differ between two goes, by name. */
  private static Map<String, String> flat(RunDescription run) {
    Map<String, String> values = new LinkedHashMap<>();
    values.put("agent", run.agent().id());
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
