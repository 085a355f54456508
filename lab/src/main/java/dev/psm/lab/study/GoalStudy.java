package dev.psm.lab.study;

import dev.psm.agents.Agent;
import dev.psm.agents.AgentSettings;
import dev.psm.agents.Agents;
import dev.psm.core.Remedy;
import dev.psm.core.UserError;
import dev.psm.core.data.Dataset;
import dev.psm.core.env.World;
import dev.psm.core.io.AtomicFiles;
import dev.psm.core.io.Json;
import dev.psm.core.io.OutputFolder;
import dev.psm.lab.ExperimentFolder;
import dev.psm.lab.Progress;
import dev.psm.lab.Provenance;
import dev.psm.lab.compute.WorkContext;
import dev.psm.lab.compute.Workers;
import dev.psm.lab.run.Cadence;
import dev.psm.lab.run.EpisodeEvaluator;
import dev.psm.lab.run.GoalEvaluation;
import dev.psm.lab.run.Grade;
import dev.psm.lab.run.LearningCurve;
import dev.psm.lab.run.PaperFigures;
import dev.psm.lab.run.RunDescription;
import dev.psm.lab.study.ControlStudy.Variant;
import dev.psm.torch.Device;
import dev.psm.zeroshot.AgentFolder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A figure of the paper's: success with goals over the gradient steps, by agent. All seeds of an
 * agent are one run, side by side. Every run is kept on disk, so that a study that was interrupted
 * is finished later and one that grows only does what is missing.
 */
public final class GoalStudy {
  private static final String RUN = "run";

  private GoalStudy() {}

  /** The agents of the paper's figure of a world. */
  public static List<Agent> agentsOfThePaper(World world) {
    return PaperFigures.agents(world).stream().map(id -> Agents.named(id, world)).toList();
  }

  /**
   * What is wanted.
   *
   * @param variants one per agent, under its id
   * @param steps gradient steps of every run; null for the preset's
   * @param goals per evaluation and seed
   * @param data the dataset
   * @param out where runs and results go
   */
  public record Plan(
      World world,
      List<Variant> variants,
      List<Long> seeds,
      String preset,
      Integer steps,
      int evaluations,
      int goals,
      Path data,
      Path out) {

    public Plan {
      Trials.requireDistinct("agent", variants.stream().map(Variant::name).toList());
      Trials.requireDistinct("seed", seeds);
      if (evaluations < 1 || goals < 1) {
        throw UserError.invalid(
            "at least one evaluation with one goal is needed, found %d with %d",
            evaluations, goals);
      }
    }

    public Record settings(Variant variant) {
      return variant.agent().settings(preset, world, steps, variant.overrides());
    }

    public int gradientSteps(Variant variant) {
      return ((AgentSettings) settings(variant)).gradientSteps();
    }

    /** Rounded up, so that there are no more evaluations than wanted. */
    private int evaluateEvery(Variant variant) {
      return ceiling(gradientSteps(variant), evaluations);
    }

    /** How often a run is evaluated: fewer times than wanted where steps do not divide. */
    public int evaluations(Variant variant) {
      return ceiling(gradientSteps(variant), evaluateEvery(variant));
    }

    private static int ceiling(int number, int divisor) {
      return (int) Math.max(1, ((long) number + divisor - 1) / divisor);
    }

    Path folder(Variant variant) {
      return out.resolve(world.name()).resolve(variant.folder()).resolve(RUN);
    }
  }

  /**
   * How far an agent has come.
   *
   * @param curves of its seeds, as far as they were evaluated
   * @param failure why it came to no end; empty where it did not fail
   */
  public record Row(
      Variant variant, Path folder, List<LearningCurve> curves, boolean finished, String failure) {
    boolean isEvaluated() {
      return !curves.isEmpty();
    }
  }

  /**
   * What a study has come to so far.
   *
   * @param rows of agents that have begun
   * @param random what random actions come to with the same goals
   */
  public record Outcome(List<Row> rows, GoalEvaluation random) {
    public long finished() {
      return rows.stream().filter(Row::finished).count();
    }

    public List<Row> failures() {
      return rows.stream().filter(row -> !row.failure.isEmpty()).toList();
    }
  }

  /**
   * Refuses what can be known to be wrong before there is any data: settings; and data of another
   * world or other runs where they should go.
   */
  public static void check(Plan plan) {
    ExperimentFolder.require(
        plan.out,
        "goals of " + plan.world.name(),
        Agents.ids()::contains,
        run ->
            run.getFileName().toString().equals(RUN)
                && (AgentFolder.isRun(run) || OutputFolder.visible(run).isEmpty()));
    for (Variant variant : plan.variants) {
      plan.settings(variant);
      if (Grade.of(variant.agent(), plan.world) != Grade.GOALS) {
        throw UserError.invalid(
            "models of %s take no goals of the kind that episodes of %s draw",
            variant.name(), plan.world.name());
      }
    }
    if (Dataset.isIn(plan.data) && Dataset.episodesIn(plan.data) > 0) {
      trials(plan, Device.CPU).keySet().forEach(Trial::isFinished);
    }
  }

  /**
   * Refuses to let data grow, which runs have learned from: they could neither go on nor be
   * compared with others afterwards.
   *
   * @param transitions as many as there are to be
   */
  public static void requireNoRunsIfDataGrows(Plan plan, long transitions) {
    long there = 0;
    if (Dataset.isIn(plan.data) && Dataset.episodesIn(plan.data) > 0) {
      try (Dataset dataset = Dataset.open(plan.data)) {
        there = dataset.transitions();
      }
    }
    if (there >= transitions) {
      return;
    }
    for (String agent : Agents.ids()) {
      Path run = plan.out.resolve(plan.world.name()).resolve(agent).resolve(RUN);
      if (AgentFolder.isRun(run)) {
        throw UserError.argument(
            "out",
            "%s has learned from the data in %s as it was, which would grow from %d to %d"
                + " transitions; choose another folder for the runs or for the data, or ask for no"
                + " more transitions",
            run,
            plan.data,
            there,
            transitions);
      }
    }
  }

  /** What a plan's data says of itself; data of another world is refused. */
  public static RunDescription.Data describe(Plan plan) {
    if (!Dataset.isIn(plan.data)) {
      throw UserError.invalid(
              "there is no data of %s in %s; collect it, or give another folder",
              plan.world.name(), plan.data)
          .with(Remedy.COLLECT_DATA);
    }
    try (Dataset dataset = Dataset.open(plan.data)) {
      Trials.requireDataOf(plan.world, dataset, plan.data, "the folder of such a dataset");
      return RunDescription.Data.of(plan.data, dataset);
    }
  }

  /**
   * Does what is missing. Whenever a run ends or is stopped, table.csv, results.json, figure.svg
   * and report.html are written anew.
   *
   * @param grown is told whenever a run has ended and another one follows
   */
  public static Outcome run(
      Plan plan, Device device, Workers workers, WorkContext context, Consumer<Outcome> grown) {
    check(plan);
    Map<Trial, Variant> trials = trials(plan, device);
    Study<Variant> study = new Study<>(trials);
    int cores = Runtime.getRuntime().availableProcessors();
    GoalEvaluation random =
        GoalEvaluation.random(
            plan.world, plan.goals, EpisodeEvaluator.START_SEED, cores, Progress.SILENT);
    write(plan, trials, study.failures(), random);
    study.run(
        trial -> device,
        Trials.evenThreads(study.size()),
        workers,
        context,
        variant -> {
          Outcome outcome = write(plan, trials, study.failures(), random);
          if (study.missing() > 0) {
            grown.accept(outcome);
          }
        });
    return write(plan, trials, study.failures(), random);
  }

  private static Map<Trial, Variant> trials(Plan plan, Device device) {
    RunDescription.Data data = describe(plan);
    Map<Trial, Variant> trials = new LinkedHashMap<>();
    for (Variant variant : plan.variants) {
      int steps = plan.gradientSteps(variant);
      trials.put(
          new Trial(
              plan.folder(variant),
              new RunDescription(
                  variant.agent(),
                  plan.preset,
                  plan.settings(variant),
                  data,
                  plan.seeds,
                  Cadence.ofStudy(steps, plan.evaluateEvery(variant), plan.goals),
                  Provenance.software(device, plan.world))),
          variant);
    }
    return trials;
  }

  private static Outcome write(
      Plan plan, Map<Trial, Variant> trials, Map<Variant, String> failures, GoalEvaluation random) {
    List<Row> rows = new ArrayList<>();
    trials.forEach(
        (trial, variant) -> {
          if (AgentFolder.isRun(trial.folder())) {
            List<LearningCurve> curves = List.copyOf(trial.curves().values());
            rows.add(
                new Row(
                    variant,
                    trial.folder(),
                    curves.size() < plan.seeds.size() ? List.of() : curves,
                    trial.isFinished(),
                    failures.getOrDefault(variant, "")));
          }
        });
    Outcome outcome = new Outcome(rows, random);
    if (rows.stream().anyMatch(Row::isEvaluated)) {
      GoalStudyTable table = new GoalStudyTable(plan, outcome);
      GoalStudyReport report = new GoalStudyReport(plan, outcome, table);
      AtomicFiles.writeText(plan.out.resolve("table.csv"), table.csv());
      Json.write(plan.out.resolve("results.json"), table.json());
      AtomicFiles.writeText(plan.out.resolve("figure.svg"), report.figure().svg());
      report.writeTo(plan.out.resolve("report.html"));
    }
    return outcome;
  }
}
