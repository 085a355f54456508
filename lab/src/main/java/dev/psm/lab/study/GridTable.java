package dev.psm.lab.study;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.agents.Agent;
import dev.psm.core.io.Json;
import dev.psm.core.stats.Interquartile;
import dev.psm.core.stats.MannWhitney;
import dev.psm.core.stats.Summary;
import dev.psm.view.report.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Runs of several seeds summed up, one row per map and agent, beside the paper's figures. */
public final class GridTable {
  private static final int RESAMPLES = 2000;

  /** What the others are compared with. */
  private static final String PSM = "psm";

  private final List<Row> rows;

  /**
   * @param pAgainstPsm Mann-Whitney, two-sided, on per-seed mean errors over all goals; NaN for PSM
   *     itself or one seed
   */
  record Row(
      String map,
      Agent agent,
      List<GridResult> runs,
      Summary allGoals,
      Summary sampledGoals,
      Interquartile interquartile,
      Summary valueLoss,
      Summary seconds,
      double pAgainstPsm) {}

  public GridTable(List<GridResult> runs) {
    Map<String, List<GridResult>> grouped = new LinkedHashMap<>();
    for (GridResult run : runs) {
      grouped
          .computeIfAbsent(run.map() + "/" + run.agent().id(), key -> new ArrayList<>())
          .add(run);
    }
    rows = new ArrayList<>();
    for (List<GridResult> group : grouped.values()) {
      GridResult first = group.get(0);
      String map = first.map();
      double[] errors = values(group, run -> run.grade().meanGoalError());
      List<GridResult> psm = grouped.get(map + "/" + PSM);
      double p =
          first.agent().id().equals(PSM) || psm == null || group.size() < 2 || psm.size() < 2
              ? Double.NaN
              : MannWhitney.test(values(psm, run -> run.grade().meanGoalError()), errors).p();
      rows.add(
          new Row(
              map,
              first.agent(),
              group,
              Summary.of(errors),
              Summary.of(values(group, run -> run.meanSampledError())),
              Interquartile.of(errors, RESAMPLES, 0),
              Summary.of(values(group, run -> run.grade().meanValueLoss())),
              Summary.of(values(group, GridResult::seconds)),
              p));
    }
  }

  List<Row> rows() {
    return rows;
  }

  static double[] values(List<GridResult> runs, ToDoubleFunction<GridResult> of) {
    return runs.stream().mapToDouble(of).toArray();
  }

  /** For a terminal. */
  public String text() {
    StringBuilder text = new StringBuilder();
    text.append(
        format(
            "%-18s %-10s %5s  %16s  %16s  %20s  %16s  %8s  %7s  %14s%n",
            "map",
            "agent",
            "seeds",
            "error, 10 goals",
            "error, all goals",
            "interquartile [95 %]",
            "value loss",
            "seconds",
            "p (PSM)",
            "paper"));
    for (Row row : rows) {
      PaperGrids.Figure paper = PaperGrids.error(row.runs().get(0).world().map(), row.agent());
      text.append(
          format(
              "%-18s %-10s %5d  %16s  %16s  %20s  %16s  %8.1f  %7s  %14s%n",
              row.map(),
              row.agent().title(),
              row.runs().size(),
              spread(row.sampledGoals()),
              spread(row.allGoals()),
              interval(row),
              spread(row.valueLoss()),
              row.seconds().mean(),
              Double.isNaN(row.pAgainstPsm()) ? "" : format("%.4f", row.pAgainstPsm()),
              paper == null ? "" : format("%.2f ± %.2f", paper.mean(), paper.spread())));
    }
    text.append("errors and value losses in per cent");
    text.append(severalSeeds() ? ", mean ± standard deviation over seeds" : " of one seed");
    return text.toString();
  }

  /** Of one seed nothing is known about the spread over seeds. */
  private static boolean hasInterval(Row row) {
    return row.runs().size() > 1;
  }

  private boolean severalSeeds() {
    return rows.stream().anyMatch(GridTable::hasInterval);
  }

  private static String interval(Row row) {
    Interquartile found = row.interquartile();
    return hasInterval(row)
        ? format("%.2f [%.2f, %.2f]", found.mean(), found.low(), found.high())
        : format("%.2f", found.mean());
  }

  private static String spread(Summary summary) {
    return summary.count() < 2
        ? format("%.2f", summary.mean())
        : format("%.2f ± %.2f", summary.mean(), summary.standardDeviation());
  }

  private static String format(String pattern, Object... arguments) {
    return String.format(Locale.ROOT, pattern, arguments);
  }

  public String csv() {
    StringBuilder csv =
        new StringBuilder(
            "map,agent,seed,error_10_goals,error_all_goals,value_loss,seconds,preset\n");
    for (Row row : rows) {
      for (GridResult run : row.runs()) {
        csv.append(
            format(
                "%s,%s,%d,%s,%s,%s,%s,%s%n",
                row.map().replace(',', '_'),
                row.agent().id(),
                run.seed(),
                run.meanSampledError(),
                run.grade().meanGoalError(),
                run.grade().meanValueLoss(),
                run.seconds(),
                run.preset()));
      }
    }
    return csv.toString();
  }

  public ObjectNode json() {
    ObjectNode document = Json.object();
    ArrayNode array = document.putArray("rows");
    for (Row row : rows) {
      ObjectNode node = array.addObject();
      node.put("map", row.map());
      node.put("agent", row.agent().id());
      node.put("preset", row.runs().get(0).preset());
      put(node.putObject("errorAllGoals"), row.allGoals());
      put(node.putObject("error10Goals"), row.sampledGoals());
      put(node.putObject("valueLoss"), row.valueLoss());
      put(node.putObject("seconds"), row.seconds());
      ObjectNode interquartile =
          node.putObject("interquartileMean").put("mean", row.interquartile().mean());
      if (hasInterval(row)) {
        interquartile.put("low", row.interquartile().low()).put("high", row.interquartile().high());
      }
      if (!Double.isNaN(row.pAgainstPsm())) {
        node.put("mannWhitneyAgainstPsm", row.pAgainstPsm());
      }
      PaperGrids.Figure paper = PaperGrids.error(row.runs().get(0).world().map(), row.agent());
      if (paper != null) {
        node.putObject("paper").put("mean", paper.mean()).put("spread", paper.spread());
      }
      ArrayNode seeds = node.putArray("perSeed");
      for (GridResult run : row.runs()) {
        seeds
            .addObject()
            .put("seed", run.seed())
            .put("errorAllGoals", run.grade().meanGoalError())
            .put("error10Goals", run.meanSampledError())
            .put("valueLoss", run.grade().meanValueLoss())
            .put("seconds", run.seconds());
      }
    }
    return document;
  }

  private static void put(ObjectNode node, Summary summary) {
    node.put("mean", summary.mean());
    if (summary.count() > 1) {
      node.put("standardDeviation", summary.standardDeviation());
    }
  }

  /** Errors beside the paper's. */
  Table errors() {
    Table table =
        Table.of(
            "Wrong actions in per cent%s. The paper's are for 10 goals."
                .formatted(severalSeeds() ? ": mean ± standard deviation over seeds" : ""),
            "map",
            "agent",
            "seeds",
            "10 goals",
            "paper",
            "all goals",
            "value loss",
            "seconds");
    for (Row row : rows) {
      PaperGrids.Figure paper = PaperGrids.error(row.runs().get(0).world().map(), row.agent());
      table.row(
          Table.text(row.map()),
          Table.text(row.agent().title()),
          Table.number(row.runs().size(), 0),
          cell(row.sampledGoals()),
          paper == null ? Table.text("") : Table.spread(paper.mean(), paper.spread(), 2),
          cell(row.allGoals()),
          cell(row.valueLoss()),
          Table.number(row.seconds().mean(), 0));
    }
    return table;
  }

  /** What the seeds allow to be said. */
  Table statistics() {
    Table table =
        Table.of(
            "Error over all goals: interquartile mean over seeds with its bootstrap interval, and Mann-Whitney's two-sided p"
                + " against PSM.",
            "map",
            "agent",
            "interquartile mean",
            "95 % interval",
            "p against PSM");
    for (Row row : rows) {
      table.row(
          Table.text(row.map()),
          Table.text(row.agent().title()),
          Table.number(row.interquartile().mean(), 2),
          Table.text(
              hasInterval(row)
                  ? format("%.2f to %.2f", row.interquartile().low(), row.interquartile().high())
                  : ""),
          Table.text(Double.isNaN(row.pAgainstPsm()) ? "" : format("%.4f", row.pAgainstPsm())));
    }
    return table;
  }

  private static Table.Cell cell(Summary summary) {
    return summary.count() < 2
        ? Table.number(summary.mean(), 2)
        : Table.spread(summary.mean(), summary.standardDeviation(), 2);
  }
}
