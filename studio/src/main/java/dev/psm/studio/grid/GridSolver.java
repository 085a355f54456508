package dev.psm.studio.grid;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.agents.SolveMethod;
import dev.psm.agents.finite.FiniteModel;
import dev.psm.core.env.GridMap;
import dev.psm.core.env.GridWorld;
import dev.psm.core.io.Json;
import dev.psm.studio.ModelShelf;
import dev.psm.studio.web.RequestError;
import dev.psm.zeroshot.ZeroShotAgent;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Answers rewards on a map: by an agent that learned it, or exactly. */
final class GridSolver {
  static final String EXACT = "exact";

  /** What answers within a stroke; the linear programme may take minutes. */
  static final List<SolveMethod> METHODS =
      List.of(SolveMethod.GPI, SolveMethod.BEST, SolveMethod.DUAL);

  private final ModelShelf shelf;
  private final GridOptimum.Cache optima = new GridOptimum.Cache();

  GridSolver(ModelShelf shelf) {
    this.shelf = shelf;
  }

  /** Values, greedy actions, which of them are wrong, and the way from a cell. */
  ObjectNode solve(GridQuestion question) {
    GridWorld world = question.world();
    double[] reward = question.reward(world);
    String solver = question.field("solver").text();
    ObjectNode answer = Json.object().put("solver", solver);
    double discount = world.discount();
    double[][] q;
    long began;
    if (solver.equals(EXACT)) {
      began = System.nanoTime();
      q = optima.of(world, discount, reward).actionValues();
    } else {
      ZeroShotAgent agent = agent(solver, world, question);
      FiniteModel model = (FiniteModel) agent.model();
      discount = model.discount();
      ArrayNode methods = answer.putArray("methods");
      METHODS.stream().filter(model.methods()::contains).map(SolveMethod::id).forEach(methods::add);
      began = System.nanoTime();
      q = model.actionValues(new double[][] {reward})[0];
      if (!model.methods().isEmpty()) {
        answer.put("method", model.methods().get(0).id());
      }
    }
    answer.put("millis", (System.nanoTime() - began) / 1e6);
    GridOptimum optimum = optima.of(world, discount, reward);
    int[] actions = FiniteModel.greedy(q);
    describe(answer, q, actions, optimum);
    if (question.has("start")) {
      path(answer, world.map(), actions, question.state("start", world));
    }
    return answer;
  }

  private static void describe(
      ObjectNode answer, double[][] q, int[] actions, GridOptimum optimum) {
    ArrayNode values = answer.putArray("values");
    ArrayNode greedy = answer.putArray("actions");
    ArrayNode wrong = answer.putArray("wrong");
    int errors = 0;
    for (int state = 0; state < q.length; state++) {
      values.add(q[state][actions[state]]);
      greedy.add(actions[state]);
      boolean isWrong = !optimum.isOptimal(state, actions[state]);
      wrong.add(isWrong ? 1 : 0);
      errors += isWrong ? 1 : 0;
    }
    answer.put("wrongShare", (double) errors / q.length);
    answer.put("loss", Math.max(0, optimum.loss(actions)));
  }

  /** As far as it does not repeat itself: from there on it would for ever. */
  private static void path(ObjectNode answer, GridMap map, int[] actions, int start) {
    ArrayNode path = answer.putArray("path");
    boolean[] seen = new boolean[actions.length];
    int state = start;
    while (!seen[state]) {
      seen[state] = true;
      path.add(state);
      int next = map.nextState(state, actions[state]);
      if (next == state) {
        answer.put("stays", true);
        return;
      }
      state = next;
    }
    path.add(state);
    answer.put("stays", false);
  }

  GridOptimum optimum(GridWorld world, double discount, double[] reward) {
    return optima.of(world, discount, reward);
  }

  /** An agent of exactly this map, by the method asked for. */
  ZeroShotAgent agent(String id, GridWorld world, GridQuestion question) {
    ModelShelf.Entry entry =
        shelf
            .find(id)
            .orElseThrow(
                () ->
                    RequestError.notFound(
                        "there is no agent '%s'; there are %s, and %s", id, known(), EXACT));
    if (!(entry.world() instanceof GridWorld learned)
        || !learned.map().lines().equals(world.map().lines())) {
      throw RequestError.invalid(
          "agent '%s' learned %s, not this map; pretrain one for it", id, entry.world().name());
    }
    ZeroShotAgent agent = entry.agent();
    if (!question.has("method")) {
      return agent;
    }
    String method = question.field("method").text();
    SolveMethod wanted =
        METHODS.stream()
            .filter(each -> each.id().equals(method))
            .findFirst()
            .orElseThrow(
                () ->
                    question
                        .field("method")
                        .error(
                            "expected one of %s, found '%s'"
                                .formatted(
                                    METHODS.stream()
                                        .map(SolveMethod::id)
                                        .collect(Collectors.joining(", ")),
                                    method)));
    return agent.solvingBy(wanted);
  }

  private String known() {
    String ids =
        shelf.entries().stream().map(ModelShelf.Entry::id).collect(Collectors.joining(", "));
    return ids.isEmpty() ? "none" : ids;
  }

  static ArrayNode numbers(ArrayNode array, double[] numbers) {
    Arrays.stream(numbers).forEach(array::add);
    return array;
  }
}
