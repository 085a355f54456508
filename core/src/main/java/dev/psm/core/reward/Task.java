package dev.psm.core.reward;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.io.Json;
import java.util.List;

/**
 * A named reward.
 *
 * @param meaning one sentence for a person: what is paid
 * @param formula the same in the reward language; empty where nobody wrote it down
 * @param reward of one state
 * @param milestones on the way to what is asked for, which an evaluation counts
 */
public record Task(
    String name, String meaning, String formula, Reward reward, List<Milestone> milestones) {
  public Task {
    milestones = List.copyOf(milestones);
  }

  public Task(String name, String meaning, String formula, Reward reward) {
    this(name, meaning, formula, reward, List.of());
  }

  public Task(String name, String meaning, Reward reward) {
    this(name, meaning, "", reward);
  }

  /** Pays nothing anywhere, for whoever acts without a reward. */
  public static Task unpaid(String name) {
    return new Task(name, "nothing is paid", "0", readings -> 0);
  }

  /** Name, meaning and formula. */
  public ObjectNode toJson() {
    return Json.object().put("name", name).put("meaning", meaning).put("formula", formula);
  }

  public double reward(Readings readings) {
    return reward.of(readings);
  }
}
