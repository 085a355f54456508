package dev.psm.lab.run;

import dev.psm.agents.Agent;
import dev.psm.core.Remedy;
import dev.psm.core.UserError;
import dev.psm.core.env.World;
import dev.psm.core.io.AtomicFiles;
import dev.psm.core.io.Json;
import dev.psm.view.report.HtmlReport;
import dev.psm.view.report.LineChart;
import dev.psm.zeroshot.AgentFolder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Learning curves of runs on one environment, drawn over each other; runs may still be going on.
 */
public final class RunCurves {
  private final World environment;
  private final List<Run> curves = new ArrayList<>();

  private record Run(String label, RunDescription description, MetricCurves metrics) {
    Agent agent() {
      return description.agent();
    }
  }

  /** Reads the logs of runs, each with all of its seeds. */
  public RunCurves(List<Path> runs) {
    List<RunDescription> read = runs.stream().map(RunCurves::describe).toList();
    Set<Path> different = new HashSet<>();
    for (Path run : runs) {
      if (!different.add(run.toAbsolutePath().normalize())) {
        throw UserError.invalid("%s is given twice", run);
      }
    }
    environment = read.get(0).world();
    for (int i = 0; i < runs.size(); i++) {
      Path run = runs.get(i);
      World other = read.get(i).world();
      if (!other.equals(environment)) {
        throw UserError.invalid(
            "%s is of %s and %s of %s: returns of two environments say nothing about each other;"
                + " draw them one by one",
            runs.get(0), environment.name(), run, other.name());
      }
      MetricCurves metrics = MetricCurves.read(AgentFolder.seedFolders(run).values());
      if (metrics.names().isEmpty()) {
        throw UserError.invalid(
            "there is nothing in the logs of %s (its %s); if the run is young, wait for its first"
                + " steps",
            run, "seed-*/" + MetricsLog.NAME);
      }
      curves.add(new Run(label(i, runs, read), read.get(i), metrics));
    }
  }

  private static RunDescription describe(Path run) {
    if (!Files.isDirectory(run)) {
      throw UserError.invalid("there is no folder %s; give folders of runs", run)
          .with(Remedy.PRETRAIN);
    }
    if (!AgentFolder.isRun(run)) {
      throw UserError.invalid("%s is no run: there is no run.json in it; give folders of runs", run)
          .with(Remedy.PRETRAIN);
    }
    return new RunFolder(run).description();
  }

  /** The agent, with its seeds; and the folder where one agent has several runs. */
  private static String label(int index, List<Path> runs, List<RunDescription> all) {
    RunDescription one = all.get(index);
    String seeds =
        (one.seeds().size() == 1 ? "seed " : "seeds ")
            + one.seeds().stream().map(String::valueOf).collect(Collectors.joining(", "));
    List<Path> others = new ArrayList<>();
    for (int i = 0; i < runs.size(); i++) {
      if (i != index && all.get(i).agent() == one.agent()) {
        others.add(runs.get(i).toAbsolutePath().normalize());
      }
    }
    return others.isEmpty()
        ? "%s, %s".formatted(one.agent().title(), seeds)
        : "%s, %s, %s"
            .formatted(
                one.agent().title(),
                shortName(runs.get(index).toAbsolutePath().normalize(), others),
                seeds);
  }

  /** As many of a folder's last names as tell it from the others. */
  private static String shortName(Path run, List<Path> others) {
    int count = run.getNameCount();
    for (int from = count - 1; from > 0; from--) {
      Path name = run.subpath(from, count);
      if (others.stream().noneMatch(other -> other.endsWith(name))) {
        return name.toString();
      }
    }
    return run.subpath(0, count).toString();
  }

  /** Everything that any of the runs logged, returns first. */
  public Set<String> metrics() {
    Set<String> names = new LinkedHashSet<>();
    for (Run one : curves) {
      one.metrics.names().stream().filter(RunCurves::isGrade).forEach(names::add);
    }
    curves.forEach(one -> names.addAll(one.metrics.names()));
    return names;
  }

  /** The number that stands for all. */
  public String headline() {
    Grade grade = grade();
    return grade.metric(grade.headline());
  }

  private Grade grade() {
    return Grade.of(curves.get(0).agent(), environment);
  }

  /** One chart as a picture. */
  public void writeSvg(Path file, String metric) {
    if (!metrics().contains(metric)) {
      throw UserError.invalid(
          "'%s' was not logged; there are %s", metric, String.join(", ", metrics()));
    }
    AtomicFiles.writeText(file, chart(metric).svg());
  }

  private static boolean isGrade(String metric) {
    return Grade.of(metric).isPresent();
  }

  /** All charts on a page. */
  public void writeHtml(Path file) {
    boolean spread = curves.stream().anyMatch(one -> one.description.seeds().size() > 1);
    HtmlReport report =
        HtmlReport.titled("Learning on " + environment.name())
            .lead(
                "Every number that was logged, over the gradient steps"
                    + (spread
                        ? "; where a run has several seeds, their mean and standard deviation."
                        : "."));
    List<String> grades = metrics().stream().filter(RunCurves::isGrade).toList();
    List<String> training = new ArrayList<>(metrics());
    training.removeAll(grades);
    List<String> milestones = training.stream().filter(Evaluation::isMilestoneMetric).toList();
    training.removeAll(milestones);
    panels(
        report,
        switch (grade()) {
          case GOALS -> "Goals";
          case RETURNS -> "Returns";
          case ERRORS -> "Errors";
        },
        grades);
    panels(report, "Milestones, shares of episodes", milestones);
    panels(report, "Training", training);
    report.section("Settings and provenance");
    curves.forEach(one -> report.details(one.label, Json.pretty(one.description.toJson())));
    report.writeTo(file);
  }

  private void panels(HtmlReport report, String heading, List<String> metrics) {
    if (!metrics.isEmpty()) {
      report
          .section(heading)
          .panels(metrics.stream().map(metric -> chart(metric).panel()).toList());
    }
  }

  private LineChart chart(String metric) {
    return Grade.of(metric)
        .map(grade -> grades(grade, grade.name(metric)))
        .orElseGet(() -> numbers(metric));
  }

  private LineChart numbers(String metric) {
    String title = "%s on %s".formatted(metric, environment.name());
    LineChart chart = LineChart.of(title, "gradient steps", "").xFromZero();
    curves.forEach(one -> one.metrics.draw(metric, one.label, chart));
    return chart;
  }

  /** Returns stand beside the paper's, once for every agent, and those of random actions. */
  private LineChart grades(Grade grade, String name) {
    String title = "%s on %s".formatted(title(grade, name), environment.name());
    String unit =
        switch (grade) {
          case GOALS -> name.equals(GoalEvaluation.FINAL_DISTANCE) ? "distance" : "share of goals";
          case RETURNS -> "return";
          case ERRORS -> "%";
        };
    LineChart chart = LineChart.of(title, "gradient steps", unit).xFromZero().yFromZero();
    Set<Agent> drawn = new HashSet<>();
    for (Run one : curves) {
      if (one.metrics.draw(grade.metric(name), one.label, chart) && drawn.add(one.agent())) {
        ReferenceReturns.drawPaper(chart, environment, name, one.agent().id(), one.agent().title());
      }
    }
    ReferenceReturns.drawRandom(chart, environment, name);
    return chart;
  }

  private static String title(Grade grade, String name) {
    boolean headline = name.equals(grade.headline());
    return switch (grade) {
      case GOALS -> name.replace('_', ' ');
      case RETURNS -> headline ? "average over tasks" : name;
      case ERRORS -> headline ? "wrong actions, all goals" : "value lost, other " + name;
    };
  }
}
