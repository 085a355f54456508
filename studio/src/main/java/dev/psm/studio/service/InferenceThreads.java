package dev.psm.studio.service;

import dev.psm.studio.web.RequestError;
import dev.psm.torch.ComputeThreads;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Threads that compute, as many as there are cores, each of which uses one core: many small
 * products beside each other are faster than one after the other on all cores, and what one comes
 * to does not depend on what others ask for at the same time.
 */
final class InferenceThreads implements AutoCloseable {
  private final ExecutorService threads;

  InferenceThreads(String name, int count) {
    threads =
        Executors.newFixedThreadPool(
            count,
            work -> {
              Thread thread = new Thread(() -> alone(work), name);
              thread.setDaemon(true);
              return thread;
            });
  }

  private static void alone(Runnable work) {
    try (ComputeThreads one = new ComputeThreads(1)) {
      work.run();
    }
  }

  /** Begins some work, which is left out if it was cancelled before its turn came. */
  <T> CompletableFuture<T> start(Supplier<T> work) {
    CompletableFuture<T> result = new CompletableFuture<>();
    threads.execute(
        () -> {
          if (result.isDone()) {
            return;
          }
          try {
            result.complete(work.get());
          } catch (RuntimeException | Error e) {
            result.completeExceptionally(e);
          }
        });
    return result;
  }

  /** The result of some work, which is given up when it takes longer than that. */
  <T> T call(Supplier<T> work, Duration limit) {
    CompletableFuture<T> result = start(work);
    try {
      return await(result, limit, "ask again");
    } finally {
      result.cancel(false);
    }
  }

  /**
   * Waits for a result.
   *
   * @param advice for whoever asked, where it takes too long
   */
  static <T> T await(CompletableFuture<T> result, Duration limit, String advice) {
    try {
      return result.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw RequestError.later(
          503, "this took longer than %s s; %s", limit.toMillis() / 1e3, advice);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw RequestError.later(503, "the server is stopping");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw new IllegalStateException(e.getCause());
    }
  }

  @Override
  public void close() {
    threads.shutdown();
  }
}
