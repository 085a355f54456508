package dev.psm.lab.study;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.errorprone.annotations.FormatMethod;
import dev.psm.core.UserError;
import dev.psm.core.Wording;
import dev.psm.core.io.Json;
import dev.psm.core.io.OutputFolder;
import dev.psm.lab.run.LearningCurve;
import dev.psm.lab.run.RunFolder;
import dev.psm.lab.study.ControlStudy.Cell;
import dev.psm.zeroshot.AgentFolder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * What is to be done of a study: steps, folders, memory of the data, what is finished; and how long
 * runs train, by those of the same kind that have ended in the study's folder, where there are
 * some.
 */
public final class StudyForecast {
  private static final double MEGABYTE = 1e6;
  private static final String UNKNOWN = "unknown";

  private final ControlStudy.Plan plan;
  private final List<Line> lines = new ArrayList<>();
  private final StepTimes times = new StepTimes();

  /**
   * A run.
   *
   * @param step where it was last evaluated; 0 where it was not yet
   * @param seconds that it trains in all; empty where that is not known
   * @param spent of them
   * @param dataBytes of the data in memory; empty where there is no data yet
   */
  private record Line(
      Cell cell,
      Path folder,
      int gradientSteps,
      boolean finished,
      long step,
      OptionalDouble seconds,
      double spent,
      OptionalLong dataBytes) {
    String state() {
      return dataBytes.isEmpty()
          ? "no data yet"
          : finished ? "finished" : step > 0 ? format("at step %,d", step) : "to do";
    }

    /** Still to be trained. */
    OptionalDouble left() {
      return finished
          ? OptionalDouble.of(0)
          : seconds.isPresent()
              ? OptionalDouble.of(Math.max(0, seconds.getAsDouble() - spent))
              : seconds;
    }
  }

  /**
   * @param cells all runs of the plan
   * @param trials of those that have data
   */
  StudyForecast(ControlStudy.Plan plan, List<Cell> cells, Map<Trial, Cell> trials) {
    this.plan = plan;
    for (Path world : folders(plan.out())) {
      for (Path variant : folders(world)) {
        folders(variant).stream()
            .filter(AgentFolder::isRun)
            .forEach(run -> take(run, world.getFileName().toString()));
      }
    }
    Map<Cell, Trial> byCell =
        trials.entrySet().stream()
            .collect(Collectors.toMap(Map.Entry::getValue, Map.Entry::getKey));
    cells.forEach(cell -> lines.add(line(cell, byCell.get(cell))));
  }

  private static List<Path> folders(Path folder) {
    return Files.isDirectory(folder)
        ? OutputFolder.visible(folder).stream().filter(Files::isDirectory).toList()
        : List.of();
  }

  /**
   * By its world and, for worlds without one of their own, by its kind alone. One that cannot be
   * read is passed over: it may be no run of this study, and would only serve an estimate.
   */
  private void take(Path folder, String world) {
    try {
      RunFolder run = new RunFolder(folder);
      if (run.finishedAt().isPresent()) {
        Trial trial = new Trial(folder, run.description());
        long steps = trial.run().gradientSteps();
        trial.curves().values().stream()
            .mapToDouble(curve -> curve.last().seconds())
            .max()
            .ifPresent(
                seconds -> {
                  times.add(world + trial.kind(), seconds, steps);
                  times.add(trial.kind(), seconds, steps);
                });
      }
    } catch (UserError unreadable) {
      // The study's own runs are read again, and refused by name.
    }
  }

  private Line line(Cell cell, Trial trial) {
    int steps = plan.gradientSteps(cell.domain(), cell.variant());
    if (trial == null) {
      return new Line(
          cell,
          plan.folder(cell),
          steps,
          false,
          0,
          OptionalDouble.empty(),
          0,
          OptionalLong.empty());
    }
    List<LearningCurve.Point> last =
        trial.curves().values().stream().map(LearningCurve::last).toList();
    OptionalDouble seconds = times.seconds(cell.domain().name() + trial.kind(), steps);
    return new Line(
        cell,
        plan.folder(cell),
        steps,
        trial.isFinished(),
        last.stream().mapToLong(LearningCurve.Point::step).min().orElse(0),
        seconds.isPresent() ? seconds : times.seconds(trial.kind(), steps),
        last.stream().mapToDouble(LearningCurve.Point::seconds).min().orElse(0),
        OptionalLong.of(TrainingWork.dataBytes(trial.run())));
  }

  private OptionalDouble left() {
    return lines.stream().anyMatch(line -> line.left().isEmpty())
        ? OptionalDouble.empty()
        : OptionalDouble.of(lines.stream().mapToDouble(line -> line.left().getAsDouble()).sum());
  }

  private long finished() {
    return lines.stream().filter(Line::finished).count();
  }

  /** For a terminal. */
  public String text() {
    StringBuilder text = new StringBuilder();
    List<String[]> rows = new ArrayList<>();
    rows.add(new String[] {"domain", "run", "steps", "state", "training", "data", "folder"});
    for (Line line : lines) {
      rows.add(
          new String[] {
            line.cell.domain().name(),
            line.cell.variant().title() + ", " + seeds(line.cell),
            format("%,d", line.gradientSteps),
            line.state(),
            line.seconds.isPresent() ? StepTimes.clock(line.seconds.getAsDouble()) : UNKNOWN,
            line.dataBytes.isPresent()
                ? format("%.1f MB", line.dataBytes.getAsLong() / MEGABYTE)
                : UNKNOWN,
            plan.out().relativize(line.folder).toString()
          });
    }
    for (String[] row : rows) {
      for (int i = 0; i < row.length; i++) {
        int column = i;
        int width = rows.stream().mapToInt(each -> each[column].length()).max().orElse(0);
        text.append(row[i])
            .append(" ".repeat(i < row.length - 1 ? width - row[i].length() + 2 : 0));
      }
      text.append('\n');
    }
    return text.append(
            "%s, into %s; %d finished%s"
                .formatted(
                    Wording.count(lines.size(), "run"),
                    Wording.shell(plan.out()),
                    finished(),
                    finished() < lines.size() ? "; " + others() : ""))
        .toString();
  }

  private String others() {
    OptionalDouble left = left();
    return left.isPresent()
        ? "training of the others takes %s in all, one after the other, and evaluations come to it"
            .formatted(StepTimes.clock(left.getAsDouble()))
        : "how long the others train is known once a run of each kind has ended here";
  }

  private static String seeds(Cell cell) {
    return (cell.seeds().size() > 1 ? "seeds " : "seed ")
        + cell.seeds().stream().map(String::valueOf).collect(Collectors.joining(", "));
  }

  @FormatMethod
  private static String format(String pattern, Object... arguments) {
    return Wording.format(pattern, arguments);
  }

  public ObjectNode json() {
    ObjectNode root = Json.object();
    root.put("out", plan.out().toString()).put("preset", plan.preset());
    ArrayNode rows = root.putArray("rows");
    for (Line line : lines) {
      ObjectNode node = rows.addObject();
      node.put("domain", line.cell.domain().name()).put("variant", line.cell.variant().name());
      line.cell.seeds().forEach(node.putArray("seeds")::add);
      node.put("gradientSteps", line.gradientSteps)
          .put("folder", plan.out().relativize(line.folder).toString())
          .put("finished", line.finished)
          .put("step", line.finished ? line.gradientSteps : line.step);
      line.seconds.ifPresent(seconds -> node.put("trainingSeconds", seconds));
      line.dataBytes.ifPresent(bytes -> node.put("dataBytes", bytes));
    }
    root.put("runs", lines.size()).put("finishedRuns", finished());
    left().ifPresent(left -> root.put("secondsLeft", left));
    return root;
  }
}
