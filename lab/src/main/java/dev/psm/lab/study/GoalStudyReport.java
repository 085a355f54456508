package dev.psm.lab.study;

import dev.psm.core.io.Json;
import dev.psm.lab.run.GoalEvaluation;
import dev.psm.lab.run.MetricCurves;
import dev.psm.lab.run.RunFolder;
import dev.psm.view.report.HtmlReport;
import dev.psm.view.report.LineChart;
import dev.psm.zeroshot.AgentFolder;
import java.nio.file.Path;
import java.util.List;

/** The page of a study of goals: the figure, its table, and what else was found out. */
final class GoalStudyReport {
  private final GoalStudy.Plan plan;
  private final GoalStudy.Outcome outcome;
  private final GoalStudyTable table;

  GoalStudyReport(GoalStudy.Plan plan, GoalStudy.Outcome outcome, GoalStudyTable table) {
    this.plan = plan;
    this.outcome = outcome;
    this.table = table;
  }

  /** Success over the gradient steps, of all agents. */
  LineChart figure() {
    return chart(GoalEvaluation.SUCCESS, "success rate", outcome.random().success());
  }

  private LineChart chart(String metric, String unit, double random) {
    LineChart chart =
        LineChart.of(
                "%s on %s".formatted(metric.replace('_', ' '), plan.world().name()),
                "gradient steps",
                unit)
            .xFromZero()
            .yFromZero();
    for (GoalStudy.Row row : outcome.rows()) {
      RunFolder run = new RunFolder(row.folder());
      List<Path> seeds = plan.seeds().stream().map(run::seed).toList();
      MetricCurves.read(seeds).draw(metric, row.variant().title(), chart);
    }
    return chart.reference("random actions", random);
  }

  void writeTo(Path file) {
    boolean several = plan.seeds().size() > 1;
    HtmlReport report =
        HtmlReport.titled("Zero-shot goals of " + plan.world().name())
            .lead(
                "Every agent learned from the same reward-free experience, all seeds side by side,"
                    + " with the settings of preset "
                    + plan.preset()
                    + " unless said otherwise. At every evaluation the same goals were solved at"
                    + " once and then played: a goal counts as reached if an episode is ever within"
                    + " its radius.")
            .section("Success")
            .figure(
                figure(),
                "Share of %d goals that were reached, over the gradient steps%s."
                    .formatted(
                        plan.goals(),
                        several ? "; mean and standard deviation over seeds" : "; one seed"))
            .table(table.table())
            .section("Holding the goal")
            .panels(
                List.of(
                    chart(
                            GoalEvaluation.SUCCESS_AT_END,
                            "share of goals",
                            outcome.random().successAtEnd())
                        .panel(),
                    chart(
                            GoalEvaluation.FINAL_DISTANCE,
                            plan.world().episodeGoal().orElseThrow().distance().unit(),
                            outcome.random().meanFinalDistance())
                        .panel()));
    if (!outcome.failures().isEmpty()) {
      report.section("Runs that diverged");
      outcome.failures().forEach(row -> report.details(row.variant().title(), row.failure()));
    }
    report.section("Settings and provenance");
    for (GoalStudy.Row row : outcome.rows()) {
      report.details(
          row.variant().title(), Json.pretty(Json.read(row.folder().resolve(AgentFolder.RUN))));
    }
    report.writeTo(file);
  }
}
