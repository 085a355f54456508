package dev.psm.lab.compute;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.function.Consumer;

/** Who performs tasks. */
public interface Workers extends AutoCloseable {

  /**
   * Performs all tasks, in any order, some at once.
   *
   * @param label for a person, such as "36 runs"
   * @param ended is told of every task that comes to its end, one after the other, on the caller's
   *     thread
   * @return whether all came to an end; false where somebody wanted it to stop before
   */
  boolean perform(
      Class<? extends Work> work,
      String label,
      List<ObjectNode> tasks,
      WorkContext context,
      Consumer<TaskResult> ended);

  /**
   * How many threads their owner may compute on here before and after the tasks: no more than they
   * take of this machine, so that what was asked of them holds for all of a command.
   */
  default int threadsHere() {
    return Runtime.getRuntime().availableProcessors();
  }

  /** Where tasks are performed, for a person. */
  String describe();

  @Override
  void close();
}
