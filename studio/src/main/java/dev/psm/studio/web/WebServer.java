package dev.psm.studio.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.psm.core.UserError;
import io.javalin.Javalin;
import io.javalin.config.JettyConfig;
import io.javalin.config.Key;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import io.javalin.http.MethodNotAllowedResponse;
import io.javalin.util.JavalinBindException;
import io.javalin.util.JavalinException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * An HTTP server with the bounds and guards that both the studio and the service need: it listens
 * on loopback unless there is a token, answers only requests that were meant for it, and tells
 * every error as a JSON document, never as a stack trace.
 */
public final class WebServer implements AutoCloseable {
  /**
   * How it listens.
   *
   * @param port 0 for any free one
   * @param token what requests must carry as {@code Authorization: Bearer}; required beyond
   *     loopback
   * @param maxBody bytes of a request's body
   * @param connections at once; others wait
   * @param patience how long a request may take to come in
   */
  public record Settings(
      String host,
      int port,
      Optional<String> token,
      int threads,
      int maxBody,
      int connections,
      Duration patience) {
    public static final int THREADS = 32;
    public static final int MAX_BODY = 16 << 20;
    public static final int CONNECTIONS = 1024;
    public static final Duration PATIENCE = Duration.ofSeconds(20);

    public static Settings loopback(int port) {
      return new Settings(
          "127.0.0.1", port, Optional.empty(), THREADS, MAX_BODY, CONNECTIONS, PATIENCE);
    }
  }

  static final Key<Integer> MAX_BODY = new Key<>("maxBody");

  /** Bodies up to this size are read before a thread is spent on their request. */
  static final int READ_AHEAD = 256 << 10;

  /** How long answers may take to be sent when the server stops. */
  private static final Duration STOP = Duration.ofSeconds(3);

  private static final Duration IDLE = Duration.ofSeconds(60);

  private final Javalin server;
  private final Settings settings;

  /** Starts listening. */
  public WebServer(Settings settings, Consumer<RoutesConfig> routes) {
    this.settings = settings;
    if (settings.token.isEmpty() && !isLoopback(settings.host)) {
      throw UserError.argument(
          "host", "%s can be reached by others, so a token is needed", settings.host);
    }
    server =
        Javalin.create(
            config -> {
              config.startup.showJavalinBanner = false;
              config.http.prefer405over404 = true;
              config.appData(MAX_BODY, settings.maxBody);
              config.jetty.threadPool = new QueuedThreadPool(settings.threads, 4);
              bound(config.jetty);
              RequestGuard guard = new RequestGuard(settings);
              config.routes.beforeMatched(guard::check);
              config.routes.wsBeforeUpgrade(guard::check);
              config.routes.wsBeforeUpgrade(Handshakes::check);
              errors(config.routes);
              routes.accept(config.routes);
            });
    try {
      server.start();
    } catch (JavalinBindException e) {
      throw UserError.argument(
          "port",
          "%d on %s is in use or not allowed; choose another",
          settings.port,
          settings.host);
    }
  }

  private void bound(JettyConfig jetty) {
    SlowRequests slow = new SlowRequests(settings.patience, settings.maxBody, READ_AHEAD);
    jetty.modifyServer(
        server -> {
          server.setErrorHandler(new JsonErrors());
          server.setStopTimeout(STOP.toMillis());
          server.setHandler(new GracefulHandler(slow));
        });
    jetty.modifyServletContextHandler(
        context -> context.setSessionHandler(ForgottenSessions.handler()));
    // It is for tests of clients: an answer would come in as many frames as a client likes.
    jetty.modifyWebSocketServletFactory(
        factory -> factory.getAvailableExtensionNames().remove("fragment"));
    jetty.modifyHttpConfiguration(
        http -> {
          http.setSendServerVersion(false);
          // Else a token in other letters' case is taken for that of an earlier request.
          http.setHeaderCacheCaseSensitive(true);
        });
    jetty.addConnector(
        (server, http) -> {
          ServerConnector connector =
              new ServerConnector(server, 1, 1, new HttpConnectionFactory(http));
          connector.setHost(settings.host);
          connector.setPort(settings.port);
          connector.setAcceptQueueSize(settings.connections);
          connector.setIdleTimeout(Math.min(IDLE.toMillis(), settings.patience.toMillis()));
          connector.addBean(new NetworkConnectionLimit(settings.connections, connector));
          connector.addBean(slow, false);
          return connector;
        });
  }

  static boolean isLoopback(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      throw UserError.argument("host", "this machine has no address '%s'", host);
    }
  }

  private static void errors(RoutesConfig routes) {
    routes.exception(
        RequestError.class,
        (e, request) -> {
          if (e.retrySeconds() > 0) {
            request.header("Retry-After", Integer.toString(e.retrySeconds()));
          }
          tell(request, e.status(), e.getMessage());
        });
    routes.exception(
        UserError.class,
        (e, request) ->
            tell(request, e.kind() == UserError.Kind.INVALID ? 400 : 500, e.getMessage()));
    routes.exception(
        HttpResponseException.class,
        (e, request) -> {
          if (e instanceof MethodNotAllowedResponse) {
            request.header("Allow", e.getDetails().getOrDefault("availableMethods", ""));
          }
          tell(request, e.getStatus(), e.getMessage());
        });
    routes.exception(
        HttpException.RuntimeException.class,
        (e, request) ->
            tell(
                request,
                e.getCode(),
                Handshakes.isOne(request)
                    ? "the headers that ask for a WebSocket are not as RFC 6455 wants them"
                    : "the request is not as HTTP wants it"));
    routes.exception(
        Exception.class,
        (e, request) ->
            tell(request, 500, "a fault in psm itself: " + e.getClass().getSimpleName()));
  }

  private static void tell(Context request, int status, String message) {
    request.status(status);
    Bodies.answer(request, Bodies.error(message));
    if (Handshakes.isOne(request)) {
      // Javalin sends no result of a handshake.
      try {
        request.res().getOutputStream().write(Bodies.error(message).toString().getBytes(UTF_8));
      } catch (IOException gone) {
        // Nobody to tell.
      }
    }
  }

  public int port() {
    return server.port();
  }

  /** Where a browser finds it. */
  public String address() {
    String host = settings.host.contains(":") ? "[" + settings.host + "]" : settings.host;
    return "http://%s:%d".formatted(host, port());
  }

  /** Lets requests that are under way end, but not for long, then stops. */
  @Override
  public void close() {
    try {
      server.stop();
    } catch (JavalinException e) {
      if (!(e.getCause() instanceof TimeoutException)) {
        throw e;
      }
    }
  }
}
