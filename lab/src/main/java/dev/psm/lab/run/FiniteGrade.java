package dev.psm.lab.run;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.agents.finite.FiniteModel;
import dev.psm.core.env.FiniteWorld;
import dev.psm.core.env.GoalOracle;
import dev.psm.core.io.Json;
import dev.psm.core.io.JsonField;
import dev.psm.core.mdp.FiniteMdp;
import dev.psm.core.stats.Summary;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * What a model of a finite world is worth, against its exact solutions.
 *
 * @param goalErrors wrong actions in per cent, by goal
 * @param sampledErrors the same for ten goals drawn by the seed, as the paper draws them
 * @param valueLosses in per cent, by test reward; see {@link ValueLoss}
 */
@SuppressWarnings("ArrayRecordComponent")
public record FiniteGrade(double[] goalErrors, double[] sampledErrors, double[] valueLosses) {
  private static final String FILE = "grade.json";
  private static final int SAMPLED_GOALS = 10;

  static FiniteGrade of(
      FiniteModel model, FiniteWorld world, GoalOracle oracle, double discount, long seed) {
    int[] goals = Goals.all(world);
    double[] errors = Goals.errors(oracle, goals, model.actionValues(Goals.rewards(goals, world)));
    double[] sampled =
        Arrays.stream(Goals.random(world, SAMPLED_GOALS, seed))
            .mapToDouble(goal -> errors[goal])
            .toArray();
    FiniteMdp mdp = world.mdp(discount);
    double[][] rewards = ValueLoss.rewards(mdp, 0);
    return new FiniteGrade(
        errors, sampled, ValueLoss.of(mdp, rewards, model.actionValues(rewards)));
  }

  public double meanGoalError() {
    return Summary.of(goalErrors).mean();
  }

  public double meanSampledError() {
    return Summary.of(sampledErrors).mean();
  }

  public double meanValueLoss() {
    return Summary.of(valueLosses).mean();
  }

  void write(Path seedFolder) {
    ObjectNode root = Json.object();
    add(root.putArray("goalErrors"), goalErrors);
    add(root.putArray("sampledErrors"), sampledErrors);
    add(root.putArray("valueLosses"), valueLosses);
    Json.write(seedFolder.resolve(FILE), root);
  }

  private static void add(ArrayNode array, double[] values) {
    for (double value : values) {
      array.add(value);
    }
  }

  static FiniteGrade read(Path seedFolder) {
    JsonField root = JsonField.read(seedFolder.resolve(FILE));
    return new FiniteGrade(
        numbers(root.get("goalErrors")),
        numbers(root.get("sampledErrors")),
        numbers(root.get("valueLosses")));
  }

  private static double[] numbers(JsonField field) {
    return field.numbers(field.elements().size());
  }
}
