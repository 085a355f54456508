package dev.psm.studio.service;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.io.Json;
import dev.psm.core.io.JsonField;
import dev.psm.studio.web.Access;
import dev.psm.studio.web.Bodies;
import dev.psm.studio.web.RequestError;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.javalin.http.HandlerType;
import io.javalin.security.RouteRole;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** What can be asked over HTTP. The OpenAPI document names the same. */
final class ServiceRoutes {
  static final String ACT = "/v1/models/{model}/act";

  /** The attribute of a request that says which route it took. */
  static final String ROUTE = "route";

  private final ServedModels models;
  private final PolicyCache policies;
  private final Admission admission;
  private final Acting acting;
  private final InferenceThreads solving;
  private final ServiceMetrics metrics;
  private final ServiceLimits limits;
  private final OpenApi openApi = new OpenApi();

  ServiceRoutes(
      ServedModels models,
      PolicyCache policies,
      Admission admission,
      Acting acting,
      InferenceThreads solving,
      ServiceMetrics metrics,
      ServiceLimits limits) {
    this.models = models;
    this.policies = policies;
    this.admission = admission;
    this.acting = acting;
    this.solving = solving;
    this.metrics = metrics;
    this.limits = limits;
  }

  /** A route that remembers, for metrics, that it was taken. */
  record Route(HandlerType method, String path, Handler handler, RouteRole... roles) {
    private static Route get(String path, Handler handler, RouteRole... roles) {
      return of(HandlerType.GET, path, handler, roles);
    }

    private static Route post(String path, Handler handler) {
      return of(HandlerType.POST, path, handler);
    }

    private static Route of(HandlerType method, String path, Handler handler, RouteRole... roles) {
      Handler named =
          request -> {
            request.attribute(ROUTE, path);
            handler.handle(request);
          };
      return new Route(method, path, named, roles);
    }
  }

  List<Route> all() {
    return List.of(
        Route.get("/health/live", request -> {}, Access.OPEN),
        Route.get("/health/ready", this::ready, Access.OPEN),
        Route.get("/openapi.json", request -> Bodies.answer(request, openApi.document())),
        Route.get(
            "/metrics",
            request -> request.contentType(ServiceMetrics.CONTENT_TYPE).result(metrics.text())),
        Route.get("/v1/models", this::list),
        Route.get("/v1/models/{model}", about(ModelDocuments::whole)),
        Route.post("/v1/models/{model}/solve", receiving(this::solve)),
        Route.get("/v1/models/{model}/policies/{policy}", this::policy),
        Route.post(ACT, receiving(this::act)),
        Route.get("/v2", request -> Bodies.answer(request, openApi.server())),
        Route.get("/v2/health/live", request -> {}, Access.OPEN),
        Route.get("/v2/health/ready", this::ready, Access.OPEN),
        Route.get("/v2/models/{model}", about(ModelDocuments::tensors)),
        Route.get("/v2/models/{model}/ready", request -> model(request).agent()),
        Route.post("/v2/models/{model}/infer", receiving(this::infer)));
  }

  private ServedModel model(Context request) {
    return models.find(request.pathParam("model"));
  }

  private Handler about(Function<ServedModel, ObjectNode> document) {
    return request -> Bodies.answer(request, document.apply(model(request)));
  }

  /** Names no model, since it asks for no token. */
  private void ready(Context request) {
    admission.requireOpen();
    if (!models.areReady()) {
      throw RequestError.later(503, "not every model is loaded yet");
    }
  }

  private void list(Context request) {
    ObjectNode document = Json.object();
    ArrayNode list = document.putArray("models");
    models.all().forEach(model -> list.add(ModelDocuments.line(model)));
    Bodies.answer(request, document);
  }

  /**
   * A long body takes a place of its own, since whoever sends it may take his time; and keeps it
   * until the answer, since it is held as long.
   */
  private Handler receiving(Handler handler) {
    return request -> {
      if (Bodies.isHere(request)) {
        handler.handle(request);
        return;
      }
      try (Admission.Place place = admission.enter(Admission.Kind.BODY)) {
        handler.handle(request);
      }
    };
  }

  private void solve(Context request) {
    ServedModel model = model(request);
    model.agent();
    byte[] body = Bodies.bytes(request);
    Admission.Place place = admission.enter(Admission.Kind.SOLVE);
    CompletableFuture<?> begun = CompletableFuture.completedFuture(null);
    try {
      SolveRequest asked = SolveRequest.read(Bodies.object(body), model, limits);
      PolicyCache.Found found =
          policies.solved(asked.id(), () -> solving.start(() -> asked.solve(model)));
      begun = found.isNew() ? found.policy() : begun;
      ServedPolicy policy =
          InferenceThreads.await(
              found.policy(), limits.requestTime(), "it goes on, so ask again for the same prompt");
      metrics.solved(model, found.isNew());
      Bodies.answer(request, policy.json().put("cached", !found.isNew()));
    } finally {
      // What goes on beyond the request's time keeps its place, or ever more would wait.
      CompletableFuture<?> unused = begun.whenComplete((solved, failure) -> place.close());
    }
  }

  private void policy(Context request) {
    Bodies.answer(request, policies.find(request.pathParam("policy"), model(request)).json());
  }

  private void act(Context request) {
    ServedModel model = model(request);
    model.agent();
    byte[] bytes = Bodies.bytes(request);
    ObjectNode[] answer = new ObjectNode[1];
    float[] actions =
        acting.act(
            () -> {
              JsonField body = JsonField.of("body", Bodies.object(bytes));
              ServedPolicy policy = policies.find(body.get(ActRequest.POLICY).text(), model);
              ActRequest asked = ActRequest.read(body, model, ActRequest.step(body, 0), limits);
              float[] chosen = asked.act(policy);
              answer[0] = asked.answer(model, chosen);
              return chosen;
            });
    metrics.acted(model, actions.length / model.actionSize());
    Bodies.answer(request, answer[0]);
  }

  private void infer(Context request) {
    ServedModel model = model(request);
    model.agent();
    byte[] bytes = Bodies.bytes(request);
    String length = request.header(InferMessage.JSON_LENGTH);
    InferAnswer[] answer = new InferAnswer[1];
    float[] actions =
        acting.act(
            () -> {
              InferMessage asked = InferMessage.read(bytes, length, model, limits);
              float[] chosen = act(asked, model);
              answer[0] = InferAnswer.of(asked, model, chosen);
              return chosen;
            });
    metrics.acted(model, actions.length / model.actionSize());
    answer[0].send(request);
  }

  private float[] act(InferMessage asked, ServedModel model) {
    if (asked.policy().isPresent()) {
      ServedPolicy policy = policies.find(asked.policy().get(), model);
      return ServedModel.act(
          InferMessage.INPUTS, () -> policy.policy().act(asked.observations(), asked.step()));
    }
    float[] tasks = asked.tasks().orElseThrow();
    return ServedModel.act(
        InferMessage.INPUTS, () -> model.agent().act(asked.observations(), tasks));
  }
}
