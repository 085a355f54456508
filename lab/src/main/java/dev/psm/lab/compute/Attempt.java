package dev.psm.lab.compute;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import dev.psm.torch.ComputeThreads;
import java.util.Optional;

/**
 * A task performed right here. It never throws: what went wrong with one task must not take along
 * those beside it, so it is told as a result.
 */
public final class Attempt {
  private Attempt() {}

  /**
   * @param index the task's place in the list of tasks
   */
  public static TaskResult perform(Work work, int index, ObjectNode task, WorkContext context) {
    try (ComputeThreads threads = new ComputeThreads(work.threads(task))) {
      return new TaskResult(index, work.perform(task, context), Optional.empty());
    } catch (UserError e) {
      return TaskResult.failed(index, e.getMessage());
    } catch (OutOfMemoryError e) {
      return TaskResult.failed(index, "out of memory: " + e.getMessage());
    } catch (RuntimeException | LinkageError | StackOverflowError e) {
      return TaskResult.failed(index, fault(e));
    }
  }

  /** By its class's name, as it travels. */
  public static Work work(String className) {
    try {
      return Class.forName(className, true, Thread.currentThread().getContextClassLoader())
          .asSubclass(Work.class)
          .getConstructor()
          .newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException("no work is called " + className, e);
    }
  }

  /** With the place that it comes from, since nobody will see the trace. */
  private static String fault(Throwable e) {
    StackTraceElement[] trace = e.getStackTrace();
    return "%s%s".formatted(e, trace.length == 0 ? "" : " at " + trace[0]);
  }
}
