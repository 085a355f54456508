package dev.psm.lab.study;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.Wording;
import dev.psm.core.io.Json;
import dev.psm.core.stats.Summary;
import dev.psm.lab.Provenance;
import dev.psm.lab.run.GoalEvaluation;
import dev.psm.lab.run.Grade;
import dev.psm.lab.run.LearningCurve;
import dev.psm.lab.run.PaperFigures;
import dev.psm.view.report.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** A study of goals summed up: a line per agent, and every evaluation of every seed. */
public final class GoalStudyTable {
  private static final double PERCENT = 100;

  private final GoalStudy.Plan plan;
  private final GoalStudy.Outcome outcome;
  private final List<Line> lines = new ArrayList<>();

  /**
   * An agent's line, one number per seed: shares of goals, and a seed's part of the seconds.
   *
   * @param best of all evaluations
   * @param drop from the best to the last
   */
  private record Line(
      GoalStudy.Row row,
      long step,
      double[] best,
      double[] last,
      double[] drop,
      double[] lastAtEnd,
      double[] distance,
      double trainingSeconds,
      double solveSeconds) {}

  public GoalStudyTable(GoalStudy.Plan plan, GoalStudy.Outcome outcome) {
    this.plan = plan;
    this.outcome = outcome;
    outcome.rows().stream().filter(GoalStudy.Row::isEvaluated).forEach(row -> lines.add(line(row)));
  }

  private static Line line(GoalStudy.Row row) {
    double[] best = each(row, GoalStudyTable::best);
    double[] last = each(row, curve -> last(curve, GoalEvaluation.SUCCESS));
    double[] drop = new double[best.length];
    for (int i = 0; i < drop.length; i++) {
      drop[i] = best[i] - last[i];
    }
    LearningCurve.Point end = row.curves().get(0).last();
    return new Line(
        row,
        end.step(),
        best,
        last,
        drop,
        each(row, curve -> last(curve, GoalEvaluation.SUCCESS_AT_END)),
        each(row, curve -> last(curve, GoalEvaluation.FINAL_DISTANCE)),
        end.seconds() / best.length,
        Summary.of(each(row, curve -> last(curve, GoalEvaluation.SOLVE_SECONDS))).mean());
  }

  private static double[] each(GoalStudy.Row row, ToDoubleFunction<LearningCurve> of) {
    return row.curves().stream().mapToDouble(of).toArray();
  }

  private static double best(LearningCurve curve) {
    return curve.points().stream()
        .mapToDouble(point -> point.headline(Grade.GOALS))
        .max()
        .orElseThrow();
  }

  private static double last(LearningCurve curve, String name) {
    return curve.last().grades().getOrDefault(name, Double.NaN);
  }

  /** For a terminal. */
  public String text() {
    StringBuilder text = new StringBuilder();
    text.append(
        row(
            "success, %",
            "best", "last", "drop", "at the end", "distance, m", "s per seed", "updates"));
    for (Line line : lines) {
      text.append(
          row(
              line.row.variant().title(),
              percent(line.best),
              percent(line.last),
              percent(line.drop),
              percent(line.lastAtEnd),
              shown(line.distance, 1, 3),
              Wording.format("%.0f", line.trainingSeconds),
              updates(line)));
    }
    GoalEvaluation random = outcome.random();
    text.append(
        row(
            "random actions",
            "",
            Wording.format("%.1f", PERCENT * random.success()),
            "",
            Wording.format("%.1f", PERCENT * random.successAtEnd()),
            Wording.format("%.3f", random.meanFinalDistance()),
            "",
            ""));
    text.append(
        "%s per evaluation%s; drop is from a seed's best evaluation to its last"
            .formatted(
                Wording.count(plan.goals(), "goal"),
                plan.seeds().size() > 1
                    ? ", mean ± standard deviation over %d seeds".formatted(plan.seeds().size())
                    : ""));
    return text.toString();
  }

  private static String row(String name, Object... cells) {
    StringBuilder row = new StringBuilder(String.format(Locale.ROOT, "%-16s", name));
    for (Object cell : cells) {
      row.append(String.format(Locale.ROOT, "  %-15s", cell));
    }
    return row.toString().stripTrailing() + "\n";
  }

  private String updates(Line line) {
    int wanted = plan.gradientSteps(line.row.variant());
    return String.format(Locale.ROOT, "%,d", line.step)
        + (line.row.failure().isEmpty() ? "" : ", diverged")
        + (line.step < wanted ? String.format(Locale.ROOT, " of %,d", wanted) : "");
  }

  private static String percent(double[] perSeed) {
    return shown(perSeed, PERCENT, 1);
  }

  private static String shown(double[] perSeed, double factor, int decimals) {
    Summary summary = Summary.of(perSeed);
    String mean = decimal(factor * summary.mean(), decimals);
    return perSeed.length == 1
        ? mean
        : mean + " ± " + decimal(factor * summary.standardDeviation(), decimals);
  }

  private static String decimal(double value, int decimals) {
    return decimals == 1 ? Wording.format("%.1f", value) : Wording.format("%.3f", value);
  }

  /** Every evaluation of every seed. */
  public String csv() {
    List<String> names = new ArrayList<>(outcome.random().summary().keySet());
    StringBuilder csv = new StringBuilder("domain,variant,seed,step,seconds");
    names.forEach(name -> csv.append(',').append(Grade.GOALS.metric(name)));
    csv.append('\n');
    for (Line line : lines) {
      for (int i = 0; i < plan.seeds().size(); i++) {
        for (LearningCurve.Point point : line.row.curves().get(i).points()) {
          csv.append(
              "%s,%s,%d,%d,%s"
                  .formatted(
                      plan.world().name(),
                      line.row.variant().name(),
                      plan.seeds().get(i),
                      point.step(),
                      point.seconds()));
          names.forEach(name -> csv.append(',').append(point.grades().get(name)));
          csv.append('\n');
        }
      }
    }
    return csv.toString();
  }

  public ObjectNode json() {
    ObjectNode document = Json.object();
    document.put("environment", plan.world().name()).put("preset", plan.preset());
    document.put(Provenance.ENGINE, plan.world().engine());
    document.put("goals", plan.goals());
    ArrayNode seeds = document.putArray("seeds");
    plan.seeds().forEach(seeds::add);
    ArrayNode rows = document.putArray("rows");
    for (Line line : lines) {
      ObjectNode node = rows.addObject();
      node.put("variant", line.row.variant().name()).put("finished", line.row.finished());
      node.put("steps", line.step);
      put(node, "bestSuccess", line.best);
      put(node, "lastSuccess", line.last);
      put(node, "drop", line.drop);
      put(node, "lastSuccessAtEnd", line.lastAtEnd);
      put(node, "lastFinalDistance", line.distance);
      node.put("trainingSecondsPerSeed", line.trainingSeconds);
      node.put("solveSeconds", line.solveSeconds);
      PaperFigures.claim(plan.world(), line.row.variant().name())
          .ifPresent(claim -> node.put("paper", claim));
    }
    ObjectNode random = document.putObject("random");
    for (Map.Entry<String, Double> one : outcome.random().summary().entrySet()) {
      if (!one.getKey().equals(GoalEvaluation.SOLVE_SECONDS)) {
        random.put(one.getKey(), one.getValue());
      }
    }
    ArrayNode failed = document.putArray("failed");
    outcome
        .failures()
        .forEach(
            row ->
                failed
                    .addObject()
                    .put("variant", row.variant().name())
                    .put("reason", row.failure()));
    return document;
  }

  private static void put(ObjectNode node, String name, double[] perSeed) {
    Summary summary = Summary.of(perSeed);
    ObjectNode own = node.putObject(name).put("mean", summary.mean());
    if (perSeed.length > 1) {
      own.put("standardDeviation", summary.standardDeviation());
    }
    ArrayNode each = own.putArray("perSeed");
    for (double value : perSeed) {
      each.add(value);
    }
  }

  /** For a page. */
  Table table() {
    Table table =
        Table.of(
            "Share of %s that were reached, in per cent%s. Best is a seed's best evaluation, drop what it lost until the last; all seeds of an agent were trained side by side, and the seconds are a seed's part."
                .formatted(
                    Wording.count(plan.goals(), "goal"),
                    plan.seeds().size() > 1 ? ": mean ± standard deviation over seeds" : ""),
            "",
            "best",
            "last",
            "drop",
            "last, at the end",
            "distance at the end, m",
            "training per seed, s",
            "all goals solved in, s",
            "updates",
            "the paper says");
    for (Line line : lines) {
      table.row(
          Table.text(line.row.variant().title()),
          cell(line.best, PERCENT, 1),
          cell(line.last, PERCENT, 1),
          cell(line.drop, PERCENT, 1),
          cell(line.lastAtEnd, PERCENT, 1),
          cell(line.distance, 1, 3),
          Table.number(line.trainingSeconds, 1),
          Table.number(line.solveSeconds, 2),
          Table.text(updates(line)),
          Table.text(PaperFigures.claim(plan.world(), line.row.variant().name()).orElse("")));
    }
    GoalEvaluation random = outcome.random();
    table.row(
        Table.text("random actions"),
        Table.text(""),
        Table.number(PERCENT * random.success(), 1),
        Table.text(""),
        Table.number(PERCENT * random.successAtEnd(), 1),
        Table.number(random.meanFinalDistance(), 3),
        Table.text(""),
        Table.text(""),
        Table.text(""),
        Table.text(""));
    return table;
  }

  private static Table.Cell cell(double[] perSeed, double factor, int decimals) {
    Summary summary = Summary.of(perSeed);
    return perSeed.length == 1
        ? Table.number(factor * summary.mean(), decimals)
        : Table.spread(factor * summary.mean(), factor * summary.standardDeviation(), decimals);
  }
}
