package dev.psm.lab.control;

import dev.psm.core.io.Json;
import dev.psm.core.report.HtmlReport;
import dev.psm.core.report.LineChart;
import dev.psm.core.stats.Summary;
import dev.psm.mujoco.suite.DomainFacts;
import java.nio.file.Path;
import java.util.List;

/** The page of a study: its table beside the paper's, its statistics and its learning curves. */
final class StudyReport {
  private final ControlStudy.Plan plan;
  private final List<ControlStudy.Run> runs;
  private final StudyTable table;

  StudyReport(ControlStudy.Plan plan, List<ControlStudy.Run> runs, StudyTable table) {
    this.plan = plan;
    this.runs = runs;
    this.table = table;
  }

  void writeTo(Path file) {
    HtmlReport report =
        HtmlReport.titled(plan.title())
            .lead(
                "Every agent learned once from reward-free experience, with the same networks, data"
                    + " and number of steps (preset "
                    + plan.preset()
                    + "). Then every task was named, and its policy inferred from 10,000 states of"
                    + " the data, with no further experience.");
    for (DomainFacts domain : plan.domains()) {
      List<ControlStudy.Run> own =
          runs.stream().filter(run -> run.domain().equals(domain)).toList();
      if (own.isEmpty()) {
        continue;
      }
      report.section(domain.title()).table(table.table(domain)).table(table.statistics(domain));
      report.figure(
          curves(domain, own),
          "Average return over the tasks during pretraining on "
              + domain.name()
              + "; mean and standard deviation over seeds.");
    }
    report.section("Settings and provenance");
    for (ControlStudy.Run run : runs) {
      if (run.seed() == plan.seeds().get(0)) {
        report.details(
            "%s on %s, seed %d".formatted(run.variant().title(), run.domain().name(), run.seed()),
            Json.pretty(Json.read(run.folder().resolve("run.json"))));
      }
    }
    report.writeTo(file);
  }

  private LineChart curves(DomainFacts domain, List<ControlStudy.Run> own) {
    LineChart chart =
        LineChart.of("Learning on " + domain.name(), "gradient steps", "average return");
    for (ControlStudy.Variant variant : plan.variants()) {
      List<LearningCurve> curves =
          own.stream()
              .filter(run -> run.variant().equals(variant))
              .map(ControlStudy.Run::curve)
              .toList();
      if (curves.isEmpty()) {
        continue;
      }
      int points = curves.stream().mapToInt(curve -> curve.points().size()).min().orElse(0);
      double[] steps = new double[points];
      double[] means = new double[points];
      double[] spreads = new double[points];
      for (int i = 0; i < points; i++) {
        int point = i;
        steps[i] = curves.get(0).points().get(i).step();
        Summary summary =
            Summary.of(
                curves.stream()
                    .mapToDouble(curve -> curve.points().get(point).average())
                    .toArray());
        means[i] = summary.mean();
        spreads[i] = curves.size() > 1 ? summary.standardDeviation() : 0;
      }
      chart.band(variant.title(), steps, means, spreads);
    }
    return chart;
  }
}
