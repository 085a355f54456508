package dev.psm.studio.body;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import dev.psm.core.env.World;
import dev.psm.core.io.Json;
import dev.psm.core.reward.QuantityTable;
import dev.psm.core.reward.Task;
import dev.psm.zeroshot.ZeroShotAgent;
import dev.psm.zeroshot.ZeroShotPolicy;
import java.util.Optional;

/**
 * What of a prompt the agent's features can tell: over its inference sample the projected reward
 * beside the true one, and how far the prompt's task vector points where those of named tasks do.
 */
final class Beliefs {
  /** More points than these no picture of that size tells apart. */
  private static final int POINTS = 3000;

  private final ZeroShotAgent agent;
  private final World world;

  Beliefs(ZeroShotAgent agent) {
    this.agent = agent;
    this.world = agent.environment();
  }

  /**
   * @param x names the quantity to the right, {@code y} the one upward
   */
  ObjectNode of(Asked asked, String x, String y) {
    QuantityTable table =
        agent
            .sample()
            .quantities()
            .orElseThrow(
                () ->
                    UserError.invalid(
                        "this agent was learned from data without physics, so no quantity of its"
                            + " sample is known"));
    ObjectNode json = Json.object();
    Optional<double[]> rewards = Optional.empty();
    ZeroShotPolicy policy;
    if (asked instanceof Asked.Reward reward) {
      Task task = world.taskOrFormula(reward.text());
      policy = agent.solve(task);
      rewards = Optional.of(agent.rewards(task));
    } else if (asked instanceof Asked.Goal goal) {
      policy = agent.solveGoal(goal.numbers());
    } else {
      throw UserError.invalid(
          "only of a reward or a goal can be told what the agent believes; a demonstration's task"
              + " vector changes with every step");
    }
    numbers(json.putArray("x"), table.column(world.quantity(x)));
    numbers(json.putArray("y"), table.column(world.quantity(y)));
    rewards.ifPresent(paid -> numbers(json.putArray("reward"), paid));
    boolean direction = asked instanceof Asked.Goal && agent.model().goalsAreDirections();
    Optional<Projection> projection =
        direction ? Optional.empty() : Projection.of(agent, policy.taskVector(), rewards);
    projection.ifPresent(
        known -> {
          numbers(json.putArray("projected"), known.sample(agent));
          if (Double.isFinite(known.correlation())) {
            json.put("correlation", known.correlation());
          }
          cosines(json.putArray("cosines"), known.vector());
        });
    return json;
  }

  private void cosines(ArrayNode list, float[] vector) {
    for (Task task : world.tasks()) {
      if (!(agent.takesEpisodeGoals() && world.concernsEpisodeGoal(task))) {
        double cosine = cosine(vector, agent.solve(task).taskVector());
        if (Double.isFinite(cosine)) {
          list.addObject().put("task", task.name()).put("cosine", cosine);
        }
      }
    }
  }

  static double cosine(float[] a, float[] b) {
    double ab = 0;
    double aa = 0;
    double bb = 0;
    for (int i = 0; i < a.length; i++) {
      ab += (double) a[i] * b[i];
      aa += (double) a[i] * a[i];
      bb += (double) b[i] * b[i];
    }
    return ab / Math.sqrt(aa * bb);
  }

  /** The first of them: states are drawn independently, so these are a fair sample too. */
  private static void numbers(ArrayNode array, double[] values) {
    for (int i = 0; i < Math.min(POINTS, values.length); i++) {
      array.add((float) values[i]);
    }
  }
}
