package dev.psm.lab.control;

import dev.psm.core.UserError;
import dev.psm.core.data.Dataset;
import dev.psm.core.io.AtomicFiles;
import dev.psm.core.io.Json;
import dev.psm.core.settings.Settings;
import dev.psm.lab.Provenance;
import dev.psm.mujoco.suite.DomainFacts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * A table of the paper's on continuous control: domains × variants × seeds. Every run is kept on
 * disk, so that a study that was interrupted is finished later and one that grows only does what is
 * missing.
 */
public final class ControlStudy {
  private ControlStudy() {}

  /**
   * A column of the table.
   *
   * @param name as in {@link PaperControl}: an agent's id, or a dimension
   * @param title for a person
   * @param overrides of the preset
   */
  public record Variant(String name, String title, ControlAgentKind agent, List<String> overrides) {

    /** The agent as it is. */
    public static Variant of(ControlAgentKind agent, List<String> overrides) {
      return new Variant(agent.id(), agent.title(), agent, overrides);
    }

    /** PSM with another dimension of features. */
    public static Variant ofDimension(int d, List<String> overrides) {
      List<String> all = new ArrayList<>(overrides);
      all.add("featureDimension=" + d);
      return new Variant("d=" + d, "d = " + d, ControlAgentKind.PSM, all);
    }
  }

  /**
   * What is wanted.
   *
   * @param data the folder that holds a dataset for each domain, under its name
   * @param out where runs and results go
   */
  public record Plan(
      String title,
      List<DomainFacts> domains,
      List<Variant> variants,
      List<Long> seeds,
      String preset,
      int evaluations,
      int episodes,
      Path data,
      Path out) {

    public Plan {
      requireDistinct("domain", domains.stream().map(DomainFacts::name).toList());
      requireDistinct("variant", variants.stream().map(Variant::name).toList());
      requireDistinct("seed", seeds);
      if (evaluations < 1 || episodes < 1) {
        throw UserError.usage(
            "at least one evaluation of one episode is needed, found %d of %d",
            evaluations, episodes);
      }
    }

    /** One run counted twice would make a spread look smaller than it is. */
    private static void requireDistinct(String what, List<?> values) {
      if (values.isEmpty()) {
        throw UserError.usage("nothing to run: give at least one %s", what);
      }
      if (values.stream().distinct().count() < values.size()) {
        throw UserError.usage("the same %s is given twice: %s", what, values);
      }
    }

    /** A domain's data; the maze's may be under its short name. */
    public Path dataOf(DomainFacts facts) {
      Path shortName = data.resolve("maze");
      return facts.equals(DomainFacts.named("maze")) && Files.isDirectory(shortName)
          ? shortName
          : data.resolve(facts.name());
    }

    Path folder(DomainFacts facts, Variant variant, long seed) {
      return out.resolve(facts.name())
          .resolve(variant.name().replace('=', '-'))
          .resolve("run-" + seed);
    }
  }

  /** A finished run. */
  public record Run(
      DomainFacts domain, Variant variant, long seed, Path folder, LearningCurve curve) {}

  /**
   * Does what is missing, then writes table.csv, results.json and report.html.
   *
   * @return all runs, or fewer when the work was stopped
   */
  public static List<Run> run(Plan plan, Surroundings surroundings) {
    requireData(plan);
    for (DomainFacts facts : plan.domains) {
      // A wrong setting is refused before the first run, not after hours.
      plan.variants.forEach(variant -> variant.agent.requireUseful(settings(plan, facts, variant)));
    }
    List<Run> runs = new ArrayList<>();
    for (DomainFacts facts : plan.domains) {
      try (Dataset dataset = Dataset.open(plan.dataOf(facts))) {
        for (long seed : plan.seeds) {
          for (Variant variant : plan.variants) {
            if (!train(plan, facts, variant, seed, dataset, surroundings)) {
              return runs;
            }
            Path folder = plan.folder(facts, variant, seed);
            runs.add(
                new Run(
                    facts,
                    variant,
                    seed,
                    folder,
                    LearningCurve.read(new RunFolder(folder).seed(seed))));
            write(plan, runs);
          }
        }
      }
    }
    return runs;
  }

  private static void requireData(Plan plan) {
    for (DomainFacts facts : plan.domains) {
      Path folder = plan.dataOf(facts);
      if (!Files.isRegularFile(folder.resolve("dataset.json"))) {
        throw UserError.usage(
            "there is no data of %s in %s; collect it with --collect 1000000, import some with"
                + " dataset import, or give another --data",
            facts.name(), folder);
      }
    }
  }

  /** Whether a dataset was collected by curiosity, so that it can be added to. */
  public static boolean isCollected(Path folder) {
    try (Dataset dataset = Dataset.open(folder)) {
      return dataset.description().collector().equals("rnd");
    }
  }

  private static Record settings(Plan plan, DomainFacts facts, Variant variant) {
    return Settings.override(variant.agent.preset(plan.preset, facts.name()), variant.overrides);
  }

  /** Whether the run is finished now. */
  private static boolean train(
      Plan plan,
      DomainFacts facts,
      Variant variant,
      long seed,
      Dataset dataset,
      Surroundings surroundings) {
    Path path = plan.folder(facts, variant, seed);
    Record settings = settings(plan, facts, variant);
    int steps = variant.agent.common(settings).gradientSteps();
    Cadence cadence =
        new Cadence(
            Cadence.LOG_EVERY,
            Math.max(1, steps / plan.evaluations),
            plan.episodes,
            Cadence.CHECKPOINT_EVERY,
            Cadence.KEEP);
    RunDescription wanted =
        new RunDescription(
            variant.agent,
            plan.preset,
            settings,
            RunDescription.Data.of(plan.dataOf(facts), dataset),
            List.of(seed),
            cadence,
            Provenance.software());
    RunFolder folder = new RunFolder(path);
    if (!RunFolder.isRun(path)) {
      return TrainingRun.start(wanted, path, false, dataset, surroundings).finished();
    }
    RunDescription found = folder.description();
    requireSame(path, found, wanted);
    if (folder.finishedAt().isPresent()) {
      return true;
    }
    return TrainingRun.resume(found, path, OptionalLong.empty(), dataset, surroundings).finished();
  }

  private static void requireSame(Path path, RunDescription found, RunDescription wanted) {
    if (found.agent() != wanted.agent()
        || !found.settings().equals(wanted.settings())
        || !found.data().fingerprint().equals(wanted.data().fingerprint())
        || !found.cadence().equals(wanted.cadence())) {
      throw UserError.usage(
          "%s holds a run with other settings, data or evaluations; choose another --out, or"
              + " delete it",
          path);
    }
  }

  private static void write(Plan plan, List<Run> runs) {
    StudyTable table = new StudyTable(plan, runs);
    AtomicFiles.writeText(plan.out.resolve("table.csv"), table.csv());
    Json.write(plan.out.resolve("results.json"), table.json());
    new StudyReport(plan, runs, table).writeTo(plan.out.resolve("report.html"));
  }
}
