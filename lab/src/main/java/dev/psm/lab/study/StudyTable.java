package dev.psm.lab.study;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.errorprone.annotations.FormatMethod;
import dev.psm.core.Wording;
import dev.psm.core.env.World;
import dev.psm.core.io.Json;
import dev.psm.core.reward.Task;
import dev.psm.core.stats.Interquartile;
import dev.psm.core.stats.MannWhitney;
import dev.psm.core.stats.Summary;
import dev.psm.lab.Provenance;
import dev.psm.lab.run.Grade;
import dev.psm.lab.run.ReferenceReturns;
import dev.psm.view.report.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Runs of a study summed up: a row per domain and task, a column per variant, ours and the paper's.
 */
public final class StudyTable {
  private static final int RESAMPLES = 2000;
  private static final int DECIMALS = 1;

  private final ControlStudy.Plan plan;
  private final ControlStudy.Outcome outcome;

  public StudyTable(ControlStudy.Plan plan, ControlStudy.Outcome outcome) {
    this.plan = plan;
    this.outcome = outcome;
  }

  private List<ControlStudy.Run> of(World domain, ControlStudy.Variant variant) {
    return outcome.runs(domain, variant);
  }

  /** One value per seed: a task's return, or the average over tasks. */
  private double[] returns(World domain, ControlStudy.Variant variant, String task) {
    return of(domain, variant).stream()
        .mapToDouble(run -> run.curve().last().grades().getOrDefault(task, Double.NaN))
        .toArray();
  }

  private static List<String> rows(World domain) {
    List<String> rows = new ArrayList<>(domain.tasks().stream().map(Task::name).toList());
    rows.add(Grade.RETURNS.headline());
    return rows;
  }

  private static Optional<Double> paper(World domain, ControlStudy.Variant variant, String row) {
    return ReferenceReturns.PAPER.mean(domain, row, variant.name());
  }

  /** Mann-Whitney's two-sided p of per-seed averages against the first variant. */
  private Optional<Double> significance(World domain, ControlStudy.Variant variant) {
    ControlStudy.Variant first = plan.variants().get(0);
    double[] own = returns(domain, variant, Grade.RETURNS.headline());
    double[] reference = returns(domain, first, Grade.RETURNS.headline());
    return variant.equals(first) || own.length < 2 || reference.length < 2
        ? Optional.empty()
        : Optional.of(MannWhitney.test(reference, own).p());
  }

  /** Over seeds and tasks together; a seed's tasks come from one model. */
  private Optional<Interquartile> interquartile(World domain, ControlStudy.Variant variant) {
    List<ControlStudy.Run> own = of(domain, variant);
    if (own.isEmpty()) {
      return Optional.empty();
    }
    double[][] scores =
        own.stream()
            .map(
                run ->
                    domain.tasks().stream()
                        .mapToDouble(task -> run.curve().last().grades().get(task.name()))
                        .toArray())
            .toArray(double[][]::new);
    return Optional.of(Interquartile.ofRuns(scores, RESAMPLES, 0));
  }

  private double seconds(World domain, ControlStudy.Variant variant) {
    return of(domain, variant).stream()
        .mapToDouble(run -> run.curve().last().seconds())
        .average()
        .orElse(Double.NaN);
  }

  /** For a terminal. */
  public String text() {
    StringBuilder text = new StringBuilder();
    text.append(format("%-16s %-20s", "domain", "task"));
    plan.variants().forEach(variant -> text.append(format("  %-26s", variant.title())));
    text.append('\n');
    for (World domain : plan.domains()) {
      for (String row : rows(domain)) {
        text.append(format("%-16s %-20s", domain.name(), row));
        for (ControlStudy.Variant variant : plan.variants()) {
          text.append(format("  %-26s", cell(domain, variant, row)));
        }
        text.append('\n');
      }
      line(text, "seeds", variant -> seeds(domain, variant));
      line(text, "interquartile mean", variant -> interval(domain, variant));
      line(
          text,
          "p against " + plan.variants().get(0).title(),
          variant -> significance(domain, variant).map(p -> format("%.4f", p)).orElse(""));
      line(
          text,
          "training, minutes",
          variant -> {
            double seconds = seconds(domain, variant);
            return Double.isNaN(seconds) ? "" : format("%.1f", seconds / 60);
          });
    }
    text.append(
        hasIntervals()
            ? "returns of 1000: mean ± standard deviation over seeds, (the paper's mean); the"
                + " interval is a 95 % bootstrap over seeds"
            : "returns of 1000 of one seed, (the paper's mean)");
    return text.toString();
  }

  private boolean hasIntervals() {
    return plan.domains().stream().anyMatch(this::hasIntervals);
  }

  private boolean hasIntervals(World domain) {
    return plan.variants().stream().anyMatch(variant -> hasInterval(domain, variant));
  }

  private interface Words {
    String of(ControlStudy.Variant variant);
  }

  private void line(StringBuilder text, String name, Words words) {
    text.append(format("%-16s %-20s", "", name));
    plan.variants().forEach(variant -> text.append(format("  %-26s", words.of(variant))));
    text.append('\n');
  }

  /** As in "5", or "3 of 5, 1 diverged". */
  private String seeds(World domain, ControlStudy.Variant variant) {
    int count = of(domain, variant).size();
    int wanted = plan.seeds().size();
    int failed = outcome.failures(domain, variant).size();
    return count
        + (count < wanted ? " of " + wanted : "")
        + (failed > 0 ? ", " + failed + " diverged" : "");
  }

  /** Of one seed nothing is known about the spread over seeds. */
  private boolean hasInterval(World domain, ControlStudy.Variant variant) {
    return of(domain, variant).size() > 1;
  }

  private String interval(World domain, ControlStudy.Variant variant) {
    return interquartile(domain, variant)
        .map(
            found ->
                hasInterval(domain, variant)
                    ? format("%.1f [%.1f, %.1f]", found.mean(), found.low(), found.high())
                    : format("%.1f", found.mean()))
        .orElse("");
  }

  private String cell(World domain, ControlStudy.Variant variant, String row) {
    double[] values = returns(domain, variant, row);
    String ours =
        values.length == 0
            ? "-"
            : values.length == 1
                ? format("%.1f", values[0])
                : format(
                    "%.1f ± %.1f",
                    Summary.of(values).mean(), Summary.of(values).standardDeviation());
    return ours + paper(domain, variant, row).map(mean -> format(" (%.1f)", mean)).orElse("");
  }

  @FormatMethod
  private static String format(String pattern, Object... arguments) {
    return Wording.format(pattern, arguments);
  }

  /** Every return of every seed. */
  public String csv() {
    StringBuilder csv = new StringBuilder("domain,variant,seed,task,return,seconds\n");
    for (ControlStudy.Run run : outcome.runs()) {
      run.curve()
          .last()
          .grades()
          .forEach(
              (task, value) ->
                  csv.append(
                      format(
                          "%s,%s,%d,%s,%s,%s%n",
                          run.cell().domain().name(),
                          run.cell().variant().name(),
                          run.cell().seed(),
                          task,
                          value,
                          run.curve().last().seconds())));
    }
    return csv.toString();
  }

  public ObjectNode json() {
    ObjectNode document = Json.object();
    document.put("preset", plan.preset());
    // A study is of one engine: runs of another are refused.
    document.put(Provenance.ENGINE, plan.domains().get(0).engine());
    ArrayNode rows = document.putArray("rows");
    for (World domain : plan.domains()) {
      for (ControlStudy.Variant variant : plan.variants()) {
        if (!of(domain, variant).isEmpty()) {
          describe(domain, variant, rows.addObject());
        }
      }
    }
    ArrayNode failed = document.putArray("failed");
    for (ControlStudy.Failure failure : outcome.failures()) {
      failed
          .addObject()
          .put("domain", failure.cell().domain().name())
          .put("variant", failure.cell().variant().name())
          .put("seed", failure.cell().seed())
          .put("reason", failure.reason());
    }
    return document;
  }

  private void describe(World domain, ControlStudy.Variant variant, ObjectNode node) {
    node.put("domain", domain.name());
    node.put("variant", variant.name());
    ArrayNode seeds = node.putArray("seeds");
    of(domain, variant).forEach(run -> seeds.add(run.cell().seed()));
    node.put("trainingSeconds", seconds(domain, variant));
    ObjectNode returns = node.putObject("returns");
    for (String row : rows(domain)) {
      double[] values = returns(domain, variant, row);
      ObjectNode own = returns.putObject(row);
      own.put("mean", Summary.of(values).mean());
      if (values.length > 1) {
        own.put("standardDeviation", Summary.of(values).standardDeviation());
      }
      ArrayNode perSeed = own.putArray("perSeed");
      for (double value : values) {
        perSeed.add(value);
      }
      paper(domain, variant, row).ifPresent(mean -> own.put("paper", mean));
    }
    interquartile(domain, variant)
        .ifPresent(
            found -> {
              ObjectNode own = node.putObject("interquartileMean").put("mean", found.mean());
              if (hasInterval(domain, variant)) {
                own.put("low", found.low()).put("high", found.high());
              }
            });
    significance(domain, variant).ifPresent(p -> node.put("mannWhitney", p));
  }

  /** For a page: returns of a domain beside the paper's. */
  Table table(World domain) {
    List<String> columns = new ArrayList<>(List.of("task"));
    for (ControlStudy.Variant variant : plan.variants()) {
      columns.add(variant.title());
      columns.add("paper");
    }
    Table table =
        Table.of(
            "Returns of 1000 on %s: %s."
                .formatted(
                    domain.title(),
                    hasIntervals(domain)
                        ? "mean ± standard deviation over seeds"
                        : "one seed, so nothing is known of the spread"),
            columns.toArray(String[]::new));
    for (String row : rows(domain)) {
      List<Table.Cell> cells = new ArrayList<>(List.of(Table.text(row)));
      for (ControlStudy.Variant variant : plan.variants()) {
        Summary summary = Summary.of(returns(domain, variant, row));
        cells.add(
            summary.count() == 0
                ? Table.text("")
                : summary.count() == 1
                    ? Table.number(summary.mean(), DECIMALS)
                    : Table.spread(summary.mean(), summary.standardDeviation(), DECIMALS));
        cells.add(
            paper(domain, variant, row)
                .map(mean -> Table.number(mean, DECIMALS))
                .orElse(Table.text("")));
      }
      table.row(cells.toArray(Table.Cell[]::new));
    }
    return table;
  }

  /** For a page: what the seeds allow to be said. */
  Table statistics(World domain) {
    Table table =
        Table.of(
            hasIntervals(domain)
                ? "Interquartile mean over seeds and tasks with its bootstrap interval over seeds,"
                    + " and Mann-Whitney's two-sided p of the averages."
                : "Interquartile mean over tasks.",
            "",
            "seeds",
            hasIntervals(domain) ? "interquartile mean [95 %]" : "interquartile mean",
            "p against " + plan.variants().get(0).title(),
            "training, minutes");
    for (ControlStudy.Variant variant : plan.variants()) {
      double seconds = seconds(domain, variant);
      if (!of(domain, variant).isEmpty() || !outcome.failures(domain, variant).isEmpty()) {
        table.row(
            Table.text(variant.title()),
            Table.text(seeds(domain, variant)),
            Table.text(interval(domain, variant)),
            Table.text(significance(domain, variant).map(p -> format("%.4f", p)).orElse("")),
            Double.isNaN(seconds) ? Table.text("") : Table.number(seconds / 60, 1));
      }
    }
    return table;
  }
}
