package dev.psm.spark;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import dev.psm.core.Wording;
import dev.psm.lab.Progress;
import dev.psm.lab.compute.TaskResult;
import dev.psm.lab.compute.WorkContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.spark.SimpleFutureAction;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.util.LongAccumulator;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractFunction0;
import scala.runtime.AbstractFunction2;
import scala.runtime.BoxedUnit;

/**
 * Tasks as a job of Spark's, one partition each. Where Spark gives up a job because one task's
 * processes were lost too often, that task has failed, and the others become the next job.
 */
final class SparkJobs {
  private static final long POLL_MILLIS = 100;
  private static final long SAVE_MILLIS = 45_000;
  private static final long EVENT_MILLIS = 10_000;

  private final SparkOptions options;
  private final SparkConnection connection;
  private final SparkContext spark;
  private final WorkerTask function;

  SparkJobs(SparkOptions options, SparkConnection connection, String work, String mark) {
    this.options = options;
    this.connection = connection;
    this.spark = connection.spark();
    LongAccumulator progress = spark.longAccumulator(TaskWatch.PROGRESS);
    function =
        new WorkerTask(work, options.gpu(), !options.master().isThisProcess(), mark, progress);
  }

  boolean perform(
      String label, List<ObjectNode> tasks, WorkContext context, Consumer<TaskResult> ended) {
    Set<Integer> open = new TreeSet<>(IntStream.range(0, tasks.size()).boxed().toList());
    try (Progress.Bar bar = context.progress().start(label, tasks.size())) {
      Consumer<TaskResult> counted =
          result -> {
            open.remove(result.index());
            bar.update(tasks.size() - open.size(), connection.watch().underWay());
            ended.accept(result);
          };
      while (!open.isEmpty()) {
        if (context.stop().getAsBoolean() || !one(tasks, open, bar, context, counted)) {
          return false;
        }
      }
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** A job, until all of its tasks have ended or Spark has given it up. */
  private boolean one(
      List<ObjectNode> tasks,
      Set<Integer> open,
      Progress.Bar bar,
      WorkContext context,
      Consumer<TaskResult> ended)
      throws InterruptedException {
    List<Integer> indices = List.copyOf(open);
    BlockingQueue<String> results = new LinkedBlockingQueue<>();
    SimpleFutureAction<Void> job = submit(tasks, indices, results);
    boolean left = true;
    try {
      MachineCheck machines = new MachineCheck(options.master(), connection);
      while (!job.isCompleted() || !results.isEmpty()) {
        if (context.stop().getAsBoolean()) {
          return false;
        }
        String line = results.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
        if (line != null) {
          TaskMessage.Answered answer = TaskMessage.Answered.of(line);
          answer.notes().forEach(context.notes());
          if (answer.result().ended()) {
            ended.accept(answer.result());
          }
        }
        connection.watch().remarks().forEach(context.notes());
        bar.update(tasks.size() - open.size(), connection.watch().underWay());
        machines.look(context);
      }
      left = false;
    } finally {
      if (left) {
        job.cancel();
        // They write their checkpoints; more than so long nobody waits for them.
        connection.watch().awaitNoneUnderWay(SAVE_MILLIS);
      }
    }
    if (!open.isEmpty()) {
      failLost(job, indices, open, ended);
    }
    return true;
  }

  private SimpleFutureAction<Void> submit(
      List<ObjectNode> tasks, List<Integer> indices, BlockingQueue<String> results) {
    List<String> lines = new ArrayList<>();
    for (int index : indices) {
      lines.add(new TaskMessage.Asked(index, tasks.get(index)).line());
    }
    List<Object> partitions = new ArrayList<>(IntStream.range(0, lines.size()).boxed().toList());
    return spark.submitJob(
        new JavaSparkContext(spark).parallelize(lines, lines.size()).rdd(),
        function,
        CollectionConverters.asScala(partitions).toSeq(),
        new Handler(results),
        new Nothing());
  }

  private void failLost(
      SimpleFutureAction<Void> job,
      List<Integer> indices,
      Set<Integer> open,
      Consumer<TaskResult> ended)
      throws InterruptedException {
    int times = spark.getConf().getInt(SparkOptions.MAX_LOSSES, 1);
    Map<Integer, TaskWatch.Losses> lost =
        connection.watch().lost((Integer) job.jobIds().head(), times, EVENT_MILLIS);
    lost.keySet().removeIf(partition -> !open.contains(indices.get(partition)));
    if (lost.isEmpty() || spark.isStopped()) {
      throw UserError.failed(
          null,
          "%s gave up %s: %s",
          options.master(),
          Wording.count(open.size(), "task"),
          Failures.ofCluster(Failures.reason(job.value().get().failed().get())));
    }
    lost.forEach(
        (partition, losses) ->
            ended.accept(
                TaskResult.failed(
                    indices.get(partition),
                    "its process was lost %s, the last time by: %s"
                        .formatted(Wording.count(losses.count(), "time"), losses.last()))));
  }

  /** Called by Spark's own thread. */
  private static final class Handler extends AbstractFunction2<Object, String, BoxedUnit> {
    private final BlockingQueue<String> results;

    Handler(BlockingQueue<String> results) {
      this.results = results;
    }

    @Override
    public BoxedUnit apply(Object partition, String result) {
      results.add(result);
      return BoxedUnit.UNIT;
    }
  }

  private static final class Nothing extends AbstractFunction0<Void> {
    @Override
    public Void apply() {
      return null;
    }
  }
}
