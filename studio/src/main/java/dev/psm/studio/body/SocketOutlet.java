package dev.psm.studio.body;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.io.Json;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;
import org.eclipse.jetty.websocket.api.StatusCode;

/**
 * A WebSocket. Of frames two may be on the way, one in the network and one behind it, and of
 * messages that must arrive some more; who lets those pile up is no longer listening.
 */
final class SocketOutlet implements Outlet {
  private static final int MAX_FRAMES = 2;
  private static final int MAX_MESSAGES = 64;

  private final Session socket;
  private final AtomicInteger frames = new AtomicInteger();
  private final AtomicInteger messages = new AtomicInteger();

  SocketOutlet(Session socket) {
    this.socket = socket;
  }

  @Override
  public void say(ObjectNode message) {
    if (messages.incrementAndGet() > MAX_MESSAGES) {
      socket.disconnect();
      return;
    }
    socket.sendText(Json.line(message), counting(messages));
  }

  @Override
  public boolean show(ByteBuffer frame) {
    if (frames.get() >= MAX_FRAMES) {
      return false;
    }
    frames.incrementAndGet();
    socket.sendBinary(frame, counting(frames));
    return true;
  }

  private static Callback counting(AtomicInteger pending) {
    return Callback.from(pending::decrementAndGet, failed -> pending.decrementAndGet());
  }

  @Override
  public void close(String reason) {
    socket.close(StatusCode.NORMAL, reason, Callback.NOOP);
  }
}
