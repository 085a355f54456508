package dev.psm.studio.service;

import dev.psm.studio.web.WebServer;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Pretrained agents for programs: HTTP with an OpenAPI document, the Open Inference Protocol
 * (KServe v2) for their actors, and WebSockets for control loops.
 */
public final class InferenceService implements AutoCloseable {
  /** How long a request may take to come in. */
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** How long requests under way may take to end when the service stops. */
  private static final Duration DRAIN = Duration.ofSeconds(20);

  private static final int CONNECTIONS = 1_024;

  /** Beside those that wait inside: for what is answered at once, and for Jetty itself. */
  private static final int SPARE_THREADS = 24;

  private static final String BEGUN = "begun";

  private final Settings settings;
  private final ServedModels models;
  private final Admission admission;
  private final InferenceThreads acting;
  private final InferenceThreads solving = new InferenceThreads("solve", 1);
  private final ControlSockets sockets;
  private final ServiceMetrics metrics;
  private final ServiceRoutes routes;
  private final WebServer server;

  /**
   * Where it listens.
   *
   * @param port 0 for any free one
   * @param token what requests must carry; required beyond loopback
   * @param threads that act, each on a core of its own
   * @param patience how long a request may take to come in
   * @param log is told every request in a line
   */
  public record Settings(
      String host,
      int port,
      Optional<String> token,
      int threads,
      Duration patience,
      ServiceLimits limits,
      Optional<Consumer<String>> log) {
    public static Settings loopback(int port) {
      return new Settings(
          "127.0.0.1",
          port,
          Optional.empty(),
          Runtime.getRuntime().availableProcessors(),
          PATIENCE,
          ServiceLimits.DEFAULT,
          Optional.empty());
    }

    public Settings with(ServiceLimits others) {
      return new Settings(host, port, token, threads, patience, others, log);
    }
  }

  /** Starts answering, that it is not ready for most things; {@link #load} makes it so. */
  public InferenceService(List<Path> folders, Settings settings) {
    this.settings = settings;
    ServiceLimits limits = settings.limits;
    models = new ServedModels(folders);
    admission = new Admission(limits);
    acting = new InferenceThreads("act", settings.threads);
    PolicyCache policies = new PolicyCache(limits.maxPolicies());
    Acting within = new Acting(admission, acting, limits);
    sockets =
        new ControlSockets(
            models,
            policies,
            limits,
            (policy, asked) -> {
              float[] actions = within.act(() -> asked.act(policy));
              acted(policy.model(), actions);
              return actions;
            });
    metrics = new ServiceMetrics(admission, policies, sockets, models);
    routes = new ServiceRoutes(models, policies, admission, within, solving, metrics, limits);
    server =
        new WebServer(
            new WebServer.Settings(
                settings.host,
                settings.port,
                settings.token,
                Admission.threads(limits) + SPARE_THREADS,
                limits.maxBody(),
                CONNECTIONS,
                settings.patience),
            this::routes);
  }

  private void acted(ServedModel model, float[] actions) {
    metrics.acted(model, actions.length / model.actionSize());
  }

  private void routes(RoutesConfig config) {
    config.before(request -> request.attribute(BEGUN, System.nanoTime()));
    for (ServiceRoutes.Route route : routes.all()) {
      config.addHttpHandler(route.method(), route.path(), route.handler(), route.roles());
      if (route.method().equals(HandlerType.GET)) {
        // Else HEAD is answered 200 without asking the handler.
        config.addHttpHandler(HandlerType.HEAD, route.path(), route.handler(), route.roles());
      }
    }
    config.wsBeforeUpgrade(ServiceRoutes.ACT, sockets::check);
    config.ws(ServiceRoutes.ACT, sockets::routes);
    config.after(this::answered);
  }

  private void answered(Context request) {
    Long begun = request.attribute(BEGUN);
    double milliseconds = begun == null ? 0 : (System.nanoTime() - begun) / 1e6;
    String route = request.attribute(ServiceRoutes.ROUTE);
    int status = request.statusCode();
    metrics.answered(route == null ? "other" : route, status, milliseconds);
    settings.log.ifPresent(
        log ->
            log.accept(
                String.format(
                    Locale.ROOT,
                    "%s %s %s %d %.1f ms",
                    request.ip(),
                    request.method(),
                    request.path(),
                    status,
                    milliseconds)));
  }

  List<ServiceRoutes.Route> routes() {
    return routes.all();
  }

  int sockets() {
    return sockets.count();
  }

  Admission admission() {
    return admission;
  }

  InferenceThreads acting() {
    return acting;
  }

  InferenceThreads solving() {
    return solving;
  }

  /** Loads every model and lets each act once; from then on the service is ready. */
  public void load() {
    for (ServedModel model : models.all()) {
      model.load(acting);
    }
  }

  public String address() {
    return server.address();
  }

  public int port() {
    return server.port();
  }

  /** The names under which models are served. */
  public List<String> models() {
    return models.all().stream().map(ServedModel::id).toList();
  }

  /** Refuses new requests, lets those under way end, then stops. */
  @Override
  public void close() {
    try {
      admission.close(DRAIN);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    sockets.close();
    server.close();
    acting.close();
    solving.close();
    models.close();
  }
}
