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
import dev.psm.lab.run.RunFolder;
import dev.psm.torch.Device;
import dev.psm.zeroshot.AgentFolder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A table of the paper's on continuous control: domains × variants × seeds. Every run is kept on
 * disk, so that a study that was interrupted is finished later and one that grows only does what is
 * missing.
 */
public final class ControlStudy {
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

    Path folder(Cell cell) {
      return out.resolve(cell.domain.name())
          .resolve(cell.variant.folder())
          .resolve("run-" + cell.seed);
    }

    /** All runs, in the order in which they are done. */
    List<Cell> cells() {
      List<Cell> cells = new ArrayList<>();
      for (World domain : domains) {
        for (long seed : seeds) {
          variants.forEach(variant -> cells.add(new Cell(domain, variant, seed)));
        }
      }
      return cells;
    }
  }

  /** Which run of a study. */
  public record Cell(World domain, Variant variant, long seed) {
    boolean isOf(World wantedDomain, Variant wantedVariant) {
      return domain.equals(wantedDomain) && variant.equals(wantedVariant);
    }
  }

  /** A finished run. */
  public record Run(Cell cell, Path folder, LearningCurve curve) {}

  /** A run that came to no result, and why. */
  public record Failure(Cell cell, String reason) {}

  /** What a study has come to so far; what is in neither list is still to be done. */
  public record Outcome(List<Run> runs, List<Failure> failures) {
    public Outcome {
      runs = List.copyOf(runs);
      failures = List.copyOf(failures);
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
   * Does what is missing. Whenever a run ends, table.csv, results.json and report.html are written
   * anew. A run that failed is left out of them but for its name; it is tried again next time.
   */
  public static Outcome run(Plan plan, Device device, Workers workers, WorkContext context) {
    check(plan);
    Study<Cell> study = new Study<>(trials(plan, device));
    Map<Cell, Run> read = new HashMap<>();
    if (!study.finished().isEmpty()) {
      write(plan, outcome(plan, study, read));
    }
    study.run(
        trial -> device,
        Trials.evenThreads(study.size()),
        workers,
        context,
        cell -> write(plan, outcome(plan, study, read)));
    return outcome(plan, study, read);
  }

  /**
   * @param read what was read already: a finished run does not change
   */
  private static Outcome outcome(Plan plan, Study<Cell> study, Map<Cell, Run> read) {
    return new Outcome(
        study.finished().stream()
            .map(cell -> read.computeIfAbsent(cell, finished -> read(plan, finished)))
            .toList(),
        study.failures().entrySet().stream()
            .map(failure -> new Failure(failure.getKey(), failure.getValue()))
            .toList());
  }

  private static Run read(Plan plan, Cell cell) {
    Path folder = plan.folder(cell);
    return new Run(cell, folder, LearningCurve.read(new RunFolder(folder).seed(cell.seed)));
  }

  private static boolean hasData(Plan plan, World world) {
    return Dataset.isIn(plan.dataOf(world));
  }

  private static RunDescription.Data describe(Plan plan, World world) {
    Path folder = plan.dataOf(world);
    try (Dataset dataset = Dataset.open(folder)) {
      Trials.requireDataOf(
          world, dataset, folder, "a folder that holds a dataset per domain, by name");
      if (dataset.columns().physics() != world.stateSize()) {
        throw UserError.invalid(
            "the data in %s has %d numbers of physics per state, expected %d: without them no task"
                + " can be paid; collect or import the data with physics",
            folder, dataset.columns().physics(), world.stateSize());
      }
      return RunDescription.Data.of(folder, dataset);
    }
  }

  /** All runs in their order; data that is missing is refused. */
  private static Map<Trial, Cell> trials(Plan plan, Device device) {
    Map<World, RunDescription.Data> data = new HashMap<>();
    for (World world : plan.domains) {
      if (!hasData(plan, world)) {
        throw UserError.invalid(
                "there is no data of %s in %s; collect it, import some, or give another folder",
                world.name(), plan.dataOf(world))
            .with(Remedy.OBTAIN_DATA);
      }
      data.put(world, describe(plan, world));
    }
    Map<Trial, Cell> trials = new LinkedHashMap<>();
    for (Cell cell : plan.cells()) {
      Agent agent = cell.variant.agent;
      Record settings = plan.settings(cell.domain, cell.variant);
      int evaluateEvery = ((AgentSettings) settings).gradientSteps() / plan.evaluations;
      trials.put(
          new Trial(
              plan.folder(cell),
              new RunDescription(
                  agent,
                  plan.preset,
                  settings,
                  data.get(cell.domain),
                  List.of(cell.seed),
                  new Cadence(
                      Cadence.logEvery(((AgentSettings) settings).gradientSteps()),
                      Math.max(1, evaluateEvery),
                      plan.episodes,
                      Cadence.CHECKPOINT_EVERY,
                      Cadence.KEEP),
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
