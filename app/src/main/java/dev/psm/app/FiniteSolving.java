package dev.psm.app;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.agents.SolveMethod;
import dev.psm.agents.finite.FiniteModel;
import dev.psm.core.env.FiniteWorld;
import dev.psm.core.env.GridWorld;
import dev.psm.core.io.Json;
import dev.psm.lab.RewardText;
import dev.psm.lab.run.Goals;
import dev.psm.zeroshot.ZeroShotAgent;

/** {@code solve} in a world whose states are few and known. */
final class FiniteSolving {
  private FiniteSolving() {}

  /** One of the goal and the reward is null. */
  static void run(
      ZeroShotAgent agent, String goal, String rewardText, String methodName, Output output) {
    FiniteWorld world = (FiniteWorld) agent.environment();
    int goalState = goal == null ? -1 : world.stateNamed(goal);
    double[] reward =
        goal == null ? RewardText.everywhere(rewardText, world) : Goals.reward(goalState, world);
    SolveMethod method = Methods.of(agent, methodName);
    long start = System.nanoTime();
    double[][] q = Methods.actionValues(agent, new double[][] {reward}, method)[0];
    double milliseconds = (System.nanoTime() - start) / 1e6;
    int[] actions = FiniteModel.greedy(q);
    output.say(
        "%s on %s solved in %.1f ms"
            .formatted(Methods.title(agent, method), world.name(), milliseconds));
    SolveCommand.warnOfConstant(reward, output);
    output.say(world.draw(actions, goalState).stripTrailing());
    ObjectNode document = Json.object();
    document.put("agent", agent.name());
    if (method != null) {
      document.put("method", method.id());
    }
    document.put("environment", world.name());
    document.put("milliseconds", milliseconds);
    ArrayNode names = document.putArray("actions");
    world.actionNames().forEach(names::add);
    if (goalState >= 0) {
      place(world, goalState, document.putObject("goal"));
      double error =
          world.goalOracle(((FiniteModel) agent.model()).discount()).error(goalState, actions);
      output.say("wrong in %.2f %% of states, against the optimum".formatted(error));
      document.put("policyError", error);
    }
    ArrayNode states = document.putArray("policy");
    for (int state = 0; state < actions.length; state++) {
      ObjectNode node = states.addObject();
      place(world, state, node);
      node.put("action", actions[state]);
      ArrayNode values = node.putArray("q");
      for (double value : q[state]) {
        values.add(value);
      }
    }
    output.finish(document);
  }

  /** Which state it is: on a grid by row and column. */
  static void place(FiniteWorld world, int state, ObjectNode node) {
    if (world instanceof GridWorld grid) {
      node.put("row", grid.map().row(state)).put("column", grid.map().column(state));
    } else {
      node.put("state", world.stateName(state));
    }
  }
}
