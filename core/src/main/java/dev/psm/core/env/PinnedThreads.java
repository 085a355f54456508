package dev.psm.core.env;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;

/**
 * A fixed set of threads among which the numbers 0 to n − 1 are shared out for good: whatever is
 * done for one number is always done on the same thread, as things bound to their thread need.
 *
 * <p>A round costs two atomic operations per thread and one wake-up each way, because a round of
 * cheap work lasts mere microseconds; an executor's queues and futures would cost as much as that.
 * One thread at a time may call it.
 */
final class PinnedThreads implements AutoCloseable {
  private final Thread[] threads;
  private final Throwable[] errors;
  private final AtomicInteger busy = new AtomicInteger();
  private IntConsumer work;
  private Thread caller;
  // Written last and read first, so that it carries the two fields above to the threads.
  private volatile int round;
  private volatile boolean ended;

  PinnedThreads(String name, int numbers, int threadCount) {
    threads = new Thread[threadCount];
    errors = new Throwable[numbers];
    for (int i = 0; i < threadCount; i++) {
      int from = (int) ((long) numbers * i / threadCount);
      int to = (int) ((long) numbers * (i + 1) / threadCount);
      threads[i] = new Thread(() -> serve(from, to), name + "-" + i);
      threads[i].setDaemon(true);
    }
    for (Thread thread : threads) {
      thread.start();
    }
  }

  int size() {
    return threads.length;
  }

  /**
   * Does the work for every number and waits until all is done; an interrupt is kept for later,
   * because half a round would be of no use to anyone. Every number has its turn even if another's
   * fails; the error of the lowest number is thrown as it is.
   */
  void run(IntConsumer work) {
    this.work = work;
    this.caller = Thread.currentThread();
    startRound();
    boolean interrupted = false;
    while (busy.get() > 0) {
      LockSupport.park(this);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    this.work = null;
    this.caller = null;
    throwFirst();
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // Only the one caller writes it.
  private void startRound() {
    busy.set(threads.length);
    round++;
    for (Thread thread : threads) {
      LockSupport.unpark(thread);
    }
  }

  private void throwFirst() {
    Throwable first = null;
    for (int i = 0; i < errors.length; i++) {
      first = first == null ? errors[i] : first;
      errors[i] = null;
    }
    if (first instanceof RuntimeException exception) {
      throw exception;
    }
    if (first instanceof Error error) {
      throw error;
    }
    if (first != null) {
      throw new IllegalStateException(first);
    }
  }

  private void serve(int from, int to) {
    int seen = 0;
    while (true) {
      while (round == seen) {
        LockSupport.park(this);
        // Nobody is meant to interrupt these threads; the flag would turn the wait into a spin.
        Thread.interrupted();
      }
      seen = round;
      if (!ended) {
        IntConsumer mine = work;
        for (int i = from; i < to; i++) {
          try {
            mine.accept(i);
          } catch (Throwable e) {
            errors[i] = e;
          }
        }
      }
      boolean last = ended;
      Thread waiting = caller;
      if (busy.decrementAndGet() == 0) {
        LockSupport.unpark(waiting);
      }
      if (last) {
        return;
      }
    }
  }

  /** Ends the threads. */
  @Override
  public void close() {
    ended = true;
    run(i -> {});
    boolean interrupted = false;
    for (Thread thread : threads) {
      while (thread.isAlive()) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
