package dev.psm.lab.sweep;

import dev.psm.core.io.Json;
import dev.psm.lab.run.MetricCurves;
import dev.psm.lab.run.RunFolder;
import dev.psm.view.report.HtmlReport;
import dev.psm.view.report.LineChart;
import dev.psm.view.report.Table;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * The page of a sweep: a world's table, a figure for each swept setting, and how the best learned.
 */
final class SweepReport {
  private final SweepOutcome outcome;

  SweepReport(SweepOutcome outcome) {
    this.outcome = outcome;
  }

  void writeTo(Path file) {
    SweepPlan plan = outcome.plan();
    HtmlReport report =
        HtmlReport.titled("Sweep")
            .lead(
                "%d of %d runs have ended, %d of them without a result. Best is the setting of an agent with the best mean, of those that"
                        .formatted(
                            outcome.finished() + outcome.failed(), plan.size(), outcome.failed())
                    + " have a result for every seed.");
    for (SweptWorld world : plan.worlds()) {
      report.section(world.label()).table(table(world));
      TreeSet<String> keys = new TreeSet<>();
      outcome.rows(world).forEach(row -> keys.addAll(row.cell().values().keySet()));
      for (String key : keys) {
        new SettingFigure(world, key, outcome.rows(world)).addTo(report);
      }
      curves(report, world);
    }
    failures(report);
    report.section("The sweep").details("sweep.json", Json.pretty(plan.sweep().toJson()));
    report.writeTo(file);
  }

  private Table table(SweptWorld world) {
    Table table =
        Table.of(
            "%s; %s is better. Mean ± standard deviation over seeds; interquartile mean with its 95 %% bootstrap interval; p of"
                    .formatted(world.unit(), world.isSmallerBetter() ? "less" : "more")
                + " a two-sided Mann-Whitney test against "
                + outcome.plan().baseline(world.label()).name()
                + ".",
            "agent",
            "setting",
            "seeds",
            "mean",
            "interquartile mean",
            "p",
            "");
    for (SweepRow row : outcome.rows(world)) {
      table.row(
          Table.text(row.cell().agent().title()),
          Table.text(row.cell().variation()),
          Table.text(row.seeds()),
          Table.text(SweepTable.spread(row.summary())),
          Table.text(SweepTable.interval(row)),
          row.p().isPresent() ? Table.number(row.p().get(), 4) : Table.text(""),
          Table.text(row.best() ? "best" : ""));
    }
    return table;
  }

  /** Of the best setting of every agent, with the mean and spread over its seeds. */
  private void curves(HtmlReport report, SweptWorld world) {
    LineChart chart =
        LineChart.of("Learning on " + world.label(), "gradient steps", world.unit())
            .xFromZero()
            .yFromZero();
    boolean any = false;
    for (SweepRow row : outcome.rows(world)) {
      if (row.best()) {
        any |= MetricCurves.read(folders(row)).draw(world.metric(), row.cell().name(), chart);
      }
    }
    if (any) {
      report.figure(
          chart,
          "How the best setting of each agent learned; mean and standard deviation over seeds.");
    }
  }

  private List<Path> folders(SweepRow row) {
    List<Path> folders = new ArrayList<>();
    for (SweepPlan.Run run : outcome.plan().runs(row.cell())) {
      run.seeds().forEach(seed -> folders.add(new RunFolder(run.folder()).seed(seed)));
    }
    return folders;
  }

  private void failures(HtmlReport report) {
    if (outcome.failed() == 0) {
      return;
    }
    report.section("Runs without a result");
    for (SweepRow row : outcome.rows()) {
      row.failures()
          .forEach(
              (seeds, reason) ->
                  report.details(
                      "%s on %s, seeds %s"
                          .formatted(row.cell().name(), row.cell().world().label(), seeds),
                      reason));
    }
  }
}
