package dev.psm.studio.service;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;

/** What one WebSocket was sent and its client has not read. */
final class Unread {
  /** Of answers that wait behind another one. */
  static final long MAX_BYTES = 1 << 20;

  private final AtomicLong bytes = new AtomicLong();

  /**
   * Sends, unless too much waits. Where answers are not read no close frame would be either, so
   * that the connection is cut.
   */
  void send(Session session, long size, Consumer<Callback> sending) {
    long waiting = bytes.getAndAdd(size);
    if (waiting > 0 && waiting + size > MAX_BYTES) {
      session.disconnect();
      return;
    }
    sending.accept(Callback.from(() -> bytes.addAndGet(-size), failure -> session.disconnect()));
  }
}
