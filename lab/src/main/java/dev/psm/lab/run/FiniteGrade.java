package dev.psm.lab.run;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import dev.psm.core.env.FiniteWorld;
import dev.psm.core.io.Json;
import dev.psm.core.io.JsonField;
import dev.psm.core.mdp.FiniteMdp;
import dev.psm.core.stats.Summary;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * What a model of a finite world is worth, against its exact solutions.
 *
 * @param goalErrors wrong actions in per cent, by goal
 * @param valueLosses in per cent, by test reward; see {@link ValueLoss}
 */
@SuppressWarnings("ArrayRecordComponent")
public record FiniteGrade(double[] goalErrors, double[] valueLosses) {
  private static final String FILE = "grade.json";

  /** A way of solving: from rewards, one row each, to their action values. */
  @FunctionalInterface
  public interface Solver {
    double[][][] actionValues(double[][] rewards);
  }

  /**
   * Grades a way of solving.
   *
   * @param discount that rewards are counted with
   * @param goals which states are to be reached
   */
  public static FiniteGrade of(Solver solver, FiniteWorld world, double discount, int[] goals) {
    double[] errors =
        Goals.errors(
            world.goalOracle(discount), goals, solver.actionValues(Goals.rewards(goals, world)));
    FiniteMdp mdp = world.mdp(discount);
    double[][] rewards = ValueLoss.rewards(mdp, 0);
    return new FiniteGrade(errors, ValueLoss.of(mdp, rewards, solver.actionValues(rewards)));
  }

  public double meanGoalError() {
    return Summary.of(goalErrors).mean();
  }

  public double meanValueLoss() {
    return Summary.of(valueLosses).mean();
  }

  public void write(Path seedFolder) {
    ObjectNode root = Json.object();
    add(root.putArray("goalErrors"), goalErrors);
    add(root.putArray("valueLosses"), valueLosses);
    Json.write(seedFolder.resolve(FILE), root);
  }

  private static void add(ArrayNode array, double[] values) {
    for (double value : values) {
      array.add(value);
    }
  }

  static void delete(Path seedFolder) {
    RunFolder.delete(seedFolder.resolve(FILE));
  }

  /** Of every goal of a world; what is missing or cannot be a grade is empty. */
  public static Optional<FiniteGrade> read(Path seedFolder, FiniteWorld world) {
    try {
      JsonField root = JsonField.read(seedFolder.resolve(FILE));
      FiniteGrade grade =
          new FiniteGrade(numbers(root.get("goalErrors")), numbers(root.get("valueLosses")));
      boolean possible =
          grade.goalErrors.length == world.stateCount()
              && grade.valueLosses.length == ValueLoss.REWARDS
              && Arrays.stream(grade.goalErrors).allMatch(error -> error >= 0 && error <= 100);
      return possible ? Optional.of(grade) : Optional.empty();
    } catch (UserError damaged) {
      return Optional.empty();
    }
  }

  private static double[] numbers(JsonField field) {
    return field.numbers(field.elements().size());
  }
}
