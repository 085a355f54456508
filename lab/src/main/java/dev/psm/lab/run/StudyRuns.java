package dev.psm.lab.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.psm.agents.TrainingData;
import dev.psm.core.UserError;
import dev.psm.core.data.Dataset;
import dev.psm.core.data.DatasetDescription;
import dev.psm.core.env.World;
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

  /** One run counted twice would make a spread look smaller than it is. */
  static void requireDistinct(String what, List<?> values) {
    if (values.isEmpty()) {
      throw UserError.invalid("nothing to run: give at least one %s", what);
    }
    if (values.stream().distinct().count() < values.size()) {
      throw UserError.invalid("the same %s is given twice: %s", what, values);
    }
  }

  /** Refuses data of another world. */
  static void requireDataOf(World world, Dataset dataset, Path folder, String expected) {
    DatasetDescription description = dataset.description();
    if (!description.world().equals(world)) {
      throw UserError.argument(
          "data",
          "%s is of %s, expected %s; give %s",
          folder,
          description.environment(),
          world.name(),
          expected);
    }
  }

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
