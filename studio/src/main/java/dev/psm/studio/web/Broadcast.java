package dev.psm.studio.web;

import com.fasterxml.jackson.databind.JsonNode;
import dev.psm.core.io.Json;
import io.javalin.websocket.WsConfig;
import io.javalin.websocket.WsContext;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;

/**
 * Tells every listening WebSocket what there is, when it connects and after changes: some times a
 * second at most, and from a thread of its own, so that whoever makes the changes waits for nobody.
 */
public final class Broadcast implements AutoCloseable {
  private static final long EVERY_MILLIS = 100;

  /** What may wait for somebody who reads nothing. */
  private static final int MAX_UNREAD = 64;

  private final Supplier<? extends JsonNode> state;
  private final Set<WsContext> listeners = ConcurrentHashMap.newKeySet();
  private final ScheduledExecutorService sender =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "broadcast");
            thread.setDaemon(true);
            return thread;
          });
  private volatile boolean changed;

  /**
   * @param state everything that is told
   */
  public Broadcast(Supplier<? extends JsonNode> state) {
    this.state = state;
    var unused =
        sender.scheduleWithFixedDelay(
            this::tell, EVERY_MILLIS, EVERY_MILLIS, TimeUnit.MILLISECONDS);
  }

  public void listen(WsConfig socket) {
    socket.onConnect(
        listener -> {
          listener.enableAutomaticPings(15, TimeUnit.SECONDS);
          listener.session.setMaxOutgoingFrames(MAX_UNREAD);
          listeners.add(listener);
          // By the sender, or an older state could come after a newer one.
          sender.execute(() -> send(listener, Json.line(state.get())));
        });
    socket.onClose(listeners::remove);
    socket.onError(listeners::remove);
  }

  /** That there is something new. */
  public void changed() {
    changed = true;
  }

  private void tell() {
    if (!changed) {
      return;
    }
    changed = false;
    String text = Json.line(state.get());
    listeners.forEach(listener -> send(listener, text));
  }

  /** Whoever misses something is cut off, and told everything when he comes back. */
  private static void send(WsContext listener, String text) {
    Session session = listener.session;
    session.sendText(text, Callback.from(() -> {}, missed -> session.disconnect()));
  }

  @Override
  public void close() {
    sender.shutdownNow();
  }
}
