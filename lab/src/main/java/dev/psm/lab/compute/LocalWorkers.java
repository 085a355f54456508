package dev.psm.lab.compute;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import java.lang.management.ManagementFactory;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** This machine: as many tasks at once as its cores and its memory bear. */
public final class LocalWorkers implements Workers {
  /** The rest is for the heap, the file cache, and whoever else is there. */
  private static final double SHARE_OF_MEMORY = 0.7;

  /**
   * From the first that is missing, for each that is performed at once, where answers are used in
   * order: a thread finds its next task while an answer is told.
   */
  private static final int TASKS_AHEAD = 2;

  private final int most;
  private final int cores;
  private final long memory;

  /** As many at once as the machine bears. */
  public LocalWorkers() {
    this(Integer.MAX_VALUE);
  }

  /**
   * @param most tasks at once
   */
  public LocalWorkers(int most) {
    this(most, Runtime.getRuntime().availableProcessors(), machineMemory());
  }

  LocalWorkers(int most, int cores, long memory) {
    if (most < 1) {
      throw UserError.argument("atOnce", "must be at least 1, found %d", most);
    }
    this.most = most;
    this.cores = cores;
    this.memory = memory;
  }

  private static long machineMemory() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getTotalMemorySize();
  }

  /** How many of these tasks are performed at once. */
  int atOnce(Work work, List<ObjectNode> tasks) {
    long bytes = 1;
    int threads = 1;
    for (ObjectNode task : tasks) {
      bytes = Math.max(bytes, work.memoryBytes(task));
      threads = Math.max(threads, work.threads(task));
    }
    long fit = Math.min(cores / threads, (long) (memory * SHARE_OF_MEMORY) / bytes);
    return (int) Math.max(1, Math.min(Math.min(fit, most), tasks.size()));
  }

  @Override
  public boolean perform(
      Class<? extends Work> work,
      String label,
      List<ObjectNode> tasks,
      WorkContext context,
      Consumer<TaskResult> ended) {
    Work performed = Attempt.work(work.getName());
    int atOnce = atOnce(performed, tasks);
    return atOnce <= 1
        ? oneByOne(performed, tasks, context, ended)
        : sideBySide(performed, label, tasks, atOnce, context, ended);
  }

  private static boolean oneByOne(
      Work work, List<ObjectNode> tasks, WorkContext context, Consumer<TaskResult> ended) {
    for (int i = 0; i < tasks.size(); i++) {
      if (context.stop().getAsBoolean()) {
        return false;
      }
      TaskResult result = Attempt.perform(work, i, tasks.get(i), context);
      if (!result.ended()) {
        return false;
      }
      ended.accept(result);
    }
    return true;
  }

  private static boolean sideBySide(
      Work work,
      String label,
      List<ObjectNode> tasks,
      int atOnce,
      WorkContext context,
      Consumer<TaskResult> ended) {
    ExecutorService threads =
        Executors.newFixedThreadPool(
            atOnce,
            task -> {
              Thread thread = new Thread(task, "worker");
              thread.setDaemon(true);
              return thread;
            });
    AtomicBoolean givenUp = new AtomicBoolean();
    try (JoinedProgress joined = new JoinedProgress(context.progress(), label, tasks.size())) {
      CompletionService<TaskResult> results = new ExecutorCompletionService<>(threads);
      WorkContext own =
          new WorkContext(
              joined, context.notes(), () -> givenUp.get() || context.stop().getAsBoolean());
      int ahead = work.isInOrder() ? TASKS_AHEAD * atOnce : tasks.size();
      BitSet come = new BitSet(tasks.size());
      int begun = 0;
      boolean all = true;
      for (int i = 0; i < tasks.size(); i++) {
        for (; begun < Math.min(tasks.size(), come.nextClearBit(0) + ahead); begun++) {
          int index = begun;
          results.submit(
              () ->
                  own.stop().getAsBoolean()
                      ? TaskResult.stopped(index)
                      : Attempt.perform(work, index, tasks.get(index), own));
        }
        TaskResult result = results.take().get();
        come.set(result.index());
        if (result.ended()) {
          joined.ended();
          ended.accept(result);
        } else {
          all = false;
        }
      }
      return all;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } finally {
      // Where a listener threw, what is under way saves itself and ends.
      givenUp.set(true);
      threads.shutdown();
      awaitEnd(threads);
    }
  }

  private static void awaitEnd(ExecutorService threads) {
    try {
      threads.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public int threadsHere() {
    return Math.min(most, cores);
  }

  @Override
  public String describe() {
    return "this machine";
  }

  @Override
  public void close() {}
}
