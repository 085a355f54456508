package dev.psm.lab.study;

import dev.psm.core.UserError;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Results that are written anew while the work goes on, as often as that takes no more than a small
 * share of the time.
 */
public final class GrowingResults implements AutoCloseable {
  /** Writing may take this share of the time. */
  private static final double SHARE = 0.02;

  private final Runnable write;
  private Optional<ScheduledExecutorService> watch = Optional.empty();
  private double seconds;
  private long written = System.nanoTime();

  /**
   * @param write never runs twice at a time
   */
  public GrowingResults(Runnable write) {
    this.write = write;
  }

  /**
   * Writes every so many seconds, if it is time, whoever computes what is written. A failure ends
   * that; it is for the last word to tell.
   */
  public void every(long pause) {
    ScheduledExecutorService looking =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "growing results");
              thread.setDaemon(true);
              return thread;
            });
    watch = Optional.of(looking);
    Future<?> unused =
        looking.scheduleWithFixedDelay(this::writeIfTime, pause, pause, TimeUnit.SECONDS);
  }

  public synchronized void writeIfTime() {
    if (seconds <= SHARE * (System.nanoTime() - written) / 1e9) {
      write();
    }
  }

  /** Writes now: the last word, and what was waited for. */
  public synchronized void write() {
    long begin = System.nanoTime();
    write.run();
    written = System.nanoTime();
    seconds = (written - begin) / 1e9;
  }

  @Override
  public void close() {
    watch.ifPresent(GrowingResults::end);
  }

  /** What is repeated is not begun again after a shutdown. */
  private static void end(ScheduledExecutorService watch) {
    watch.shutdown();
    try {
      watch.awaitTermination(1, TimeUnit.MINUTES);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw UserError.failed(e, "interrupted while results were written");
    }
  }
}
