package dev.psm.lab.collect;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import dev.psm.core.data.DatasetCheck;
import dev.psm.core.io.Json;
import dev.psm.lab.compute.WorkContext;
import dev.psm.lab.compute.Workers;
import dev.psm.lab.pass.DataPass;
import dev.psm.lab.pass.EpisodeRange;
import dev.psm.lab.pass.PassWork;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What is wrong with the files of a dataset, looked at by as many workers as there are. */
public final class FileChecks {
  private static final String DATASET = "dataset";
  private static final String FINGERPRINT = "fingerprint";
  private static final String FIRST = "firstFile";
  private static final String END = "endFile";
  private static final String PROBLEMS = "problems";
  private static final int MAX_PARTS = 256;

  private FileChecks() {}

  /** The problems found, in words; empty for a sound dataset. */
  public static List<String> problems(Path folder, Workers workers, WorkContext context) {
    DatasetCheck check = DatasetCheck.of(folder);
    long[] bytes = check.fileBytes();
    int each = Math.max(1, (bytes.length + MAX_PARTS - 1) / MAX_PARTS);
    List<ObjectNode> parts = new ArrayList<>();
    long[] sizes = new long[(bytes.length + each - 1) / each];
    for (int first = 0; first < bytes.length; first += each) {
      int end = Math.min(bytes.length, first + each);
      for (int file = first; file < end; file++) {
        sizes[parts.size()] += bytes[file];
      }
      parts.add(
          Json.object()
              .put(DATASET, folder.toAbsolutePath().normalize().toString())
              .put(FINGERPRINT, check.fingerprint())
              .put(FIRST, first)
              .put(END, end));
    }
    List<String> problems = new ArrayList<>();
    boolean all =
        parts.isEmpty()
            || DataPass.run(
                CheckWork.class,
                "check",
                parts,
                sizes,
                workers,
                context,
                answer -> {
                  for (JsonNode problem : answer.path(PROBLEMS)) {
                    problems.add(problem.asText());
                  }
                });
    if (!all) {
      throw UserError.failed(null, "stopped before all files of %s were checked", folder);
    }
    problems.addAll(check.checkpointProblems());
    return problems;
  }

  /** Looks at some files. */
  public static final class CheckWork extends PassWork {
    @Override
    protected Optional<ObjectNode> performPart(ObjectNode task, WorkContext context) {
      Path folder = Path.of(task.path(DATASET).asText());
      DatasetCheck check = DatasetCheck.of(folder);
      if (!check.fingerprint().equals(task.path(FINGERPRINT).asText())) {
        throw EpisodeRange.changed(folder);
      }
      ObjectNode answer = Json.object();
      ArrayNode problems = answer.putArray(PROBLEMS);
      check.problems(task.path(FIRST).asInt(), task.path(END).asInt()).forEach(problems::add);
      return Optional.of(answer);
    }
  }
}
