package dev.psm.lab.compute;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.io.JsonField;
import java.util.Optional;

/**
 * What became of a task: an answer, a failure, or neither where it was stopped.
 *
 * @param index the task's place in the list of tasks
 * @param failure why there is no answer, in a sentence
 */
public record TaskResult(int index, Optional<ObjectNode> answer, Optional<String> failure) {
  private static final String ANSWER = "answer";
  private static final String FAILURE = "failure";

  public static TaskResult failed(int index, String reason) {
    return new TaskResult(index, Optional.empty(), Optional.of(reason));
  }

  public static TaskResult stopped(int index) {
    return new TaskResult(index, Optional.empty(), Optional.empty());
  }

  /** Whether it came to an end. */
  public boolean ended() {
    return answer.isPresent() || failure.isPresent();
  }

  /** Adds it, without its place, to a document. */
  public void put(ObjectNode document) {
    answer.ifPresent(found -> document.set(ANSWER, found));
    failure.ifPresent(reason -> document.put(FAILURE, reason));
  }

  /** What {@link #put} has added to a document. Faults of libraries are told in several lines. */
  public static TaskResult of(int index, JsonField document) {
    return new TaskResult(
        index,
        document.has(ANSWER) ? Optional.of(document.get(ANSWER).object()) : Optional.empty(),
        document.has(FAILURE)
            ? Optional.of(document.get(FAILURE).textOrBlank())
            : Optional.empty());
  }
}
