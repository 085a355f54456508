package dev.psm.studio.service;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;
import org.junit.jupiter.api.Test;

/** Answers that nobody reads are few, and not many bytes either. */
final class UnreadTest {
  private final List<String> called = new ArrayList<>();
  private final List<Callback> sent = new ArrayList<>();
  private final Unread unread = new Unread();
  private final Session session =
      (Session)
          Proxy.newProxyInstance(
              Session.class.getClassLoader(),
              new Class<?>[] {Session.class},
              (proxy, method, arguments) -> {
                called.add(method.getName());
                return null;
              });

  @Test
  void oneLongAnswerIsSentAndMoreAreNotQueuedBehindIt() {
    unread.send(session, 3 * Unread.MAX_BYTES, sent::add);
    assertEquals(1, sent.size());
    unread.send(session, 1, sent::add);
    assertEquals(1, sent.size());
    assertEquals(List.of("disconnect"), called);
  }

  @Test
  void whatWasReadCountsNoMore() {
    for (int i = 0; i < 5; i++) {
      unread.send(session, Unread.MAX_BYTES - 1, sent::add);
      unread.send(session, 1, sent::add);
      sent.forEach(Callback::succeed);
      sent.clear();
    }
    assertEquals(List.of(), called);
  }

  @Test
  void whatCannotBeSentEndsTheConnection() {
    unread.send(session, 1, sent::add);
    sent.get(0).fail(new IllegalStateException());
    assertEquals(List.of("disconnect"), called);
  }
}
