package dev.psm.lab.study;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.errorprone.annotations.FormatMethod;
import dev.psm.core.Wording;
import dev.psm.core.env.World;
import dev.psm.core.io.Json;
import dev.psm.core.reward.Milestone;
import dev.psm.core.reward.Task;
import dev.psm.core.stats.Interquartile;
import dev.psm.core.stats.MannWhitney;
import dev.psm.core.stats.Summary;
import dev.psm.lab.Provenance;
import dev.psm.lab.run.Evaluation;
import dev.psm.lab.run.Grade;
import dev.psm.lab.run.LearningCurve;
import dev.psm.lab.run.MilestoneCount;
import dev.psm.lab.run.ReferenceReturns;
import dev.psm.view.report.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Runs of a study summed up: a row per domain and task, a column per variant, ours and the paper's.
 * A variant of which no run has finished yet shows where it stands, and nothing is tested.
 */
public final class StudyTable {
  private static final int RESAMPLES = 2000;
  private static final int DECIMALS = 1;
  private static final String MILESTONES =
      "share of episodes that got there at all, that were there in the last step, and of their last %d steps"
          .formatted(MilestoneCount.LAST_STEPS);

  private final ControlStudy.Plan plan;
  private final ControlStudy.Outcome outcome;

  public StudyTable(ControlStudy.Plan plan, ControlStudy.Outcome outcome) {
    this.plan = plan;
    this.outcome = outcome;
  }

  /** The finished runs; before there are any, those that have begun. */
  private List<ControlStudy.Run> of(World domain, ControlStudy.Variant variant) {
    List<ControlStudy.Run> all = outcome.runs(domain, variant);
    List<ControlStudy.Run> finished = all.stream().filter(ControlStudy.Run::finished).toList();
    return finished.isEmpty() ? all : finished;
  }

  /** One per seed, all of the same step: the last that all of them were evaluated at. */
  private List<LearningCurve.Point> points(World domain, ControlStudy.Variant variant) {
    List<LearningCurve> curves = of(domain, variant).stream().map(ControlStudy.Run::curve).toList();
    long step = curves.stream().mapToLong(curve -> curve.last().step()).min().orElse(0);
    return curves.stream().flatMap(curve -> curve.at(step).stream()).toList();
  }

  /** Where a variant stands that has not finished; empty where it has, or has not begun. */
  private Optional<Long> step(World domain, ControlStudy.Variant variant) {
    return of(domain, variant).stream().allMatch(ControlStudy.Run::finished)
        ? Optional.empty()
        : points(domain, variant).stream().map(LearningCurve.Point::step).findFirst();
  }

  /** One value per seed: a task's return, or the average over tasks. */
  private double[] returns(World domain, ControlStudy.Variant variant, String task) {
    return points(domain, variant).stream()
        .mapToDouble(point -> point.grades().getOrDefault(task, Double.NaN))
        .toArray();
  }

  /** A milestone of a task, as it is counted in evaluations. */
  private record Passed(Task task, Milestone milestone) {
    String title() {
      return task.name() + ", " + milestone.name();
    }

    String metric(String share) {
      return Evaluation.milestoneMetric(task.name(), milestone, share);
    }
  }

  private static List<Passed> milestones(World domain) {
    return domain.tasks().stream()
        .flatMap(task -> task.milestones().stream().map(each -> new Passed(task, each)))
        .toList();
  }

  /** The mean over seeds of a milestone's share of episodes; empty where it was not counted. */
  private OptionalDouble share(
      World domain, ControlStudy.Variant variant, Passed passed, String share) {
    return points(domain, variant).stream()
        .map(point -> point.milestones().get(passed.metric(share)))
        .filter(Objects::nonNull)
        .mapToDouble(Double::doubleValue)
        .average();
  }

  /** As in "100, 80, 74 %". */
  private String shares(World domain, ControlStudy.Variant variant, Passed passed) {
    String shown =
        MilestoneCount.SHARES.stream()
            .flatMapToDouble(name -> share(domain, variant, passed, name).stream())
            .mapToObj(value -> format("%.0f", 100 * value))
            .collect(Collectors.joining(", "));
    return shown.isEmpty() ? "" : shown + " %";
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
    boolean finished = step(domain, variant).or(() -> step(domain, first)).isEmpty();
    return !finished || variant.equals(first) || own.length < 2 || reference.length < 2
        ? Optional.empty()
        : Optional.of(MannWhitney.test(reference, own).p());
  }

  /** Over seeds and tasks together; a seed's tasks come from one model. */
  private Optional<Interquartile> interquartile(World domain, ControlStudy.Variant variant) {
    List<LearningCurve.Point> own = points(domain, variant);
    if (own.isEmpty()) {
      return Optional.empty();
    }
    double[][] scores =
        own.stream()
            .map(
                point ->
                    domain.tasks().stream()
                        .mapToDouble(task -> point.grades().get(task.name()))
                        .toArray())
            .toArray(double[][]::new);
    return Optional.of(Interquartile.ofRuns(scores, RESAMPLES, 0));
  }

  private double seconds(World domain, ControlStudy.Variant variant) {
    return points(domain, variant).stream()
        .mapToDouble(LearningCurve.Point::seconds)
        .average()
        .orElse(Double.NaN);
  }

  /**
   * A line for a terminal.
   *
   * @param words of every variant
   */
  private record Line(String domain, String name, Function<ControlStudy.Variant, String> words) {}

  private List<Line> lines() {
    List<Line> lines = new ArrayList<>();
    lines.add(new Line("domain", "task", ControlStudy.Variant::title));
    for (World domain : plan.domains()) {
      for (String row : rows(domain)) {
        lines.add(new Line(domain.name(), row, variant -> cell(domain, variant, row)));
      }
      lines.add(new Line("", "seeds", variant -> seeds(domain, variant)));
      lines.add(new Line("", "interquartile mean", variant -> interval(domain, variant)));
      lines.add(
          new Line(
              "",
              "p against " + plan.variants().get(0).title(),
              variant -> significance(domain, variant).map(p -> format("%.4f", p)).orElse("")));
      lines.add(
          new Line(
              "",
              "training, minutes",
              variant -> {
                double seconds = seconds(domain, variant);
                return Double.isNaN(seconds) ? "" : format("%.1f", seconds / 60);
              }));
      for (Passed passed : milestones(domain)) {
        lines.add(new Line("", passed.title(), variant -> shares(domain, variant, passed)));
      }
    }
    return lines;
  }

  /** For a terminal. */
  public String text() {
    StringBuilder text = new StringBuilder();
    List<Line> lines = lines();
    int width = lines.stream().mapToInt(line -> line.name.length()).max().orElse(0);
    for (Line line : lines) {
      text.append(format("%-16s ", line.domain));
      text.append(line.name).append(" ".repeat(width - line.name.length()));
      plan.variants().forEach(each -> text.append(format("  %-26s", line.words.apply(each))));
      text.append('\n');
    }
    if (plan.domains().stream().anyMatch(domain -> !milestones(domain).isEmpty())) {
      text.append("how far episodes got: ").append(MILESTONES).append('\n');
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

  /**
   * As in "5", "3 of 5, 1 diverged", "0 of 5, a run of 5 seeds diverged", or "5, at step 4,000 of
   * 40,000".
   */
  private String seeds(World domain, ControlStudy.Variant variant) {
    int count = of(domain, variant).size();
    int wanted = plan.seeds().size();
    List<Integer> failed =
        outcome.failures(domain, variant).stream()
            .map(failure -> failure.cell().seeds().size())
            .toList();
    long alone = failed.stream().filter(size -> size == 1).count();
    String together =
        failed.stream()
            .filter(size -> size > 1)
            .map(size -> ", a run of " + size + " seeds diverged")
            .collect(Collectors.joining());
    return count
        + (count < wanted ? " of " + wanted : "")
        + (alone > 0 ? ", " + alone + " diverged" : "")
        + together
        + step(domain, variant)
            .map(step -> format(", at step %,d of %,d", step, plan.gradientSteps(domain, variant)))
            .orElse("");
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

  /** Every return of every seed, of runs that have not finished with the step of their last. */
  public String csv() {
    StringBuilder csv =
        new StringBuilder("domain,variant,seed,task,return,seconds,step,finished\n");
    for (ControlStudy.Run run : outcome.runs()) {
      run.curve()
          .last()
          .grades()
          .forEach(
              (task, value) ->
                  csv.append(
                      format(
                          "%s,%s,%d,%s,%s,%s,%d,%s%n",
                          run.cell().domain().name(),
                          run.cell().variant().name(),
                          run.seed(),
                          task,
                          value,
                          run.curve().last().seconds(),
                          run.curve().last().step(),
                          run.finished())));
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
      ObjectNode node =
          failed
              .addObject()
              .put("domain", failure.cell().domain().name())
              .put("variant", failure.cell().variant().name());
      failure.cell().seeds().forEach(node.putArray("seeds")::add);
      node.put("reason", failure.reason());
    }
    return document;
  }

  private void describe(World domain, ControlStudy.Variant variant, ObjectNode node) {
    node.put("domain", domain.name());
    node.put("variant", variant.name());
    ArrayNode seeds = node.putArray("seeds");
    of(domain, variant).forEach(run -> seeds.add(run.seed()));
    node.put("step", points(domain, variant).get(0).step())
        .put("finished", step(domain, variant).isEmpty());
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
    for (Passed passed : milestones(domain)) {
      for (String name : MilestoneCount.SHARES) {
        share(domain, variant, passed, name)
            .ifPresent(
                share ->
                    node.withObject("milestones")
                        .withObject(passed.task.name())
                        .withObject(passed.milestone.name())
                        .put(name, share));
      }
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

  /** For a page: how far episodes got; empty where no task of the domain has milestones. */
  Optional<Table> milestoneTable(World domain) {
    if (milestones(domain).isEmpty()) {
      return Optional.empty();
    }
    List<String> columns = new ArrayList<>(List.of("task"));
    plan.variants().forEach(variant -> columns.add(variant.title()));
    Table table =
        Table.of(
            "How far episodes got, mean over seeds: " + MILESTONES + ".",
            columns.toArray(String[]::new));
    for (Passed passed : milestones(domain)) {
      List<Table.Cell> cells = new ArrayList<>(List.of(Table.text(passed.title())));
      plan.variants().forEach(variant -> cells.add(Table.text(shares(domain, variant, passed))));
      table.row(cells.toArray(Table.Cell[]::new));
    }
    return Optional.of(table);
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
