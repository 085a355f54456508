package dev.psm.lab.infer;

import dev.psm.torch.ComputeThreads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/**
 * Pieces of a computation on some threads of this machine. What a piece is must not depend on how
 * many threads there are, and neither does the result then: each is computed on one thread, and
 * they are handed over in their order.
 */
final class Pieces {
  private Pieces() {}

  /**
   * Computes all pieces.
   *
   * @param piece the result of a number, worked out on any thread
   * @throws RuntimeException of the lowest piece that fails
   */
  static <T> List<T> compute(int threads, int count, IntFunction<T> piece) {
    ExecutorService pool =
        Executors.newFixedThreadPool(
            Math.max(1, Math.min(threads, count)),
            work -> {
              Thread thread = new Thread(work, "piece");
              thread.setDaemon(true);
              return thread;
            });
    try {
      List<Future<T>> futures = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        int number = i;
        futures.add(pool.submit(() -> onOneThread(piece, number)));
      }
      List<T> results = new ArrayList<>();
      for (Future<T> future : futures) {
        results.add(future.get());
      }
      return results;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      // Pieces throw nothing that is checked.
      throw (RuntimeException) e.getCause();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while others compute", e);
    } finally {
      // None that is behind a failed one is begun; what is under way uses the caller's matrices.
      pool.shutdownNow();
      awaitEnd(pool);
    }
  }

  private static <T> T onOneThread(IntFunction<T> piece, int number) {
    try (ComputeThreads one = new ComputeThreads(1)) {
      return piece.apply(number);
    }
  }

  private static void awaitEnd(ExecutorService pool) {
    boolean interrupted = false;
    while (!pool.isTerminated()) {
      try {
        pool.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
