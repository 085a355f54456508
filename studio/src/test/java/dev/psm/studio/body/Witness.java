package dev.psm.studio.body;

import static org.junit.jupiter.api.Assertions.fail;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Sees and keeps all that a session says, and waits for some of it. */
final class Witness implements Outlet {
  private static final long PATIENCE_MILLIS = 60_000;

  private final List<ObjectNode> said = new ArrayList<>();
  private final List<ReadFrame> shown = new ArrayList<>();
  private int missed;
  private boolean looking = true;
  private boolean closed;

  @Override
  public synchronized void say(ObjectNode message) {
    said.add(message);
    notifyAll();
  }

  @Override
  public synchronized boolean show(ByteBuffer frame) {
    if (looking) {
      shown.add(ReadFrame.of(frame));
    } else {
      missed++;
    }
    notifyAll();
    return looking;
  }

  @Override
  public synchronized void close(String reason) {
    closed = true;
    notifyAll();
  }

  /** Looks away until so many frames were missed. */
  void lookAway(int frames) {
    int before;
    synchronized (this) {
      looking = false;
      before = missed;
    }
    await(frames + " missed frames", () -> missed >= before + frames ? this : null);
    synchronized (this) {
      looking = true;
    }
  }

  synchronized List<ReadFrame> frames() {
    return List.copyOf(shown);
  }

  synchronized boolean isClosed() {
    return closed;
  }

  /** The first message that is or was like this. */
  ObjectNode heard(String type, Predicate<ObjectNode> wanted) {
    return await(
        "a message '" + type + "'",
        () ->
            said.stream()
                .filter(each -> each.path("type").asText().equals(type) && wanted.test(each))
                .findFirst()
                .orElse(null));
  }

  ObjectNode heard(String type) {
    return heard(type, any -> true);
  }

  /** The first frame from now on that is like this. */
  ReadFrame seen(String what, Predicate<ReadFrame> wanted) {
    int from = frames().size();
    return await(
        what,
        () ->
            shown.subList(Math.min(from, shown.size()), shown.size()).stream()
                .filter(wanted)
                .findFirst()
                .orElse(null));
  }

  void awaitClose() {
    await("the end", () -> closed ? this : null);
  }

  synchronized <T> T await(String what, java.util.function.Supplier<T> supplier) {
    long end = System.currentTimeMillis() + PATIENCE_MILLIS;
    while (System.currentTimeMillis() < end) {
      T found = supplier.get();
      if (found != null) {
        return found;
      }
      try {
        wait(100);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        break;
      }
    }
    return fail("waited in vain for " + what + "; the session said " + said);
  }
}
