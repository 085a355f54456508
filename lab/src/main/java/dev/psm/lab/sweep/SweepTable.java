package dev.psm.lab.sweep;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.Wording;
import dev.psm.core.io.Json;
import dev.psm.core.stats.Interquartile;
import dev.psm.core.stats.Summary;
import dev.psm.lab.Provenance;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A sweep's table as text and as files. All but one field of the JSON document depends on what was
 * learned alone, so that sweeps of different machines can be compared as they are.
 */
public final class SweepTable {
  private static final List<String> COLUMNS =
      List.of(
          "grade",
          "seeds",
          "wanted",
          "mean",
          "standard_deviation",
          "interquartile_mean",
          "low",
          "high",
          "p_against_baseline",
          "best",
          "failed",
          "reason");

  private final SweepOutcome outcome;
  private final List<String> keys;

  public SweepTable(SweepOutcome outcome) {
    this.outcome = outcome;
    TreeSet<String> all = new TreeSet<>();
    outcome.rows().forEach(row -> all.addAll(row.cell().values().keySet()));
    keys = List.copyOf(all);
  }

  /** For a terminal. */
  public String text() {
    List<SweepRow> rows = outcome.rows();
    int worlds = width("world", rows.stream().map(row -> row.cell().world().label()).toList());
    int agents = width("agent", rows.stream().map(row -> row.cell().agent().title()).toList());
    int settings = width("setting", rows.stream().map(row -> row.cell().variation()).toList());
    String pattern = "%-" + worlds + "s  %-" + agents + "s  %-" + settings + "s  ";
    StringBuilder text =
        new StringBuilder(
            pattern.formatted("world", "agent", "setting")
                + "%-14s  %18s  %28s  %7s%n"
                    .formatted("seeds", "mean", "interquartile [95 %]", "p"));
    for (SweepRow row : rows) {
      SweepCell cell = row.cell();
      text.append(
              pattern.formatted(cell.world().label(), cell.agent().title(), cell.variation())
                  + "%-14s  %18s  %28s  %7s%s"
                      .formatted(
                          row.seeds(),
                          spread(row.summary()),
                          interval(row),
                          row.p().map(p -> Wording.format("%.4f", p)).orElse(""),
                          row.best() ? "  best" : ""))
          .append('\n');
    }
    for (SweptWorld world : outcome.plan().worlds()) {
      text.append(
          "%s: %s, %s is better; p against %s%n"
              .formatted(
                  world.label(),
                  world.unit(),
                  world.isSmallerBetter() ? "less" : "more",
                  outcome.plan().baseline(world.label()).name()));
    }
    return text.toString().stripTrailing();
  }

  private static int width(String heading, List<String> texts) {
    return Math.max(heading.length(), texts.stream().mapToInt(String::length).max().orElse(0));
  }

  static String spread(Summary summary) {
    return switch (summary.count()) {
      case 0 -> "";
      case 1 -> Wording.format("%.4g", summary.mean());
      default -> Wording.format("%.4g ± %.2g", summary.mean(), summary.standardDeviation());
    };
  }

  static String interval(SweepRow row) {
    return row.interquartile()
        .map(found -> Wording.format("%.4g [%.4g, %.4g]", found.mean(), found.low(), found.high()))
        .orElse("");
  }

  /** A line per world, agent and setting. */
  public String csv() {
    StringBuilder csv = header(COLUMNS);
    for (SweepRow row : outcome.rows()) {
      List<String> cells = cells(row.cell());
      Summary summary = row.summary();
      boolean several = summary.count() > 1;
      cells.addAll(
          List.of(
              row.cell().world().metric(),
              Integer.toString(summary.count()),
              Integer.toString(row.wanted()),
              summary.count() == 0 ? "" : Double.toString(summary.mean()),
              several ? Double.toString(summary.standardDeviation()) : "",
              row.interquartile().map(found -> Double.toString(found.mean())).orElse(""),
              row.interquartile().map(found -> Double.toString(found.low())).orElse(""),
              row.interquartile().map(found -> Double.toString(found.high())).orElse(""),
              row.p().map(p -> Double.toString(p)).orElse(""),
              row.best() ? "yes" : "",
              Integer.toString(row.failures().keySet().stream().mapToInt(List::size).sum()),
              String.join("; ", row.failures().values())));
      line(csv, cells);
    }
    return csv.toString();
  }

  /** A line per seed that has ended, with its value or with the reason why there is none. */
  public String trialsCsv() {
    StringBuilder csv = header(List.of("seed", "grade", "value", "reason"));
    for (SweepRow row : outcome.rows()) {
      String metric = row.cell().world().metric();
      for (SweepResult result : row.results()) {
        List<String> cells = cells(row.cell());
        cells.addAll(
            List.of(Long.toString(result.seed()), metric, Double.toString(result.value()), ""));
        line(csv, cells);
      }
      row.failures()
          .forEach(
              (seeds, reason) ->
                  seeds.forEach(
                      seed -> {
                        List<String> cells = cells(row.cell());
                        cells.addAll(List.of(Long.toString(seed), metric, "", reason));
                        line(csv, cells);
                      }));
    }
    return csv.toString();
  }

  private StringBuilder header(List<String> columns) {
    List<String> all = new ArrayList<>(List.of("world", "agent", "setting"));
    all.addAll(keys);
    all.addAll(columns);
    StringBuilder csv = new StringBuilder();
    line(csv, all);
    return csv;
  }

  private List<String> cells(SweepCell cell) {
    List<String> cells =
        new ArrayList<>(List.of(cell.world().label(), cell.agent().id(), cell.setting()));
    keys.forEach(key -> cells.add(cell.values().getOrDefault(key, "")));
    return cells;
  }

  private static void line(StringBuilder csv, List<String> cells) {
    csv.append(cells.stream().map(SweepTable::quoted).collect(Collectors.joining(",")))
        .append('\n');
  }

  /** As RFC 4180 has it; a reason of several lines stays on one. */
  private static String quoted(String cell) {
    String line = Wording.oneLine(cell);
    return line.contains(",") || line.contains("\"")
        ? '"' + line.replace("\"", "\"\"") + '"'
        : line;
  }

  public ObjectNode json() {
    ObjectNode root = Json.object();
    ObjectNode worlds = root.putObject("worlds");
    for (SweptWorld world : outcome.plan().worlds()) {
      worlds
          .putObject(world.label())
          .put("environment", world.world().name())
          .put("fingerprint", world.data().fingerprint())
          .put("grade", world.metric())
          .put("smallerIsBetter", world.isSmallerBetter())
          .put("baseline", outcome.plan().baseline(world.label()).name());
    }
    ArrayNode rows = root.putArray("rows");
    outcome.rows().forEach(row -> add(rows.addObject(), row));
    root.put("finishedRuns", outcome.finished()).put("failedRuns", outcome.failed());
    root.put("runs", outcome.plan().size());
    ObjectNode machine = root.putObject("machine");
    machine.set("provenance", Provenance.software());
    ArrayNode seconds = machine.putArray("trainingSeconds");
    for (SweepRow row : outcome.rows()) {
      if (!row.results().isEmpty()) {
        name(seconds.addObject(), row.cell())
            .put(
                "mean",
                row.results().stream().mapToDouble(SweepResult::seconds).average().orElseThrow());
      }
    }
    return root;
  }

  private static ObjectNode name(ObjectNode node, SweepCell cell) {
    return node.put("world", cell.world().label())
        .put("agent", cell.agent().id())
        .put("setting", cell.setting());
  }

  private static void add(ObjectNode node, SweepRow row) {
    name(node, row.cell());
    ObjectNode settings = node.putObject("settings");
    row.cell().values().forEach(settings::put);
    node.put("gradientSteps", row.cell().gradientSteps());
    Summary summary = row.summary();
    node.put("seeds", summary.count()).put("wanted", row.wanted());
    if (summary.count() > 0) {
      node.put("mean", summary.mean());
    }
    if (summary.count() > 1) {
      node.put("standardDeviation", summary.standardDeviation());
    }
    if (row.interquartile().isPresent()) {
      Interquartile found = row.interquartile().get();
      node.putObject("interquartileMean")
          .put("mean", found.mean())
          .put("low", found.low())
          .put("high", found.high());
    }
    row.p().ifPresent(p -> node.put("mannWhitneyAgainstBaseline", p));
    node.put("best", row.best());
    ArrayNode seeds = node.putArray("perSeed");
    row.results()
        .forEach(
            result -> seeds.addObject().put("seed", result.seed()).put("value", result.value()));
    ArrayNode failed = node.putArray("failed");
    for (Map.Entry<List<Long>, String> failure : row.failures().entrySet()) {
      ObjectNode one = failed.addObject();
      failure.getKey().forEach(one.putArray("seeds")::add);
      one.put("reason", failure.getValue());
    }
  }
}
