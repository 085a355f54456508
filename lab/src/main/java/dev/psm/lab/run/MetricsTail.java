package dev.psm.lab.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.psm.core.UserError;
import dev.psm.core.io.AtomicFiles;
import dev.psm.core.io.Json;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads what a seed has logged since it was last looked at, for whoever watches a run: in one pass,
 * with a bounded number of lines kept, whatever the size of the log, and past damage, which is
 * told.
 */
public final class MetricsTail {
  /** Lines of training that are kept of one reading; those of evaluations are all kept. */
  public static final int KEPT = 2000;

  private static final int LONGEST_LINE = 1 << 20;

  private MetricsTail() {}

  /**
   * How far a log was read.
   *
   * @param file which file that was: a run that goes on from a checkpoint has a new one
   * @param offset in bytes, after a whole line
   * @param lines before it
   */
  public record Mark(String file, long offset, long lines) {
    public static final Mark BEGINNING = new Mark("", 0, 0);
  }

  /** One line, without numbers that are none. */
  public record Line(long step, Map<String, Double> values) {}

  /**
   * What was found.
   *
   * @param mark where to go on
   * @param anew whether it begins with the log's first line, because there was no mark or the log
   *     is another
   * @param every one of so many lines of training was kept
   * @param problem the first line that cannot be read; such lines are passed over
   */
  public record Reading(
      Mark mark, boolean anew, List<Line> lines, int every, Optional<String> problem) {}

  /** Reads on; a log that is not there yet is empty. */
  public static Reading read(Path seedFolder, Mark since) {
    Path file = seedFolder.resolve(MetricsLog.NAME);
    try {
      BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
      String key = found.fileKey() == null ? "file" : found.fileKey().toString();
      boolean goesOn = since.file.equals(key) && found.size() >= since.offset;
      return read(file, key, goesOn ? since : Mark.BEGINNING, !goesOn);
    } catch (NoSuchFileException e) {
      return new Reading(Mark.BEGINNING, true, List.of(), 1, Optional.empty());
    } catch (IOException e) {
      throw AtomicFiles.explain("read", file, e);
    }
  }

  private static Reading read(Path file, String key, Mark from, boolean anew) throws IOException {
    Kept kept = new Kept();
    long offset = from.offset;
    long number = from.lines;
    Optional<String> problem = Optional.empty();
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16)) {
      in.skipNBytes(from.offset);
      ByteArrayOutputStream line = new ByteArrayOutputStream();
      long length = 0;
      for (int next = in.read(); next >= 0; next = in.read()) {
        length++;
        if (next != '\n') {
          if (length <= LONGEST_LINE) {
            line.write(next);
          }
          continue;
        }
        number++;
        try {
          String place = "%s, line %d".formatted(file, number);
          if (length > LONGEST_LINE) {
            throw UserError.invalid("%s is longer than %d bytes", place, LONGEST_LINE);
          }
          kept.add(parse(line.toString(StandardCharsets.UTF_8), place));
        } catch (UserError damaged) {
          problem = problem.or(() -> Optional.of(damaged.getMessage()));
        }
        offset += length;
        length = 0;
        line.reset();
      }
      // What is left has no end yet: it is being written.
    }
    return new Reading(new Mark(key, offset, number), anew, kept.lines, kept.every, problem);
  }

  private static Line parse(String text, String place) {
    JsonNode node = Json.parse(text, place);
    JsonNode step = node.path(MetricsLog.STEP);
    if (!step.isIntegralNumber() || !step.canConvertToLong() || step.asLong() < 0) {
      throw UserError.invalid(
          "%s: field '%s' is %s, expected a whole number",
          place, MetricsLog.STEP, step.isMissingNode() ? "missing" : step);
    }
    Map<String, Double> values = new LinkedHashMap<>();
    node.fields()
        .forEachRemaining(
            field -> {
              boolean isMetric = !MetricsLog.CLOCKS.contains(field.getKey());
              if (isMetric && field.getValue().isNumber()) {
                double value = field.getValue().asDouble();
                if (Double.isFinite(value)) {
                  values.put(field.getKey(), value);
                }
              }
            });
    return new Line(step.asLong(), values);
  }

  /** Drops every other line of training whenever there are too many. */
  private static final class Kept {
    private List<Line> lines = new ArrayList<>();
    private int training;
    private int every = 1;
    private int seen;

    void add(Line line) {
      if (isEvaluation(line)) {
        lines.add(line);
        return;
      }
      if (seen++ % every == 0) {
        lines.add(line);
        training++;
      }
      if (training > KEPT) {
        thin();
      }
    }

    private void thin() {
      every *= 2;
      List<Line> fewer = new ArrayList<>();
      int index = 0;
      training = 0;
      for (Line line : lines) {
        if (isEvaluation(line)) {
          fewer.add(line);
        } else if (index++ % 2 == 0) {
          fewer.add(line);
          training++;
        }
      }
      lines = fewer;
    }

    private static boolean isEvaluation(Line line) {
      return line.values.keySet().stream().anyMatch(name -> Grade.of(name).isPresent());
    }
  }
}
