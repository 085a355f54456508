package dev.psm.lab.pass;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import dev.psm.core.io.Json;
import dev.psm.lab.compute.TaskResult;
import dev.psm.lab.compute.Work;
import dev.psm.lab.compute.WorkContext;
import java.util.Optional;

/** A part of a pass. A user's mistake that it meets is an answer too, so that its kind is kept. */
public abstract class PassWork implements Work {
  private static final String REFUSAL = "refusal";
  private static final String KIND = "kind";

  /** Performs a part; empty where it was stopped before its end. */
  protected abstract Optional<ObjectNode> performPart(ObjectNode task, WorkContext context);

  @Override
  public final Optional<ObjectNode> perform(ObjectNode task, WorkContext context) {
    try {
      return performPart(task, context);
    } catch (UserError e) {
      return Optional.of(Json.object().put(REFUSAL, e.getMessage()).put(KIND, e.kind().name()));
    }
  }

  /** Where answers are sums, they are added in one order, whoever performs the parts. */
  @Override
  public boolean isInOrder() {
    return true;
  }

  /** Why a part has no answer that counts, if so. */
  public static Optional<UserError> error(TaskResult result) {
    return result
        .failure()
        .map(words -> UserError.failed(null, "%s", words))
        .or(() -> result.answer().filter(answer -> answer.has(REFUSAL)).map(PassWork::refusal));
  }

  private static UserError refusal(ObjectNode answer) {
    String words = answer.path(REFUSAL).asText();
    return answer.path(KIND).asText().equals(UserError.Kind.INVALID.name())
        ? UserError.invalid("%s", words)
        : UserError.failed(null, "%s", words);
  }
}
