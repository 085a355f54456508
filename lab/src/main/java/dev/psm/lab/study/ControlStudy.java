package dev.psm.lab.study;

import dev.psm.agents.Agent;
import dev.psm.agents.AgentSettings;
import dev.psm.agents.Agents;
import dev.psm.agents.control.FactoredPsm;
import dev.psm.core.Remedy;
import dev.psm.core.UserError;
import dev.psm.core.data.Dataset;
import dev.psm.core.env.Space;
import dev.psm.core.env.World;
import dev.psm.core.io.AtomicFiles;
import dev.psm.core.io.Json;
import dev.psm.core.io.OutputFolder;
import dev.psm.lab.ExperimentFolder;
import dev.psm.lab.Provenance;
import dev.psm.lab.compute.WorkContext;
import dev.psm.lab.compute.Workers;
import dev.psm.lab.run.Cadence;
import dev.psm.lab.run.LearningCurve;
import dev.psm.lab.run.ReferenceReturns;
import dev.psm.lab.run.RunDescription;
import dev.psm.torch.Device;
import dev.psm.zeroshot.AgentFolder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A table of the paper's on continuous control: domains × variants × seeds, whose seeds train side
 * by side in one run or in a run each. Every run is kept on disk, so that a study that was
 * interrupted is finished later and one that grows only does what is missing.
 */
public final class ControlStudy {
  private static final long LOOK_SECONDS = 1;
  private static final Pattern DIMENSION = Pattern.compile("d-\\d+");

  private ControlStudy() {}

  /** The agents that the paper's table has. */
  public static List<Agent> agentsOfThePaper() {
    return Agents.control().stream()
        .map(agent -> (Agent) agent)
        .filter(agent -> ReferenceReturns.PAPER.variants().contains(agent.id()))
        .toList();
  }

  /**
   * A column of the table.
   *
   * @param name as in {@link ReferenceReturns#PAPER}: an agent's id, or a dimension
   * @param title for a person
   * @param overrides of the preset
   */
  public record Variant(String name, String title, Agent agent, List<String> overrides) {

    /** The agent as it is. */
    public static Variant of(Agent agent, List<String> overrides) {
      return new Variant(agent.id(), agent.title(), agent, overrides);
    }

    /** PSM with another dimension of features. */
    public static Variant ofDimension(int d, List<String> overrides) {
      List<String> all = new ArrayList<>(overrides);
      all.add("featureDimension=" + d);
      return new Variant("d=" + d, "d = " + d, FactoredPsm.AGENT, all);
    }

    /** The name of its folder. */
    String folder() {
      return name.replace('=', '-');
    }

    boolean isDimension() {
      return DIMENSION.matcher(folder()).matches();
    }
  }

  /**
   * What is wanted.
   *
   * @param lead a sentence or two on what is compared, and what is equal
   * @param together whether seeds of a variant that have no run yet train side by side, in one run
   * @param steps gradient steps of every run, phases keeping their shares; null for the preset's
   * @param data the folder that holds a dataset for each domain, under its name
   * @param out where runs and results go
   */
  public record Plan(
      String title,
      String lead,
      List<World> domains,
      List<Variant> variants,
      List<Long> seeds,
      boolean together,
      String preset,
      Integer steps,
      int evaluations,
      int episodes,
      Path data,
      Path out) {

    public Plan {
      Trials.requireDistinct("domain", domains.stream().map(World::name).toList());
      Trials.requireDistinct("variant", variants.stream().map(Variant::name).toList());
      Trials.requireDistinct("seed", seeds);
      if (evaluations < 1 || episodes < 1) {
        throw UserError.invalid(
            "at least one evaluation of one episode is needed, found %d of %d",
            evaluations, episodes);
      }
    }

    /** A domain's data, under its name or another that it is known by. */
    public Path dataOf(World world) {
      return world.aliases().stream()
          .map(data::resolve)
          .filter(Files::isDirectory)
          .findFirst()
          .orElse(data.resolve(world.name()));
    }

    Record settings(World world, Variant variant) {
      return variant.agent.settings(preset, world, steps, variant.overrides);
    }

    private Path folder(World domain, Variant variant) {
      return out.resolve(domain.name()).resolve(variant.folder());
    }

    public Path folder(Cell cell) {
      return folder(cell.domain, cell.variant).resolve(Trials.folder(cell.seeds));
    }

    int gradientSteps(World world, Variant variant) {
      return ((AgentSettings) settings(world, variant)).gradientSteps();
    }

    /** All runs, in the order in which they are done: seed by seed over all variants. */
    public List<Cell> cells() {
      List<Cell> cells = new ArrayList<>();
      for (World domain : domains) {
        List<Cell> own = new ArrayList<>();
        variants.forEach(variant -> own.addAll(cells(domain, variant)));
        own.sort(Comparator.comparingInt(cell -> seeds.indexOf(cell.seeds.get(0))));
        cells.addAll(own);
      }
      return cells;
    }

    /** A seed stays in the run that it has, so that a study grows by what is missing. */
    private List<Cell> cells(World domain, Variant variant) {
      List<List<Long>> runs = new ArrayList<>(Trials.there(folder(domain, variant), seeds));
      List<Long> others = new ArrayList<>(seeds);
      runs.forEach(others::removeAll);
      if (together && !others.isEmpty()) {
        runs.add(others);
      } else {
        others.forEach(seed -> runs.add(List.of(seed)));
      }
      return runs.stream().map(own -> new Cell(domain, variant, own)).toList();
    }
  }

  /**
   * Which run of a study.
   *
   * @param seeds several where they train side by side
   */
  public record Cell(World domain, Variant variant, List<Long> seeds) {
    /** For a person. */
    public String title() {
      return "%s on %s, seed%s %s"
          .formatted(
              variant.title,
              domain.name(),
              seeds.size() > 1 ? "s" : "",
              seeds.stream().map(String::valueOf).collect(Collectors.joining(", ")));
    }

    boolean isOf(World wantedDomain, Variant wantedVariant) {
      return domain.equals(wantedDomain) && variant.equals(wantedVariant);
    }
  }

  /**
   * What a seed of a run has come to.
   *
   * @param curve with one point at least
   * @param finished whether the last of them is the run's last
   */
  public record Run(Cell cell, long seed, Path folder, LearningCurve curve, boolean finished) {}

  /** A run that came to no result, and why. */
  public record Failure(Cell cell, String reason) {}

  /**
   * What a study has come to so far; what is in neither list has not been evaluated yet.
   *
   * @param runs finished or not
   */
  public record Outcome(List<Run> runs, List<Failure> failures) {
    public Outcome {
      runs = List.copyOf(runs);
      failures = List.copyOf(failures);
    }

    /** How many runs, whatever their seeds, have come to their end. */
    public int finished() {
      return (int) runs.stream().filter(Run::finished).map(Run::cell).distinct().count();
    }

    List<Run> runs(World domain, Variant variant) {
      return runs.stream().filter(run -> run.cell.isOf(domain, variant)).toList();
    }

    List<Failure> failures(World domain, Variant variant) {
      return failures.stream().filter(failure -> failure.cell.isOf(domain, variant)).toList();
    }
  }

  /**
   * Refuses what can be known to be wrong before there is any data: settings, and data of another
   * kind where the data should go.
   */
  public static void check(Plan plan) {
    ExperimentFolder.require(
        plan.out,
        plan.title,
        name -> DIMENSION.matcher(name).matches() == plan.variants.get(0).isDimension(),
        run -> AgentFolder.isRun(run) || OutputFolder.visible(run).isEmpty());
    for (World world : plan.domains) {
      if (!(world.actionSpace() instanceof Space.Box)) {
        throw UserError.invalid(
            "the agents choose vectors as actions; %s has numbered ones", world.name());
      }
      plan.variants.forEach(variant -> plan.settings(world, variant));
      if (hasData(plan, world)) {
        describe(plan, world);
      }
    }
  }

  /**
   * Does what is missing. Whenever a run ends or has been evaluated, table.csv, results.json and
   * report.html are written anew. A run that failed is left out of them but for its name; it is
   * tried again next time.
   */
  public static Outcome run(Plan plan, Device device, Workers workers, WorkContext context) {
    check(plan);
    requireData(plan);
    Map<Trial, Cell> trials = trials(plan, device, plan.cells());
    Study<Cell> study = new Study<>(trials);
    Standing standing = new Standing(trials, study);
    Outcome[] written = {new Outcome(List.of(), List.of())};
    try (GrowingResults results =
        new GrowingResults(
            () -> {
              Outcome outcome = standing.outcome();
              if (!outcome.equals(written[0])) {
                write(plan, outcome);
                written[0] = outcome;
              }
            })) {
      results.write();
      results.every(LOOK_SECONDS);
      study.run(
          trial -> device,
          Trials.evenThreads(study.size()),
          workers,
          context,
          cell -> results.write());
      results.write();
    }
    return written[0];
  }

  /** What is to be done, looked up and not begun; a domain may still lack its data. */
  public static StudyForecast forecast(Plan plan, Device device) {
    check(plan);
    List<Cell> cells = plan.cells();
    List<Cell> withData = cells.stream().filter(cell -> hasData(plan, cell.domain)).toList();
    return new StudyForecast(plan, cells, trials(plan, device, withData));
  }

  /** How far each run of a study is; what has finished is read once. */
  private record Standing(
      Map<Trial, Cell> trials, Study<Cell> study, Map<Trial, Map<Long, LearningCurve>> finished) {
    Standing(Map<Trial, Cell> trials, Study<Cell> study) {
      this(trials, study, new HashMap<>());
    }

    Outcome outcome() {
      List<Cell> ended = study.finished();
      Map<Cell, String> failures = study.failures();
      List<Run> runs = new ArrayList<>();
      trials.forEach(
          (trial, cell) -> {
            if (!failures.containsKey(cell)) {
              boolean isFinished = ended.contains(cell);
              Map<Long, LearningCurve> curves =
                  isFinished ? finished.computeIfAbsent(trial, Trial::curves) : trial.curves();
              curves.forEach(
                  (seed, curve) ->
                      runs.add(new Run(cell, seed, trial.folder(), curve, isFinished)));
            }
          });
      return new Outcome(
          runs,
          failures.entrySet().stream()
              .map(failure -> new Failure(failure.getKey(), failure.getValue()))
              .toList());
    }
  }

  /** Whether there is data of a domain; a collection that was only begun is none. */
  public static boolean hasData(Plan plan, World world) {
    return Dataset.isIn(plan.dataOf(world)) && Dataset.episodesIn(plan.dataOf(world)) > 0;
  }

  private static RunDescription.Data describe(Plan plan, World world) {
    Path folder = plan.dataOf(world);
    try (Dataset dataset = Dataset.open(folder)) {
      Trials.requireDataOf(
          world, dataset, folder, "a folder that holds a dataset per domain, by name");
      if (dataset.columns().physics() != world.stateSize()) {
        throw UserError.invalid(
            "the data in %s has %d numbers of physics per state, expected %d: without them no"
                + " reward can be computed; collect or import the data with physics",
            folder, dataset.columns().physics(), world.stateSize());
      }
      return RunDescription.Data.of(folder, dataset);
    }
  }

  /** Refuses a plan that lacks the data of a domain. */
  public static void requireData(Plan plan) {
    for (World world : plan.domains) {
      if (!hasData(plan, world)) {
        throw UserError.invalid(
                "there is no data of %s in %s; collect it, import some, or give another folder",
                world.name(), plan.dataOf(world))
            .with(Remedy.OBTAIN_DATA);
      }
    }
  }

  /** Runs in their order, of domains that have data. */
  private static Map<Trial, Cell> trials(Plan plan, Device device, List<Cell> cells) {
    Map<World, RunDescription.Data> data = new HashMap<>();
    cells.stream()
        .map(Cell::domain)
        .distinct()
        .forEach(world -> data.put(world, describe(plan, world)));
    Map<Trial, Cell> trials = new LinkedHashMap<>();
    for (Cell cell : cells) {
      Agent agent = cell.variant.agent;
      Record settings = plan.settings(cell.domain, cell.variant);
      int steps = ((AgentSettings) settings).gradientSteps();
      trials.put(
          new Trial(
              plan.folder(cell),
              new RunDescription(
                  agent,
                  plan.preset,
                  settings,
                  data.get(cell.domain),
                  cell.seeds,
                  Cadence.ofStudy(steps, Math.max(1, steps / plan.evaluations), plan.episodes),
                  Provenance.software(device, cell.domain))),
          cell);
    }
    return trials;
  }

  /** Whether a dataset was collected by curiosity, so that it can be added to. */
  public static boolean isCollected(Path folder) {
    try (Dataset dataset = Dataset.open(folder)) {
      return dataset.description().collector().equals("rnd");
    }
  }

  private static void write(Plan plan, Outcome outcome) {
    StudyTable table = new StudyTable(plan, outcome);
    AtomicFiles.writeText(plan.out.resolve("table.csv"), table.csv());
    Json.write(plan.out.resolve("results.json"), table.json());
    new StudyReport(plan, outcome, table).writeTo(plan.out.resolve("report.html"));
  }
}
