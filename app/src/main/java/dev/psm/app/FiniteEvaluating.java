package dev.psm.app;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.agents.SolveMethod;
import dev.psm.agents.finite.FiniteModel;
import dev.psm.core.UserError;
import dev.psm.core.Wording;
import dev.psm.core.env.FiniteWorld;
import dev.psm.core.io.Json;
import dev.psm.core.stats.Summary;
import dev.psm.lab.run.FiniteGrade;
import dev.psm.lab.run.Goals;
import dev.psm.zeroshot.ZeroShotAgent;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** {@code evaluate} in a world whose states are few and known. */
final class FiniteEvaluating {
  private final String goals;
  private final String methodName;

  /**
   * @param goals all, or how many
   * @param methodName null for the model's own
   */
  FiniteEvaluating(String goals, String methodName) {
    this.goals = goals;
    this.methodName = methodName;
  }

  /**
   * @param models by seed; the only one under an empty name
   */
  void run(Map<String, Path> models, long startSeed, Output output) {
    ObjectNode document = Json.object();
    List<Double> errors = new ArrayList<>();
    List<Double> losses = new ArrayList<>();
    for (Map.Entry<String, Path> model : models.entrySet()) {
      try (ZeroShotAgent agent = ZeroShotAgent.read(model.getValue())) {
        ObjectNode own = models.size() == 1 ? document : document.withArray("perSeed").addObject();
        if (!model.getKey().isEmpty()) {
          own.put("seed", Long.parseLong(model.getKey()));
        }
        grade(agent, startSeed, model.getKey(), own, output);
        errors.add(own.get("meanPolicyError").doubleValue());
        losses.add(own.get("meanValueLoss").doubleValue());
      }
    }
    if (models.size() > 1) {
      Summary wrong = summary(errors);
      Summary lost = summary(losses);
      output.say(
          Wording.format(
              "%d seeds: wrong in %.2f ± %.2f %% of states; value lost %.2f ± %.2f %%",
              models.size(),
              wrong.mean(),
              wrong.standardDeviation(),
              lost.mean(),
              lost.standardDeviation()));
      document.put("meanPolicyError", wrong.mean()).put("meanValueLoss", lost.mean());
    }
    output.finish(document);
  }

  private static Summary summary(List<Double> values) {
    return Summary.of(values.stream().mapToDouble(Double::doubleValue).toArray());
  }

  private void grade(
      ZeroShotAgent agent, long startSeed, String seed, ObjectNode document, Output output) {
    FiniteWorld world = (FiniteWorld) agent.environment();
    SolveMethod method = Methods.of(agent, methodName);
    int[] chosen = goals(world, startSeed);
    double[] seconds = new double[1];
    FiniteGrade grade =
        FiniteGrade.of(
            rewards -> {
              long start = System.nanoTime();
              double[][][] q = Methods.actionValues(agent, rewards, method);
              // Goals come first.
              seconds[0] = seconds[0] == 0 ? (System.nanoTime() - start) / 1e9 : seconds[0];
              return q;
            },
            world,
            ((FiniteModel) agent.model()).discount(),
            chosen);
    Summary summary = Summary.of(grade.goalErrors());
    Summary loss = Summary.of(grade.valueLosses());
    output.say(
        "%s on %s%s"
            .formatted(
                Methods.title(agent, method),
                world.name(),
                seed.isEmpty() ? "" : ", seed " + seed));
    output.say(
        "%s solved in %.2f s; wrong in %.2f %% of states on average, worst goal %.2f %%"
            .formatted(
                Wording.count(chosen.length, "goal"), seconds[0], summary.mean(), summary.max()));
    output.say(
        "other rewards: %d; value lost %.1f %% on average, worst %.1f %%"
            .formatted(grade.valueLosses().length, loss.mean(), loss.max()));
    document.put("agent", agent.name());
    document.put("environment", world.name());
    if (method != null) {
      document.put("method", method.id());
    }
    document.put("goals", chosen.length);
    document.put("seconds", seconds[0]);
    document.put("meanPolicyError", summary.mean());
    document.put("meanValueLoss", loss.mean());
    ArrayNode perGoal = document.putArray("perGoal");
    for (int i = 0; i < chosen.length; i++) {
      ObjectNode node = perGoal.addObject();
      FiniteSolving.place(world, chosen[i], node);
      node.put("policyError", grade.goalErrors()[i]);
    }
  }

  private int[] goals(FiniteWorld world, long seed) {
    if (goals.equals("all")) {
      return Goals.all(world);
    }
    try {
      int count = Integer.parseInt(goals);
      if (count >= 1 && count <= world.stateCount()) {
        return Goals.random(world, count, seed);
      }
    } catch (NumberFormatException e) {
      // Told below.
    }
    throw UserError.invalid(
        "--goals: expected 'all' or a number from 1 to %d, found '%s'", world.stateCount(), goals);
  }
}
