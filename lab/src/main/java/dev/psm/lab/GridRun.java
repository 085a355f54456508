package dev.psm.lab;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.agents.FiniteModel;
import dev.psm.core.UserError;
import dev.psm.core.io.Json;
import dev.psm.core.mdp.FiniteMdp;
import dev.psm.core.settings.Settings;
import dev.psm.core.stats.Summary;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * One agent pretrained on one map at one seed and graded: against the shortest paths to every goal,
 * and against value iteration on rewards that are not goals. The grade is kept beside the model, so
 * that work interrupted is not done again.
 *
 * @param goalErrors policy error in per cent, by goal
 * @param sampledErrors the same for ten goals drawn by the seed, as the paper draws them
 * @param valueLosses in per cent, by test reward; see {@link ValueLoss}
 */
public record GridRun(
    GridProblem problem,
    AgentKind agent,
    String preset,
    long seed,
    Path folder,
    double seconds,
    double[] goalErrors,
    double[] sampledErrors,
    double[] valueLosses,
    List<Pretrainer.Point> curve) {
  private static final int SAMPLED_GOALS = 10;

  public double meanGoalError() {
    return Summary.of(goalErrors).mean();
  }

  public double meanSampledError() {
    return Summary.of(sampledErrors).mean();
  }

  public double meanValueLoss() {
    return Summary.of(valueLosses).mean();
  }

  /**
   * Pretrains and grades, or takes what an earlier call with the same settings left in the folder.
   */
  public static GridRun of(Pretrainer.Request request, Path folder, Progress progress) {
    if (!isSameRun(request, folder)) {
      ModelFolder.pretrain(request, folder, progress);
    }
    if (!Files.isRegularFile(folder.resolve(ModelFolder.GRADE))) {
      Json.write(folder.resolve(ModelFolder.GRADE), grade(request, ModelFolder.load(folder)));
    }
    return read(request, folder);
  }

  private static boolean isSameRun(Pretrainer.Request request, Path folder) {
    if (!ModelFolder.isComplete(folder)) {
      return false;
    }
    JsonNode description = Json.read(folder.resolve("model.json"));
    boolean same =
        description
                .path("settings")
                .equals(Json.parse(Json.line(Settings.toJson(request.settings())), "settings"))
            && description.path("agent").asText().equals(request.agent().id())
            && description.path("seed").asLong() == request.seed()
            && description
                .path("provenance")
                .path("dataSha256")
                .asText()
                .equals(Provenance.dataHash(request.problem()));
    if (!same) {
      throw UserError.argument(
          "out",
          "%s holds a run with other settings, seed or map; choose another folder, or delete it",
          folder);
    }
    return true;
  }

  private static ObjectNode grade(Pretrainer.Request request, ModelFolder.Loaded loaded) {
    GridProblem problem = request.problem();
    FiniteModel model = loaded.model();
    int[] goals = problem.allGoals();
    double[] errors = problem.errors(goals, model.actionValues(problem.goalRewards(goals)));
    int[] sampled = problem.randomGoals(SAMPLED_GOALS, request.seed());
    ObjectNode grade = Json.object();
    addAll(grade.putArray("goalErrors"), errors);
    addAll(
        grade.putArray("sampledErrors"),
        Arrays.stream(sampled).mapToDouble(goal -> errors[goal]).toArray());
    FiniteMdp mdp = problem.map().toMdp(AgentKind.discount(request.settings()));
    double[][] rewards = ValueLoss.rewards(mdp, 0);
    addAll(grade.putArray("valueLosses"), ValueLoss.of(mdp, rewards, model.actionValues(rewards)));
    grade.set("seconds", loaded.description().path("provenance").path("trainingSeconds"));
    return grade;
  }

  private static void addAll(ArrayNode array, double[] values) {
    for (double value : values) {
      array.add(value);
    }
  }

  private static GridRun read(Pretrainer.Request request, Path folder) {
    JsonNode grade = Json.read(folder.resolve(ModelFolder.GRADE));
    return new GridRun(
        request.problem(),
        request.agent(),
        request.preset(),
        request.seed(),
        folder,
        grade.path("seconds").asDouble(),
        doubles(grade.path("goalErrors")),
        doubles(grade.path("sampledErrors")),
        doubles(grade.path("valueLosses")),
        ModelFolder.curve(folder));
  }

  private static double[] doubles(JsonNode array) {
    double[] values = new double[array.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = array.get(i).asDouble();
    }
    return values;
  }
}
