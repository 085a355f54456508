package dev.psm.studio.web;

import java.util.Set;
import org.eclipse.jetty.ee10.servlet.SessionHandler;
import org.eclipse.jetty.session.NullSessionCache;
import org.eclipse.jetty.session.NullSessionDataStore;

/**
 * No HTTP sessions. Javalin asks for one at the handshake of every WebSocket, also of those that
 * are refused, and Jetty would keep each for good.
 */
final class ForgottenSessions {
  private ForgottenSessions() {}

  static SessionHandler handler() {
    SessionHandler sessions = new SessionHandler();
    sessions.setSessionTrackingModes(Set.of());
    NullSessionCache cache = new NullSessionCache(sessions);
    cache.setSessionDataStore(new NullSessionDataStore());
    sessions.setSessionCache(cache);
    return sessions;
  }
}
