package dev.psm.studio.grid;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.agents.finite.FiniteModel;
import dev.psm.core.env.GridMap;
import dev.psm.core.env.GridWorld;
import dev.psm.core.io.Json;
import dev.psm.core.mdp.FiniteMdp;
import dev.psm.core.mdp.Policy;
import dev.psm.core.mdp.SuccessorMeasure;
import dev.psm.zeroshot.ZeroShotAgent;

/** What an agent has learned, read from its model: its basis, and measures beside exact ones. */
final class GridInsight {
  private final GridSolver solver;

  GridInsight(GridSolver solver) {
    this.solver = solver;
  }

  /** Its functions of s⁺, as they are for one pair. */
  ObjectNode basis(GridQuestion question) {
    GridWorld world = question.world();
    int pair = pair(question, world);
    FiniteModel model = model(question, world);
    ObjectNode answer = Json.object();
    ArrayNode functions = answer.putArray("functions");
    for (double[] function : model.basis(pair)) {
      GridSolver.numbers(functions.addArray(), function);
    }
    return answer;
  }

  /** Where the policy for a reward goes after one pair, learned and exact. */
  ObjectNode measure(GridQuestion question) {
    GridWorld world = question.world();
    int pair = pair(question, world);
    double[] reward = question.reward(world);
    ObjectNode answer = Json.object();
    if (question.field("solver").text().equals(GridSolver.EXACT)) {
      double discount = world.discount();
      int[] best = FiniteModel.greedy(solver.optimum(world, discount, reward).actionValues());
      GridSolver.numbers(answer.putArray("exact"), exact(world.mdp(discount), best, pair));
      return answer;
    }
    FiniteModel model = model(question, world);
    FiniteModel.LearnedMeasure learned = model.measure(pair, reward);
    double[] exact = exact(world.mdp(model.discount()), learned.policy(), pair);
    GridSolver.numbers(answer.putArray("learned"), learned.measure());
    GridSolver.numbers(answer.putArray("exact"), exact);
    double distance = 0;
    for (int state = 0; state < exact.length; state++) {
      distance += Math.abs(exact[state] - learned.measure()[state]) / 2;
    }
    answer.put("distance", distance);
    return answer;
  }

  private static double[] exact(FiniteMdp mdp, int[] policy, int pair) {
    return SuccessorMeasure.ofNextState(mdp, Policy.deterministic(policy, mdp.actionCount()), pair);
  }

  private static int pair(GridQuestion question, GridWorld world) {
    return question.state("state", world) * GridMap.ACTION_COUNT + question.action();
  }

  private FiniteModel model(GridQuestion question, GridWorld world) {
    ZeroShotAgent agent = solver.agent(question.field("solver").text(), world, question);
    return (FiniteModel) agent.model();
  }
}
