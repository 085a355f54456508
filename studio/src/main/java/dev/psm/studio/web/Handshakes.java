package dev.psm.studio.web;

import io.javalin.http.Context;
import java.util.Optional;

/**
 * Refuses in words the requests for a WebSocket that RFC 6455 does not allow: Jetty would throw at
 * some, and call others the wrong method.
 */
final class Handshakes {
  /** The header by which Javalin knows a request for a WebSocket. */
  private static final String VERSION = "Sec-WebSocket-Version";

  private static final String KNOWN_VERSION = "13";

  private Handshakes() {}

  static boolean isOne(Context request) {
    return request.header(VERSION) != null;
  }

  static void check(Context request) {
    if (!header(request, VERSION).equals(KNOWN_VERSION)) {
      request.header(VERSION, KNOWN_VERSION);
      throw RequestError.invalid(
          "header %s: expected %s, found '%s'", VERSION, KNOWN_VERSION, header(request, VERSION));
    }
    // Jetty itself refuses an Upgrade without 'Connection: Upgrade'.
    if (!header(request, "Upgrade").equalsIgnoreCase("websocket")) {
      throw RequestError.invalid("a WebSocket is asked for with a header 'Upgrade: websocket'");
    }
    if (header(request, "Sec-WebSocket-Key").isBlank()) {
      throw RequestError.invalid("a WebSocket is asked for with a header Sec-WebSocket-Key");
    }
  }

  private static String header(Context request, String name) {
    return Optional.ofNullable(request.header(name)).orElse("");
  }
}
