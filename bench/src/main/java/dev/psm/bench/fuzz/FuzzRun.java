package dev.psm.bench.fuzz;

import dev.psm.core.Seeds;
import dev.psm.core.UserError;
import dev.psm.lab.Progress;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Feeds damaged contents of one kind to their readers. A case depends on nothing but the seed, the
 * kind and its number.
 */
final class FuzzRun {
  /** Of the reading thread's processor time: a busy machine is not the reader's fault. */
  private static final long MAX_NANOS = 1_000_000_000L;

  private static final long MAX_BYTES = 1L << 30;
  private static final long HANG_MILLIS = 60_000;
  private static final long POLL_MILLIS = 200;

  private static final com.sun.management.ThreadMXBean THREADS =
      (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final FuzzKind kind;
  private final List<FuzzTarget> targets;
  private final long seed;
  private final Map<String, Finding> findings = new LinkedHashMap<>();
  private long accepted;
  private long refused;
  private long slowest;
  private long maxBytes;
  private long cases;
  private volatile Case current;
  private volatile Throwable failure;

  FuzzRun(FuzzKind kind, List<FuzzTarget> targets, long seed) {
    this.kind = kind;
    this.targets = targets;
    this.seed = seed;
  }

  /** Contents that are being read. */
  private record Case(long number, FuzzTarget target, byte[] contents, long startMillis) {}

  /**
   * A broken promise.
   *
   * @param number of the first case that broke it
   * @param count how many did
   */
  record Finding(
      FuzzKind kind, long number, String target, byte[] contents, String what, int count) {
    Finding oneMore() {
      return new Finding(kind, number, target, contents, what, count + 1);
    }
  }

  /**
   * Reads cases until all are read, or one does not end; the thread of such a one is left behind.
   */
  void run(long count, Progress progress) {
    Thread reader = new Thread(() -> readAll(count), "fuzz " + kind.id());
    reader.setUncaughtExceptionHandler((thread, thrown) -> failure = thrown);
    reader.setDaemon(true);
    reader.start();
    try (Progress.Bar bar = progress.start("fuzz " + kind.id(), count)) {
      while (reader.isAlive()) {
        reader.join(POLL_MILLIS);
        Case now = current;
        if (now == null) {
          continue;
        }
        bar.update(now.number, "%d findings".formatted(findings().size()));
        if (System.currentTimeMillis() - now.startMillis > HANG_MILLIS) {
          note(now, "hang", "still being read after %d s".formatted(HANG_MILLIS / 1000));
          return;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (failure != null) {
      throw new IllegalStateException("the fuzzer itself failed", failure);
    }
  }

  private void readAll(long count) {
    for (long number = 0; number < count; number++) {
      FuzzTarget target = targets.get((int) (number % targets.size()));
      byte[] contents = target.draw(Seeds.generator(Seeds.mix(seed, number, kind.id())));
      current = new Case(number, target, contents, System.currentTimeMillis());
      long bytes = THREADS.getCurrentThreadAllocatedBytes();
      long begin = THREADS.getCurrentThreadCpuTime();
      read(current);
      long nanos = THREADS.getCurrentThreadCpuTime() - begin;
      bytes = THREADS.getCurrentThreadAllocatedBytes() - bytes;
      slowest = Math.max(slowest, nanos);
      maxBytes = Math.max(maxBytes, bytes);
      if (nanos > MAX_NANOS) {
        note(current, "slow", "took %.1f s of processor time".formatted(nanos / 1e9));
      }
      if (bytes > MAX_BYTES) {
        note(current, "large", "allocated %d MB".formatted(bytes >> 20));
      }
      cases++;
    }
  }

  private void read(Case now) {
    try {
      now.target.read(now.contents);
      accepted++;
    } catch (UserError e) {
      refused++;
      String message = e.getMessage();
      if (!message.contains(now.target.place())) {
        note(now, "unnamed " + where(e), "refused without a word about which file: " + message);
      }
    } catch (RuntimeException | Error e) {
      note(now, e.getClass() + where(e), "%s at %s".formatted(e, where(e)));
    }
  }

  /** The first line of our own code in a trace, where cases of one cause meet. */
  private static String where(Throwable e) {
    for (StackTraceElement frame : e.getStackTrace()) {
      if (frame.getClassName().startsWith("dev.psm.")
          && !frame.getClassName().equals(UserError.class.getName())) {
        return frame.toString();
      }
    }
    return "";
  }

  private synchronized void note(Case now, String cause, String what) {
    Finding first = new Finding(kind, now.number, now.target.name(), now.contents, what, 1);
    findings.merge(cause, first, (known, again) -> known.oneMore());
  }

  synchronized List<Finding> findings() {
    return new ArrayList<>(findings.values());
  }

  /** How many were read or refused in time. */
  long cases() {
    return cases;
  }

  long accepted() {
    return accepted;
  }

  long refused() {
    return refused;
  }

  double slowestMilliseconds() {
    return slowest / 1e6;
  }

  double mostMegabytes() {
    return maxBytes / 1e6;
  }
}
