package dev.psm.spark;

import dev.psm.core.Wording;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.apache.spark.ExecutorLostFailure;
import org.apache.spark.TaskFailedReason;
import org.apache.spark.scheduler.AccumulableInfo;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorAdded;
import org.apache.spark.scheduler.SparkListenerExecutorMetricsUpdate;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.SparkListenerJobEnd;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.SparkListenerTaskStart;
import scala.Tuple4;
import scala.jdk.javaapi.CollectionConverters;
import scala.jdk.javaapi.OptionConverters;

/** What Spark tells of its machines and tasks, some moments after it happened. */
final class TaskWatch extends SparkListener {
  /** The accumulator that tasks tell their progress by. */
  static final String PROGRESS = "psm progress";

  private final Queue<String> remarks = new ConcurrentLinkedQueue<>();
  private final Map<Integer, Losses> losses = new LinkedHashMap<>();
  private final Map<String, String> machines = new LinkedHashMap<>();
  private final Map<Long, Double> underWay = new LinkedHashMap<>();
  private int endedJob = -1;

  /** Attempts at a task that ended with their process. */
  record Losses(int count, String last) {}

  /** Remarks since the last call, for a person. */
  List<String> remarks() {
    List<String> taken = new ArrayList<>();
    for (String remark = remarks.poll(); remark != null; remark = remarks.poll()) {
      taken.add(remark);
    }
    return taken;
  }

  /** How far the running tasks are, for a person. */
  synchronized String underWay() {
    return underWay.values().stream()
        .map(share -> Wording.format("%.0f %%", 100 * share))
        .collect(Collectors.joining(", "));
  }

  /** The tasks of a job, by partition, that were lost so often. */
  synchronized Map<Integer, Losses> lost(int job, int times, long patienceMillis)
      throws InterruptedException {
    long end = System.nanoTime() + patienceMillis * 1_000_000;
    while (endedJob < job && System.nanoTime() < end) {
      wait(100);
    }
    Map<Integer, Losses> found = new LinkedHashMap<>(losses);
    found.values().removeIf(each -> each.count() < times);
    return found;
  }

  /** Waits until the tasks of an ended job have ended too, but no longer than this. */
  synchronized void awaitNoneUnderWay(long patienceMillis) {
    long end = System.nanoTime() + patienceMillis * 1_000_000;
    try {
      while (!underWay.isEmpty() && System.nanoTime() < end) {
        wait(100);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public synchronized void onJobStart(SparkListenerJobStart event) {
    losses.clear();
    underWay.clear();
  }

  @Override
  public synchronized void onJobEnd(SparkListenerJobEnd event) {
    endedJob = event.jobId();
    notifyAll();
  }

  @Override
  public synchronized void onExecutorAdded(SparkListenerExecutorAdded event) {
    machines.put(event.executorId(), event.executorInfo().executorHost());
  }

  @Override
  public synchronized void onExecutorRemoved(SparkListenerExecutorRemoved event) {
    String machine = machines.remove(event.executorId());
    remarks.add(
        machine == null
            ? "a process ended before it took a task (%s)".formatted(event.reason())
            : "a process on %s was lost (%s); what it did goes on elsewhere from the last checkpoint"
                .formatted(machine, event.reason()));
  }

  @Override
  public synchronized void onTaskStart(SparkListenerTaskStart event) {
    underWay.put(event.taskInfo().taskId(), 0.0);
  }

  @Override
  public synchronized void onTaskEnd(SparkListenerTaskEnd event) {
    underWay.remove(event.taskInfo().taskId());
    if (event.reason() instanceof TaskFailedReason failed && failed.countTowardsTaskFailures()) {
      losses.merge(
          event.taskInfo().index(),
          new Losses(1, reason(failed)),
          (before, now) -> new Losses(before.count() + 1, now.last()));
    }
  }

  private static String reason(TaskFailedReason failed) {
    Optional<String> told =
        failed instanceof ExecutorLostFailure lost
            ? OptionConverters.toJava(lost.reason())
            : Optional.empty();
    return told.orElseGet(() -> failed.toErrorString().lines().findFirst().orElse("no reason"));
  }

  @Override
  public synchronized void onExecutorMetricsUpdate(SparkListenerExecutorMetricsUpdate event) {
    for (Tuple4<Object, Object, Object, scala.collection.immutable.Seq<AccumulableInfo>> task :
        CollectionConverters.asJava(event.accumUpdates())) {
      for (AccumulableInfo value : CollectionConverters.asJava(task._4())) {
        if (OptionConverters.toJava(value.name()).filter(PROGRESS::equals).isPresent()
            && OptionConverters.toJava(value.update()).orElse(0L) instanceof Long share) {
          underWay.computeIfPresent(
              (Long) task._1(), (id, before) -> (double) share / WorkerTask.WHOLE);
        }
      }
    }
  }
}
