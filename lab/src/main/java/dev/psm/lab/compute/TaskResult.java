package dev.psm.lab.compute;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/**
 * What became of a task: an answer, a failure, or neither where it was stopped.
 *
 * @param task its place in the list of tasks
 * @param failure why there is no answer, in a sentence
 */
public record TaskResult(int task, Optional<ObjectNode> answer, Optional<String> failure) {

  /** Whether it came to an end. */
  public boolean ended() {
    return answer.isPresent() || failure.isPresent();
  }
}
