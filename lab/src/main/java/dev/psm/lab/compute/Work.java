package dev.psm.lab.compute;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.io.Json;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Work that any machine can do, cut into tasks. What is asked and what is answered are JSON
 * documents, so that they can travel; whatever is large lies in folders that all machines share,
 * named by absolute paths.
 *
 * <p>An implementation is made anew by its class's name wherever a task is performed: it is public,
 * has a public constructor without arguments, and keeps nothing between tasks. A task may be
 * performed again after a machine was lost, so it must leave what it did half in a state from which
 * it can go on or begin anew.
 */
public interface Work {

  /**
   * Performs a task.
   *
   * @return the answer; empty where somebody wanted it to stop before its end
   */
  Optional<ObjectNode> perform(ObjectNode task, WorkContext context);

  /** What a task needs of memory; it decides how many are performed at once on one machine. */
  default long memoryBytes(ObjectNode task) {
    return 0;
  }

  /** The cores that a task computes on: part of what decides its last bits. */
  default int threads(ObjectNode task) {
    return 1;
  }

  /**
   * Folders that a task writes into, and that who asked reads. On another machine's own disk what
   * is written there would be lost without a word, so workers look whether theirs are the same.
   */
  default List<Path> sharedFolders(ObjectNode task) {
    return List.of();
  }

  /**
   * What tells a task from the others of its kind, on whichever machine it was planned: by it what
   * became of a task is found again.
   */
  default String name(ObjectNode task) {
    return Json.line(task);
  }

  /**
   * Whether answers are used in the order of the tasks, and kept until it is their turn. Workers
   * that choose themselves what is begun then begin nothing far behind the first that is missing,
   * so that few are kept at any time.
   */
  default boolean isInOrder() {
    return false;
  }

  /** Whether an answer only says that another process is performing the task. */
  default boolean isBusy(ObjectNode answer) {
    return false;
  }
}
