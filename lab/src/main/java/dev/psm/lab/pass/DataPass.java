package dev.psm.lab.pass;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import dev.psm.lab.Progress;
import dev.psm.lab.compute.TaskResult;
import dev.psm.lab.compute.WorkContext;
import dev.psm.lab.compute.Workers;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Performs the parts of a pass and hands their answers on in the order of the parts, whichever ends
 * first. The bar counts rows, or whatever the parts are measured in.
 */
public final class DataPass {
  private final long[] sizes;
  private final Consumer<ObjectNode> answers;
  private final Progress.Bar bar;
  private final Map<Integer, ObjectNode> waiting = new HashMap<>();
  private int next;
  private long done;
  private int failedTask = Integer.MAX_VALUE;
  private UserError failure;

  private DataPass(long[] sizes, Consumer<ObjectNode> answers, Progress.Bar bar) {
    this.sizes = sizes;
    this.answers = answers;
    this.bar = bar;
  }

  /**
   * @param label for a person, such as {@code infer}
   * @param sizes of the parts, for the bar
   * @param answers takes them in the order of the parts
   * @return whether all came to an end; false where somebody wanted it to stop before
   * @throws UserError of the first part that fails, in words
   */
  public static boolean run(
      Class<? extends PassWork> work,
      String label,
      List<ObjectNode> parts,
      long[] sizes,
      Workers workers,
      WorkContext context,
      Consumer<ObjectNode> answers) {
    long total = 0;
    for (long size : sizes) {
      total += size;
    }
    try (Progress.Bar bar = context.progress().start(label, total)) {
      bar.update(0, "");
      DataPass pass = new DataPass(sizes, answers, bar);
      WorkContext quiet =
          new WorkContext(
              Progress.SILENT,
              context.notes(),
              () -> pass.failure() != null || context.stop().getAsBoolean());
      boolean all = workers.perform(work, label, parts, quiet, pass::ended);
      if (pass.failure() != null) {
        throw pass.failure();
      }
      return all;
    }
  }

  private synchronized UserError failure() {
    return failure;
  }

  private synchronized void ended(TaskResult result) {
    done += sizes[result.index()];
    bar.update(done, "");
    Optional<UserError> wrong = PassWork.error(result);
    if (wrong.isPresent()) {
      if (result.index() < failedTask) {
        failedTask = result.index();
        failure = wrong.get();
      }
      return;
    }
    result.answer().ifPresent(answer -> waiting.put(result.index(), answer));
    while (waiting.containsKey(next)) {
      answers.accept(waiting.remove(next++));
    }
  }
}
