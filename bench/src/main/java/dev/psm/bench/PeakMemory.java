package dev.psm.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The most memory that this process has of its own while something runs: heap and native, without
 * the pages of mapped files, which the system takes back when it wants them.
 */
final class PeakMemory implements AutoCloseable {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final String OWN = "RssAnon:";
  private static final long INTERVAL_MILLIS = 100;

  private final Thread watch = new Thread(this::watch, "peak memory");
  private volatile long peak;
  private volatile boolean closed;

  PeakMemory() {
    watch.setDaemon(true);
    watch.start();
  }

  /** NaN has no place in a number of bytes: 0 where the system does not tell. */
  long peakBytes() {
    return Math.max(peak, now());
  }

  private void watch() {
    while (!closed) {
      peak = Math.max(peak, now());
      try {
        Thread.sleep(INTERVAL_MILLIS);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private static long now() {
    try {
      return Files.readAllLines(STATUS).stream()
          .filter(line -> line.startsWith(OWN))
          .mapToLong(line -> 1024 * Long.parseLong(line.replaceAll("\\D", "")))
          .findFirst()
          .orElse(0);
    } catch (IOException e) {
      return 0;
    }
  }

  @Override
  public void close() {
    closed = true;
    watch.interrupt();
  }
}
