package dev.psm.studio.web;

import io.javalin.http.Context;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Refuses requests that were not meant for this server: a page elsewhere that had its name point
 * here (the Host header tells), a foreign page's posts (the Origin header tells), and, beyond
 * loopback, whoever does not know the token.
 */
final class RequestGuard {
  private static final Set<String> LOCAL = Set.of("localhost", "127.0.0.1", "[::1]");

  /** In letters of any case, as all schemes. */
  private static final String SCHEME = "Bearer ";

  private final WebServer.Settings settings;

  RequestGuard(WebServer.Settings settings) {
    this.settings = settings;
  }

  void check(Context request) {
    String host = Optional.ofNullable(request.header("Host")).orElse("");
    if (settings.token().isEmpty() && !LOCAL.contains(withoutPort(host).toLowerCase(Locale.ROOT))) {
      throw new RequestError(421, "this server is not called '%s'", host);
    }
    String origin = request.header("Origin");
    if (origin != null && !sameOrigin(origin, host)) {
      throw new RequestError(403, "pages of %s may not ask this server", origin);
    }
    if (settings.token().isPresent()
        && !request.routeRoles().contains(Access.OPEN)
        && !knowsToken(request, settings.token().get())) {
      request.header("WWW-Authenticate", "Bearer");
      throw new RequestError(401, "give the token as 'Authorization: Bearer TOKEN'");
    }
  }

  private static String withoutPort(String host) {
    int colon = host.lastIndexOf(':');
    return colon > host.lastIndexOf(']') ? host.substring(0, colon) : host;
  }

  private static boolean sameOrigin(String origin, String host) {
    try {
      return host.equalsIgnoreCase(URI.create(origin).getRawAuthority());
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** In constant time, so that the answer's delay tells nothing of the token. */
  private static boolean knowsToken(Context request, String token) {
    String given = Optional.ofNullable(request.header("Authorization")).orElse("");
    boolean isBearer = given.regionMatches(true, 0, SCHEME, 0, SCHEME.length());
    return isBearer
        && MessageDigest.isEqual(
            given.substring(SCHEME.length()).getBytes(StandardCharsets.UTF_8),
            token.getBytes(StandardCharsets.UTF_8));
  }
}
