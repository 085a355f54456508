package dev.psm.mujoco;

import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.function.Executable;

/** Runs something on a thread of its own, to its end and to the end of that thread. */
final class OnThread {
  private OnThread() {}

  static void run(Executable work) {
    call(
        () -> {
          try {
            work.execute();
          } catch (Exception | Error e) {
            throw e;
          } catch (Throwable e) {
            throw new AssertionError(e);
          }
          return null;
        });
  }

  static <T> T call(Callable<T> work) {
    FutureTask<T> task = new FutureTask<>(work);
    Thread thread = new Thread(task, "another");
    thread.start();
    join(thread);
    try {
      return task.get();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
