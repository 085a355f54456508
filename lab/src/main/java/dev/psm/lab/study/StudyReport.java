package dev.psm.lab.study;

import dev.psm.core.env.World;
import dev.psm.core.io.Json;
import dev.psm.lab.run.Grade;
import dev.psm.lab.run.MetricCurves;
import dev.psm.lab.run.ReferenceReturns;
import dev.psm.lab.run.RunFolder;
import dev.psm.view.report.HtmlReport;
import dev.psm.view.report.LineChart;
import dev.psm.zeroshot.AgentFolder;
import java.nio.file.Path;
import java.util.List;

/** The page of a study: its table beside the paper's, its statistics and its learning curves. */
final class StudyReport {
  private static final String AVERAGE_RETURN = Grade.RETURNS.metric(Grade.RETURNS.headline());

  private final ControlStudy.Plan plan;
  private final ControlStudy.Outcome outcome;
  private final StudyTable table;

  StudyReport(ControlStudy.Plan plan, ControlStudy.Outcome outcome, StudyTable table) {
    this.plan = plan;
    this.outcome = outcome;
    this.table = table;
  }

  void writeTo(Path file) {
    HtmlReport report =
        HtmlReport.titled(plan.title())
            .lead(
                plan.lead()
                    + " The settings are those of preset "
                    + plan.preset()
                    + " unless said otherwise. Then every task was named, and its policy inferred"
                    + " from 10,000 states of the data, with no further experience.");
    for (World domain : plan.domains()) {
      List<ControlStudy.Run> own =
          outcome.runs().stream().filter(run -> run.cell().domain().equals(domain)).toList();
      if (own.isEmpty()) {
        continue;
      }
      report.section(domain.title()).table(table.table(domain)).table(table.statistics(domain));
      table.milestoneTable(domain).ifPresent(report::table);
      report.figure(
          curves(domain, own),
          "Average return over the tasks during pretraining on "
              + domain.name()
              + (severalSeeds(own) ? "; mean and standard deviation over seeds." : "; one seed."));
    }
    if (!outcome.failures().isEmpty()) {
      report.section("Runs that diverged");
      for (ControlStudy.Failure failure : outcome.failures()) {
        report.details(failure.cell().title(), failure.reason());
      }
    }
    report.section("Settings and provenance");
    for (ControlStudy.Run run : outcome.runs()) {
      if (run.seed() == plan.seeds().get(0)) {
        report.details(
            run.cell().title(), Json.pretty(Json.read(run.folder().resolve(AgentFolder.RUN))));
      }
    }
    report.writeTo(file);
  }

  private static boolean severalSeeds(List<ControlStudy.Run> own) {
    return own.stream().map(ControlStudy.Run::seed).distinct().count() > 1;
  }

  private LineChart curves(World domain, List<ControlStudy.Run> own) {
    LineChart chart =
        LineChart.of("Learning on " + domain.name(), "gradient steps", "average return")
            .xFromZero()
            .yFromZero();
    for (ControlStudy.Variant variant : plan.variants()) {
      List<Path> seeds =
          own.stream()
              .filter(run -> run.cell().variant().equals(variant))
              .map(run -> new RunFolder(run.folder()).seed(run.seed()))
              .toList();
      if (MetricCurves.read(seeds).draw(AVERAGE_RETURN, variant.title(), chart)) {
        ReferenceReturns.drawPaper(
            chart, domain, Grade.RETURNS.headline(), variant.name(), variant.title());
      }
    }
    ReferenceReturns.drawRandom(chart, domain, Grade.RETURNS.headline());
    return chart;
  }
}
