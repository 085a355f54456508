package dev.psm.app;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Whether the user or the system wants this process to end (SIGINT, SIGTERM), or its time is over.
 * While one of these is open the process waits, a while, for the work to come to a good end by
 * itself.
 */
final class Interruption implements AutoCloseable, BooleanSupplier {
  private static final long PATIENCE_SECONDS = 60;

  private final CountDownLatch done = new CountDownLatch(1);
  private final Thread hook;
  private final BooleanSupplier over;
  private final Runnable whenOver;
  private final AtomicBoolean told = new AtomicBoolean();
  private volatile boolean wanted;

  Interruption(Runnable whenWanted) {
    this(whenWanted, () -> false, () -> {});
  }

  /**
   * @param deadline of {@link System#nanoTime}
   * @param whenOver is called once, by whoever asks first after the deadline
   */
  Interruption(Runnable whenWanted, long deadline, Runnable whenOver) {
    this(whenWanted, () -> System.nanoTime() - deadline >= 0, whenOver);
  }

  private Interruption(Runnable whenWanted, BooleanSupplier over, Runnable whenOver) {
    this.over = over;
    this.whenOver = whenOver;
    hook =
        new Thread(
            () -> {
              if (EarlyExit.caller().isPresent()) {
                // The work waits for the thread that is in that call, which waits for this one.
                return;
              }
              wanted = true;
              whenWanted.run();
              try {
                done.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            "interruption");
    Runtime.getRuntime().addShutdownHook(hook);
  }

  @Override
  public boolean getAsBoolean() {
    if (wanted || !over.getAsBoolean()) {
      return wanted;
    }
    if (told.compareAndSet(false, true)) {
      whenOver.run();
    }
    return true;
  }

  /** Does work whose failure must be told before the process is gone. */
  <T> T tell(Supplier<T> work, Consumer<String> notes) {
    try {
      return work.get();
    } catch (RuntimeException e) {
      if (wanted) {
        notes.accept(e.getMessage());
      }
      throw e;
    }
  }

  @Override
  public void close() {
    done.countDown();
    if (!wanted) {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException ending) {
        // It runs already, and has nothing to wait for any more.
      }
    }
  }
}
