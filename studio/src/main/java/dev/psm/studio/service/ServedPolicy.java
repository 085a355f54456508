package dev.psm.studio.service;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.io.Json;
import dev.psm.core.reward.CanonicalReward;
import dev.psm.zeroshot.Prompt;
import dev.psm.zeroshot.ZeroShotAgent;
import dev.psm.zeroshot.ZeroShotPolicy;
import java.util.Optional;

/**
 * A prompt's policy.
 *
 * @param isConstant whether its reward pays the same everywhere, so that there is nothing to pursue
 * @param warning in words, why it may be worth little: its goal lies far outside the data
 */
record ServedPolicy(
    String id,
    ServedModel model,
    ZeroShotPolicy policy,
    String kind,
    String title,
    boolean isConstant,
    Optional<String> warning) {

  static ServedPolicy solve(String id, ServedModel model, ZeroShotAgent agent, Prompt prompt) {
    ZeroShotPolicy policy = prompt.solve(agent);
    Optional<String> warning =
        prompt instanceof Prompt.Goal goal
            ? agent.outsideData(goal.observation())
            : Optional.empty();
    return new ServedPolicy(
        id, model, policy, prompt.kind(), prompt.title(), isConstant(prompt, agent), warning);
  }

  private static boolean isConstant(Prompt prompt, ZeroShotAgent agent) {
    if (prompt instanceof Prompt.Reward paid) {
      return CanonicalReward.of(agent.rewards(paid.task())).isConstant();
    }
    return prompt instanceof Prompt.Samples labelled
        && CanonicalReward.of(labelled.rewards()).isConstant();
  }

  /** What it holds, roughly. */
  long bytes() {
    return 1_000 + (long) policy.steps() * policy.taskVector().length * Float.BYTES;
  }

  ObjectNode json() {
    ObjectNode document = Json.object();
    document.put("policy", id).put("model", model.id()).put("prompt", kind).put("title", title);
    document.put("steps", policy.steps()).put("constant", isConstant);
    warning.ifPresent(words -> document.put("warning", words));
    ArrayNode task = document.putArray("task");
    for (float number : policy.taskVector()) {
      task.add(number);
    }
    return document;
  }
}
