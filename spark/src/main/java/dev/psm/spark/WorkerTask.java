package dev.psm.spark;

import dev.psm.core.UserError;
import dev.psm.lab.compute.Attempt;
import dev.psm.lab.compute.TaskResult;
import dev.psm.lab.compute.Work;
import dev.psm.lab.compute.WorkContext;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.apache.spark.TaskContext;
import org.apache.spark.util.LongAccumulator;
import org.apache.spark.util.Utils;
import scala.collection.Iterator;
import scala.runtime.AbstractFunction1;

/**
 * What a worker does with the one task that Spark hands it. Nothing is thrown: Spark would take it
 * for a fault of the machine, try again, and in the end give up all other tasks too.
 */
final class WorkerTask extends AbstractFunction1<Iterator<String>, String> implements Serializable {
  private static final long serialVersionUID = 1L;

  /** What a task's share of progress is told in. */
  static final long WHOLE = 1000;

  private final String work;
  private final boolean gpu;
  private final boolean elsewhere;
  private final String mark;
  private final LongAccumulator progress;

  /**
   * @param elsewhere whether in another process
   * @param mark of folders that must be shared
   * @param progress told how far a task is, of {@link #WHOLE}
   */
  WorkerTask(String work, boolean gpu, boolean elsewhere, String mark, LongAccumulator progress) {
    this.work = work;
    this.gpu = gpu;
    this.elsewhere = elsewhere;
    this.mark = mark;
    this.progress = progress;
  }

  @Override
  public String apply(Iterator<String> tasks) {
    TaskMessage.Asked asked = TaskMessage.Asked.of(tasks.next());
    List<String> notes = Collections.synchronizedList(new ArrayList<>());
    TaskContext spark = TaskContext.get();
    WorkContext context =
        new WorkContext(new ShareOfProgress(this::tell), notes::add, spark::isInterrupted);
    TaskResult result = perform(asked, spark, context);
    return new TaskMessage.Answered(elsewhere ? located(result) : result, List.copyOf(notes))
        .line();
  }

  private TaskResult perform(TaskMessage.Asked asked, TaskContext spark, WorkContext context) {
    try {
      if (elsewhere) {
        // As the command does; numbers in files have a point.
        Locale.setDefault(Locale.ROOT);
      }
      Work performed = Attempt.work(work);
      SharedFolders.require(
          performed.sharedFolders(asked.task()), mark, SharedFolders.PATIENCE_MILLIS);
      return gpu
          ? GpuProcess.perform(work, asked, spark.resourcesJMap().get("gpu").addresses(), context)
          : Attempt.perform(performed, asked.index(), asked.task(), context);
    } catch (UserError e) {
      return TaskResult.failed(asked.index(), e.getMessage());
    }
  }

  private static TaskResult located(TaskResult result) {
    return new TaskResult(
        result.index(),
        result.answer(),
        result.failure().map(reason -> reason + " (on " + Utils.localHostName() + ")"));
  }

  private synchronized void tell(double share) {
    long now = Math.round(share * WHOLE);
    // Its value here is only what this task has added.
    progress.add(now - progress.sum());
  }
}
