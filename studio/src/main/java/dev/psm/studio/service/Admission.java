package dev.psm.studio.service;

import dev.psm.studio.web.RequestError;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Who may come in. Whoever comes when all places are taken is told so at once, instead of waiting
 * in a queue that only grows; so what is answered is answered soon, however many ask.
 */
final class Admission {
  /** Places of each kind are apart: solving or slow senders never keep anybody from acting. */
  enum Kind {
    ACT("requests are being answered"),
    SOLVE("prompts are being solved"),
    BODY("long bodies are being read or answered");

    private final String full;

    Kind(String full) {
      this.full = full;
    }
  }

  private static final int BODIES = 16;

  private final Map<Kind, Semaphore> places = new EnumMap<>(Kind.class);
  private final Map<Kind, Integer> sizes = new EnumMap<>(Kind.class);
  private volatile boolean stopping;

  Admission(ServiceLimits limits) {
    sizes.put(Kind.ACT, limits.maxRequests());
    sizes.put(Kind.SOLVE, limits.maxSolves());
    sizes.put(Kind.BODY, BODIES);
    sizes.forEach((kind, size) -> places.put(kind, new Semaphore(size)));
  }

  /** The most threads that can wait for something inside. */
  static int threads(ServiceLimits limits) {
    return limits.maxRequests() + limits.maxSolves() + BODIES;
  }

  /** A place, to be left by closing it. */
  interface Place extends AutoCloseable {
    @Override
    void close();
  }

  Place enter(Kind kind) {
    requireOpen();
    Semaphore free = places.get(kind);
    if (!free.tryAcquire()) {
      throw RequestError.later(
          429, "%d %s, and no more at once; ask again soon", sizes.get(kind), kind.full);
    }
    return free::release;
  }

  void requireOpen() {
    if (stopping) {
      throw RequestError.later(503, "the server is stopping");
    }
  }

  boolean isStopping() {
    return stopping;
  }

  int inside(Kind kind) {
    return sizes.get(kind) - places.get(kind).availablePermits();
  }

  /** Lets nobody in any more, and waits until those inside have left, but not longer than that. */
  void close(Duration patience) throws InterruptedException {
    stopping = true;
    long end = System.nanoTime() + patience.toNanos();
    for (Kind kind : Kind.values()) {
      int size = sizes.get(kind);
      if (places.get(kind).tryAcquire(size, end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
        places.get(kind).release(size);
      }
    }
  }
}
