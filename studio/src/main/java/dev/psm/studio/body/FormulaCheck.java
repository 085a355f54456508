package dev.psm.studio.body;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import dev.psm.core.env.World;
import dev.psm.core.io.Json;
import dev.psm.core.reward.CanonicalReward;
import dev.psm.core.reward.Task;
import dev.psm.core.reward.formula.Formula;
import dev.psm.core.reward.formula.FormulaError;
import dev.psm.zeroshot.ZeroShotAgent;
import java.util.Arrays;

/** What there is to say of a formula while it is typed. */
final class FormulaCheck {
  private FormulaCheck() {}

  /** What it pays in the agent's sample, or {@code error} and, in a text, its {@code index}. */
  static ObjectNode of(String text, ZeroShotAgent agent) {
    World world = agent.environment();
    ObjectNode json = Json.object();
    try {
      Task task = world.taskOrFormula(text);
      if (agent.takesEpisodeGoals() && world.concernsEpisodeGoal(task)) {
        return world.tasks().contains(task)
            ? json.put("drawn", true)
            : json.put(
                "error",
                "this speaks of the goal that each episode draws, which states of the data say"
                    + " nothing of: give a goal, or one of the tasks");
      }
      double[] rewards = agent.rewards(task);
      double[] sorted = rewards.clone();
      Arrays.sort(sorted);
      json.put("low", sorted[0])
          .put("median", sorted[sorted.length / 2])
          .put("high", sorted[sorted.length - 1])
          .put("constant", CanonicalReward.of(rewards).isConstant());
      if (task.reward() instanceof Formula formula) {
        ArrayNode used = json.putArray("quantities");
        formula.quantities().forEach(each -> used.add(each.name()));
      }
    } catch (FormulaError mistake) {
      json.removeAll();
      json.put("error", mistake.problem()).put("index", mistake.index());
    } catch (UserError wrong) {
      json.removeAll();
      // The first line: below it stands the formula once more.
      json.put("error", wrong.getMessage().lines().findFirst().orElse(""));
    }
    return json;
  }
}
