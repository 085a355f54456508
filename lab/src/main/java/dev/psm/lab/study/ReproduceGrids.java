package dev.psm.lab.study;

import dev.psm.agents.Agent;
import dev.psm.agents.Agents;
import dev.psm.core.UserError;
import dev.psm.core.Wording;
import dev.psm.core.env.GridWorld;
import dev.psm.core.io.AtomicFiles;
import dev.psm.core.io.Json;
import dev.psm.core.io.OutputFolder;
import dev.psm.lab.ExperimentFolder;
import dev.psm.lab.Provenance;
import dev.psm.lab.compute.WorkContext;
import dev.psm.lab.compute.Workers;
import dev.psm.lab.run.Cadence;
import dev.psm.lab.run.RunDescription;
import dev.psm.torch.Device;
import dev.psm.zeroshot.AgentFolder;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The paper's grid experiment: maps × agents × seeds, each run kept on disk so that an interrupted
 * table is finished later.
 */
public final class ReproduceGrids {
  private ReproduceGrids() {}

  /**
   * @param agents by id
   * @param preset null for each agent's default
   * @param overrides settings by agent, such as {@code psm.gradientSteps=5000}
   */
  public record Plan(
      List<GridWorld> maps,
      List<String> agents,
      List<Long> seeds,
      String preset,
      List<String> overrides,
      Path folder) {}

  /**
   * Runs what is missing, then writes table.csv, results.json and report.html into the plan's
   * folder.
   *
   * @return all runs; empty where somebody wanted it to stop before
   */
  public static Optional<List<GridResult>> run(
      Plan plan, Device device, Workers workers, WorkContext context) {
    Map<Trial, Trial> trials = trials(plan, device);
    ExperimentFolder.require(
        plan.folder(),
        "grids",
        Agents.ids()::contains,
        run -> AgentFolder.isRun(run) || OutputFolder.visible(run).isEmpty());
    Study<Trial> study = new Study<>(trials);
    boolean ended = study.run(trial -> device, 1, workers, context, trial -> {});
    if (!study.failures().isEmpty()) {
      throw UserError.failed(
          null,
          "%s of %d ended without a result: %s",
          Wording.count(study.failures().size(), "run"),
          study.size(),
          String.join("; ", study.failures().values()));
    }
    if (!ended) {
      return Optional.empty();
    }
    List<GridResult> results =
        trials.keySet().stream()
            .map(trial -> GridResult.read(trial.run(), trial.folder()))
            .toList();
    GridTable table = new GridTable(results);
    AtomicFiles.writeText(plan.folder().resolve("table.csv"), table.csv());
    Json.write(plan.folder().resolve("results.json"), table.json());
    new GridReport(results).writeTo(plan.folder().resolve("report.html"));
    return Optional.of(results);
  }

  /** All runs, made before the first is begun so that a wrong setting is refused at once. */
  private static Map<Trial, Trial> trials(Plan plan, Device device) {
    Trials.requireDistinct("seed", plan.seeds());
    Trials.requireDistinct("agent", plan.agents());
    Trials.requireDistinct("map", plan.maps());
    for (String override : plan.overrides()) {
      if (!plan.agents().contains(owner(override, plan.maps().get(0)))) {
        throw UserError.invalid("'%s' is for an agent that is not in this run", override);
      }
    }
    Map<Trial, Trial> trials = new LinkedHashMap<>();
    for (GridWorld world : plan.maps()) {
      RunDescription.Data data = RunDescription.Data.of(world);
      for (String id : plan.agents()) {
        Agent agent = Agents.named(id, world);
        String preset = plan.preset() != null ? plan.preset() : agent.defaultPreset(world);
        List<String> own =
            plan.overrides().stream()
                .filter(override -> owner(override, world).equals(id))
                .map(override -> override.substring(override.indexOf('.') + 1))
                .toList();
        Record settings = agent.settings(preset, world, null, own);
        for (long seed : plan.seeds()) {
          Trial trial =
              new Trial(
                  plan.folder().resolve(world.name()).resolve(id).resolve("run-" + seed),
                  new RunDescription(
                      agent,
                      preset,
                      settings,
                      data,
                      List.of(seed),
                      Cadence.usual(agent, settings, world),
                      Provenance.software(device, world)));
          trials.put(trial, trial);
        }
      }
    }
    return trials;
  }

  private static String owner(String override, GridWorld world) {
    int dot = override.indexOf('.');
    if (dot < 0 || dot > override.indexOf('=')) {
      throw UserError.invalid(
          "'%s' does not say whose setting it is; write %s",
          override,
          Agents.learning(world).stream()
              .map(agent -> agent.id() + "." + override)
              .collect(Collectors.joining(", ")));
    }
    return Agents.named(override.substring(0, dot), world).id();
  }
}
