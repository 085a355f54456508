package dev.psm.lab.sweep;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.Wording;
import dev.psm.core.io.Json;
import dev.psm.lab.study.StepTimes;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * What is still to be done of a sweep, and how long it may take: by the seconds per gradient step
 * of its runs that have ended, where an agent has some on a world.
 */
public final class SweepForecast {
  private final SweepOutcome outcome;
  private final List<Line> lines = new ArrayList<>();

  /**
   * @param runs in all
   * @param ended of them
   * @param seconds of training of a run; empty where no run of the agent on the world has ended
   */
  private record Line(SweepCell cell, int runs, long ended, OptionalDouble seconds) {
    OptionalDouble left() {
      return seconds.isPresent()
          ? OptionalDouble.of((runs - ended) * seconds.getAsDouble())
          : seconds;
    }
  }

  public SweepForecast(SweepOutcome outcome) {
    this.outcome = outcome;
    StepTimes times = new StepTimes();
    for (SweepRow row : outcome.rows()) {
      row.results()
          .forEach(
              result -> times.add(group(row.cell()), result.seconds(), row.cell().gradientSteps()));
    }
    for (SweepRow row : outcome.rows()) {
      List<SweepPlan.Run> runs = outcome.plan().runs(row.cell());
      lines.add(
          new Line(
              row.cell(),
              runs.size(),
              row.results().size() / runs.get(0).seeds().size(),
              times.seconds(group(row.cell()), row.cell().gradientSteps())));
    }
  }

  private static String group(SweepCell cell) {
    return cell.world().label() + "/" + cell.agent().id();
  }

  private OptionalDouble left() {
    return lines.stream().anyMatch(line -> line.runs > line.ended && line.seconds.isEmpty())
        ? OptionalDouble.empty()
        : OptionalDouble.of(lines.stream().mapToDouble(line -> line.left().orElse(0)).sum());
  }

  /** For a terminal. */
  public String text() {
    StringBuilder text = new StringBuilder();
    for (Line line : lines) {
      text.append(
          "%s: %s of %s, %d ended%s%n"
              .formatted(
                  line.cell.world().label() + ", " + line.cell.name(),
                  Wording.count(line.runs, "run"),
                  Wording.count(line.cell.gradientSteps(), "gradient step"),
                  line.ended,
                  line.seconds.isPresent()
                      ? ", " + StepTimes.clock(line.seconds.getAsDouble()) + " each"
                      : ""));
    }
    Sweep sweep = outcome.plan().sweep();
    text.append(
        "%s (%s), each on %s, in %s; %d ended"
            .formatted(
                Wording.count(outcome.plan().size(), "run"),
                sweep.together()
                    ? Wording.count(sweep.seeds().size(), "seed") + " side by side in each"
                    : "a seed each",
                Wording.count(sweep.threads(), "core"),
                sweep.out(),
                outcome.finished()));
    if (outcome.finished() < outcome.plan().size()) {
      OptionalDouble left = left();
      text.append(
          left.isPresent()
              ? "; training of the others takes %s in all, one after the other"
                  .formatted(StepTimes.clock(left.getAsDouble()))
              : "; how long the others take is known once a run of each agent on each world has ended");
    }
    return text.toString();
  }

  public ObjectNode json() {
    ObjectNode root = Json.object();
    root.set("sweep", outcome.plan().sweep().toJson());
    ArrayNode rows = root.putArray("rows");
    for (Line line : lines) {
      ObjectNode node = rows.addObject();
      node.put("world", line.cell.world().label())
          .put("agent", line.cell.agent().id())
          .put("setting", line.cell.setting())
          .put("gradientSteps", line.cell.gradientSteps())
          .put("runs", line.runs)
          .put("ended", line.ended);
      line.seconds.ifPresent(seconds -> node.put("secondsPerRun", seconds));
      ArrayNode folders = node.putArray("folders");
      outcome
          .plan()
          .runs(line.cell)
          .forEach(
              run -> folders.add(outcome.plan().sweep().out().relativize(run.folder()).toString()));
    }
    root.put("runs", outcome.plan().size()).put("ended", outcome.finished());
    left().ifPresent(left -> root.put("secondsLeft", left));
    return root;
  }
}
