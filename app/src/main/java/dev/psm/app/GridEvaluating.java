package dev.psm.app;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.agents.affine.SolveMethod;
import dev.psm.core.UserError;
import dev.psm.core.Wording;
import dev.psm.core.env.GridMap;
import dev.psm.core.io.Json;
import dev.psm.core.mdp.FiniteMdp;
import dev.psm.core.stats.Summary;
import dev.psm.lab.AgentKind;
import dev.psm.lab.GridProblem;
import dev.psm.lab.ModelFolder;
import dev.psm.lab.ValueLoss;
import java.nio.file.Path;
import java.util.Locale;
import picocli.CommandLine.Option;

/** {@code evaluate} on a grid. */
final class GridEvaluating {
  @Option(
      names = "--goals",
      paramLabel = "all|N",
      description = "Every goal, or N drawn at random by --seed (default: all).")
  private String goals = "all";

  @Option(
      names = "--method",
      paramLabel = "NAME",
      description = "How PSM solves: dual, lp, best or gpi (default: the preset's).")
  private String methodName;

  void run(Path folder, long seed, Output output) {
    ModelFolder.Loaded loaded = ModelFolder.load(folder);
    GridProblem problem = loaded.problem();
    GridMap map = problem.map();
    SolveMethod method = Methods.of(loaded, methodName);
    int[] chosen = goals(problem, seed);
    double[][] rewards = problem.goalRewards(chosen);
    long start = System.nanoTime();
    double[][][] q = Methods.actionValues(loaded, rewards, method);
    double seconds = (System.nanoTime() - start) / 1e9;
    double[] errors = problem.errors(chosen, q);
    Summary summary = Summary.of(errors);
    FiniteMdp mdp = map.toMdp(AgentKind.discount(loaded.settings()));
    double[][] others = ValueLoss.rewards(mdp, 0);
    Summary loss =
        Summary.of(ValueLoss.of(mdp, others, Methods.actionValues(loaded, others, method)));
    output.say(
        "%s%s on %s"
            .formatted(
                loaded.agent().title(),
                method == null ? "" : " (" + method.name().toLowerCase(Locale.ROOT) + ")",
                map.name()));
    output.say(
        "%s solved in %.2f s; wrong in %.2f %% of cells on average, worst goal %.2f %%"
            .formatted(
                Wording.count(chosen.length, "goal"), seconds, summary.mean(), summary.max()));
    output.say(
        "other rewards: %d; value lost %.1f %% on average, worst %.1f %%"
            .formatted(others.length, loss.mean(), loss.max()));
    ObjectNode document = Json.object();
    document.put("agent", loaded.agent().id());
    document.put("environment", map.name());
    if (method != null) {
      document.put("method", method.name().toLowerCase(Locale.ROOT));
    }
    document.put("goals", chosen.length);
    document.put("seconds", seconds);
    document.put("meanPolicyError", summary.mean());
    document.put("meanValueLoss", loss.mean());
    ArrayNode perGoal = document.putArray("perGoal");
    for (int i = 0; i < chosen.length; i++) {
      perGoal
          .addObject()
          .put("row", map.row(chosen[i]))
          .put("column", map.column(chosen[i]))
          .put("policyError", errors[i]);
    }
    output.finish(document);
  }

  private int[] goals(GridProblem problem, long seed) {
    if (goals.equals("all")) {
      return problem.allGoals();
    }
    try {
      int count = Integer.parseInt(goals);
      if (count >= 1 && count <= problem.stateCount()) {
        return problem.randomGoals(count, seed);
      }
    } catch (NumberFormatException e) {
      // Told below.
    }
    throw UserError.invalid(
        "--goals: expected 'all' or a number from 1 to %d, found '%s'",
        problem.stateCount(), goals);
  }
}
