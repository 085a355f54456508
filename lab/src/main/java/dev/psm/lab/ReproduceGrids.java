package dev.psm.lab;

import dev.psm.core.UserError;
import dev.psm.core.io.AtomicFiles;
import dev.psm.core.io.Json;
import dev.psm.core.settings.Settings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The paper's grid experiment: maps × agents × seeds, each run kept on disk so that an interrupted
 * table is finished later.
 */
public final class ReproduceGrids {
  private ReproduceGrids() {}

  /**
   * @param preset null for each agent's default
   * @param overrides settings by agent, such as {@code psm.gradientSteps=5000}
   */
  public record Plan(
      List<GridProblem> problems,
      List<AgentKind> agents,
      List<Long> seeds,
      String preset,
      List<String> overrides,
      Path folder) {}

  /**
   * Runs what is missing, then writes table.csv, results.json and report.html into the plan's
   * folder.
   */
  public static List<GridRun> run(Plan plan, Progress progress) {
    List<GridRun> runs = new ArrayList<>();
    List<Pretrainer.Request> requests = requests(plan);
    ExperimentFolder.require(plan.folder(), "grids", ReproduceGrids::isAgent, ModelFolder::isOwn);
    for (Pretrainer.Request request : requests) {
      Path folder =
          plan.folder()
              .resolve(request.problem().map().name())
              .resolve(request.agent().id())
              .resolve("seed-" + request.seed());
      runs.add(GridRun.of(request, folder, progress));
    }
    GridTable table = new GridTable(runs);
    AtomicFiles.writeText(plan.folder().resolve("table.csv"), table.csv());
    Json.write(plan.folder().resolve("results.json"), table.json());
    new GridReport(runs).writeTo(plan.folder().resolve("report.html"));
    return runs;
  }

  /** All requests, made before the first run so that a wrong setting is refused at once. */
  private static List<Pretrainer.Request> requests(Plan plan) {
    requireDistinct("seed", plan.seeds());
    requireDistinct("agent", plan.agents().stream().map(AgentKind::id).toList());
    if (plan.seeds().isEmpty() || plan.agents().isEmpty() || plan.problems().isEmpty()) {
      throw UserError.invalid("nothing to run: give at least one map, one agent and one seed");
    }
    for (String override : plan.overrides()) {
      AgentKind owner = owner(override);
      if (!plan.agents().contains(owner)) {
        throw UserError.invalid("'%s' is for an agent that is not in this run", override);
      }
    }
    List<Pretrainer.Request> requests = new ArrayList<>();
    for (GridProblem problem : plan.problems()) {
      for (AgentKind agent : plan.agents()) {
        String preset =
            plan.preset() != null ? plan.preset() : agent.defaultPreset(problem.stateCount());
        List<String> own =
            plan.overrides().stream()
                .filter(override -> owner(override) == agent)
                .map(override -> override.substring(override.indexOf('.') + 1))
                .toList();
        Record settings = Settings.override(agent.preset(preset), own);
        for (long seed : plan.seeds()) {
          requests.add(new Pretrainer.Request(problem, agent, preset, settings, seed));
        }
      }
    }
    return requests;
  }

  private static boolean isAgent(String name) {
    return Arrays.stream(AgentKind.values()).anyMatch(agent -> agent.id().equals(name));
  }

  /** One run counted twice would make a spread look smaller than it is. */
  private static void requireDistinct(String what, List<?> values) {
    if (values.stream().distinct().count() < values.size()) {
      throw UserError.invalid("the same %s is given twice: %s", what, values);
    }
  }

  private static AgentKind owner(String override) {
    int dot = override.indexOf('.');
    if (dot < 0 || dot > override.indexOf('=')) {
      throw UserError.invalid(
          "'%s' does not say whose setting it is; write psm.%s, fb.%s or laplacian.%s",
          override, override, override, override);
    }
    return AgentKind.parse(override.substring(0, dot));
  }
}
