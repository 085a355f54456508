package dev.psm.lab.control;

import dev.psm.core.UserError;
import dev.psm.core.io.AtomicFiles;
import dev.psm.core.io.Json;
import dev.psm.core.report.HtmlReport;
import dev.psm.core.report.LineChart;
import dev.psm.mujoco.suite.DomainFacts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Learning curves of runs on one environment, drawn over each other; runs may still be going on.
 */
public final class RunCurves {
  private final DomainFacts environment;
  private final Map<String, MetricCurves> curves = new LinkedHashMap<>();
  private final Map<String, String> descriptions = new LinkedHashMap<>();

  /** Reads the logs of runs, each with all of its seeds. */
  public RunCurves(List<Path> runs) {
    List<RunDescription> read = runs.stream().map(RunCurves::describe).toList();
    environment = DomainFacts.named(read.get(0).data().environment());
    for (int i = 0; i < runs.size(); i++) {
      Path run = runs.get(i);
      DomainFacts other = DomainFacts.named(read.get(i).data().environment());
      if (!other.equals(environment)) {
        throw UserError.usage(
            "%s is of %s and %s of %s: returns of two environments say nothing about each other;"
                + " draw them one by one",
            runs.get(0), environment.name(), run, other.name());
      }
      MetricCurves metrics = MetricCurves.read(RunFolder.seeds(run).values());
      if (metrics.names().isEmpty()) {
        throw UserError.usage(
            "there is nothing in the logs of %s (its %s); if the run is young, wait for its first"
                + " steps",
            run, "seed-*/" + MetricsLog.NAME);
      }
      String label = label(run, read.get(i), read);
      if (curves.put(label, metrics) != null) {
        throw UserError.usage("%s is given twice", run);
      }
      descriptions.put(label, Json.pretty(read.get(i).toJson()));
    }
  }

  private static RunDescription describe(Path run) {
    if (!Files.isDirectory(run)) {
      throw UserError.usage("there is no folder %s; give folders that pretrain --data wrote", run);
    }
    if (!RunFolder.isRun(run)) {
      throw UserError.usage(
          "%s is no run: there is no run.json in it; give folders that pretrain --data wrote", run);
    }
    return new RunFolder(run).description();
  }

  /** The agent, with its seeds; and the folder where one agent has several runs. */
  private static String label(Path run, RunDescription one, List<RunDescription> all) {
    String seeds =
        (one.seeds().size() == 1 ? "seed " : "seeds ")
            + one.seeds().stream().map(String::valueOf).collect(Collectors.joining(", "));
    boolean alone = all.stream().filter(other -> other.agent() == one.agent()).count() == 1;
    return "%s, %s".formatted(one.agent().title(), alone ? seeds : run.normalize().toString());
  }

  /** Everything that any of the runs logged, returns first. */
  public Set<String> metrics() {
    Set<String> names = new LinkedHashSet<>();
    for (MetricCurves one : curves.values()) {
      one.names().stream().filter(name -> name.startsWith(MetricsLog.RETURN)).forEach(names::add);
    }
    curves.values().forEach(one -> names.addAll(one.names()));
    return names;
  }

  /** One chart as a picture. */
  public void writeSvg(Path file, String metric) {
    if (!metrics().contains(metric)) {
      throw UserError.usage(
          "'%s' was not logged; there are %s", metric, String.join(", ", metrics()));
    }
    AtomicFiles.writeText(file, chart(metric).svg());
  }

  /** All charts on a page. */
  public void writeHtml(Path file) {
    HtmlReport report =
        HtmlReport.titled("Learning on " + environment.name())
            .lead(
                "Every number that was logged, over the gradient steps; where a run has several"
                    + " seeds, their mean and standard deviation.");
    List<String> returns =
        metrics().stream().filter(name -> name.startsWith(MetricsLog.RETURN)).toList();
    List<String> others = new ArrayList<>(metrics());
    others.removeAll(returns);
    figures(report, "Returns", returns);
    figures(report, "Training", others);
    report.section("Settings and provenance");
    descriptions.forEach(report::details);
    report.writeTo(file);
  }

  private void figures(HtmlReport report, String heading, List<String> metrics) {
    if (!metrics.isEmpty()) {
      report.section(heading);
      metrics.forEach(metric -> report.figure(chart(metric), metric));
    }
  }

  private LineChart chart(String metric) {
    LineChart chart =
        LineChart.of("%s on %s".formatted(metric, environment.name()), "gradient steps", metric);
    curves.forEach((label, one) -> one.draw(metric, label, chart));
    return chart;
  }
}
