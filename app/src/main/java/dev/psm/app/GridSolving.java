package dev.psm.app;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.agents.finite.FiniteModel;
import dev.psm.agents.affine.SolveMethod;
import dev.psm.core.env.GridArrows;
import dev.psm.core.env.GridMap;
import dev.psm.core.io.Json;
import dev.psm.lab.ModelFolder;
import dev.psm.lab.RewardText;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Option;

/** {@code solve} on a grid. */
final class GridSolving {
  @Option(
      names = "--method",
      paramLabel = "NAME",
      description = "How PSM solves: dual, lp, best or gpi (default: the preset's).")
  private String methodName;

  /** One of the goal and the reward is null. */
  void run(Path folder, String goal, String rewardText, Output output) {
    ModelFolder.Loaded loaded = ModelFolder.load(folder);
    GridMap map = loaded.problem().map();
    int goalState = goal == null ? -1 : map.goal(goal);
    double[] reward =
        goal == null ? RewardText.onGrid(rewardText, map) : loaded.problem().goalReward(goalState);
    SolveMethod method = Methods.of(loaded, methodName);
    long start = System.nanoTime();
    double[][] q = Methods.actionValues(loaded, new double[][] {reward}, method)[0];
    double milliseconds = (System.nanoTime() - start) / 1e6;
    int[] actions = FiniteModel.greedy(q);
    output.say(
        "%s%s solved in %.1f ms"
            .formatted(
                loaded.agent().title(),
                method == null ? "" : " (" + method.name().toLowerCase(Locale.ROOT) + ")",
                milliseconds));
    SolveCommand.warnOfConstant(reward, output);
    output.say(GridArrows.draw(map, state -> actions[state], goalState).stripTrailing());
    ObjectNode document = Json.object();
    document.put("agent", loaded.agent().id());
    if (method != null) {
      document.put("method", method.name().toLowerCase(Locale.ROOT));
    }
    document.put("environment", map.name());
    if (goalState >= 0) {
      document
          .putObject("goal")
          .put("row", map.row(goalState))
          .put("column", map.column(goalState));
    }
    document.put("milliseconds", milliseconds);
    ArrayNode names = document.putArray("actions");
    List.of("up", "right", "down", "left", "stay").forEach(names::add);
    if (goalState >= 0) {
      double error = loaded.problem().oracle().error(goalState, actions);
      output.say("wrong in %.2f %% of cells, against the shortest paths".formatted(error));
      document.put("policyError", error);
    }
    ArrayNode cells = document.putArray("policy");
    for (int state = 0; state < actions.length; state++) {
      ObjectNode cell = cells.addObject();
      cell.put("row", map.row(state)).put("column", map.column(state));
      cell.put("action", actions[state]);
      ArrayNode values = cell.putArray("q");
      for (double value : q[state]) {
        values.add(value);
      }
    }
    output.finish(document);
  }
}
