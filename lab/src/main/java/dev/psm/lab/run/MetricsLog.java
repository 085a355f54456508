package dev.psm.lab.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import dev.psm.core.io.AtomicFiles;
import dev.psm.core.io.Json;
import dev.psm.core.io.OutputFolder;
import dev.psm.core.io.TensorBoardWriter;
import dev.psm.core.io.TextFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The learning curve of one seed, as JSON Lines and for TensorBoard. A line holds what training
 * says of a step, or what an evaluation found after it.
 */
final class MetricsLog implements AutoCloseable {
  static final String NAME = "metrics.jsonl";
  static final String STEP = "step";
  private static final String SECONDS = "seconds";

  /** When a line was written, and how long that took; all else on it was found out. */
  static final Set<String> CLOCKS = Set.of(STEP, SECONDS, GoalEvaluation.SOLVE_SECONDS);

  private final Path file;
  private final FileChannel lines;
  private final TensorBoardWriter events;
  private long evaluatedStep = -1;
  private Map<String, Double> evaluated = Map.of();

  private MetricsLog(Path file, FileChannel lines, TensorBoardWriter events) {
    this.file = file;
    this.lines = lines;
    this.events = events;
  }

  /**
   * Opens the log of a seed as it was right after a step: what lies beyond is dropped, and the
   * events are written anew from the lines, so that neither shows an interruption.
   */
  static MetricsLog open(Path folder, long step) {
    Path file = folder.resolve(NAME);
    for (Path old : OutputFolder.list(folder)) {
      if (old.getFileName().toString().startsWith("events.out.tfevents.")) {
        RunFolder.delete(old);
      }
    }
    String kept = kept(file, step);
    AtomicFiles.writeText(file, kept);
    TensorBoardWriter events = TensorBoardWriter.create(folder);
    try {
      FileChannel lines =
          FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
      MetricsLog log = new MetricsLog(file, lines, events);
      kept.lines().forEach(line -> log.show(Json.parse(line, file.toString())));
      return log;
    } catch (IOException e) {
      events.close();
      throw AtomicFiles.explain("write", file, e);
    }
  }

  /** All lines of a seed's log; the last one may be being written this moment, and is left out. */
  static List<JsonNode> read(Path folder) {
    Path file = folder.resolve(NAME);
    List<String> lines = TextFiles.lines(file, "a metrics log");
    List<JsonNode> read = new ArrayList<>();
    for (String line : lines) {
      try {
        read.add(Json.parse(line, "%s, line %d".formatted(file, read.size() + 1)));
      } catch (UserError e) {
        if (read.size() < lines.size() - 1) {
          throw e;
        }
      }
    }
    return read;
  }

  /** The lines up to a step. The last one may have been cut by a kill; it is beyond, then. */
  private static String kept(Path file, long step) {
    if (!Files.exists(file)) {
      return "";
    }
    String text = TextFiles.read(file, "a metrics log");
    StringBuilder kept = new StringBuilder();
    int number = 0;
    for (int start = 0; start < text.length(); ) {
      int end = text.indexOf('\n', start);
      if (end < 0) {
        break;
      }
      String line = text.substring(start, end);
      number++;
      JsonNode at;
      try {
        at = Json.parse(line, file + ", entry " + number).path(STEP);
      } catch (UserError e) {
        throw UserError.invalid("%s; delete the line", e.getMessage());
      }
      if (!at.isIntegralNumber()) {
        throw UserError.invalid(
            "%s, entry %d: field '%s' is %s, expected a whole number; delete the line",
            file, number, STEP, at.isMissingNode() ? "missing" : at);
      }
      if (at.asLong() <= step) {
        kept.append(line).append('\n');
      }
      start = end + 1;
    }
    return kept.toString();
  }

  void add(long step, double seconds, Map<String, Double> values) {
    ObjectNode line = Json.object();
    line.put(STEP, step);
    line.put(SECONDS, Math.round(seconds * 1000) / 1000.0);
    values.forEach(line::put);
    ByteBuffer bytes = ByteBuffer.wrap((Json.line(line) + "\n").getBytes(StandardCharsets.UTF_8));
    try {
      while (bytes.hasRemaining()) {
        lines.write(bytes);
      }
    } catch (IOException e) {
      throw AtomicFiles.explain("write", file, e);
    }
    show(line);
  }

  private void show(JsonNode line) {
    long step = line.path(STEP).asLong();
    Map<String, Double> grades = Grade.in(line);
    line.fields()
        .forEachRemaining(
            field -> {
              String name = field.getKey();
              if (!CLOCKS.contains(name)) {
                events.scalar(name, step, field.getValue().asDouble());
              }
            });
    if (!grades.isEmpty()) {
      evaluatedStep = step;
      evaluated = grades;
    }
  }

  /** The step of the last evaluation; −1 before the first. */
  long evaluatedStep() {
    return evaluatedStep;
  }

  /** What the last evaluation found. */
  Map<String, Double> evaluated() {
    return evaluated;
  }

  /** Makes the lines so far as durable as a checkpoint, which relies on them. */
  void force() {
    try {
      lines.force(false);
    } catch (IOException e) {
      throw AtomicFiles.explain("write", file, e);
    }
  }

  @Override
  public void close() {
    events.close();
    try {
      lines.close();
    } catch (IOException e) {
      throw AtomicFiles.explain("write", file, e);
    }
  }
}
