package dev.psm.studio.body;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.io.Json;
import dev.psm.core.io.JsonField;
import dev.psm.studio.ModelShelf;
import dev.psm.studio.web.Bodies;
import dev.psm.studio.web.RequestError;
import dev.psm.zeroshot.ZeroShotAgent;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.websocket.WsConfig;
import io.javalin.websocket.WsConnectContext;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.StatusCode;

/** What the page of bodies asks the server for. */
public final class BodyApi implements AutoCloseable {
  /** Each has a thread and at least one simulation of its own. */
  static final int MAX_SESSIONS = 8;

  private static final String BODY = "/api/bodies/{id}";

  private final ModelShelf shelf;
  private final Uploads uploads = new Uploads();
  private final Map<String, BodySession> sessions = new ConcurrentHashMap<>();

  public BodyApi(ModelShelf shelf) {
    this.shelf = shelf;
  }

  public void routes(RoutesConfig routes) {
    routes.get(BODY, request -> Bodies.answer(request, BodyDescription.of(entry(request))));
    routes.post(BODY + "/formula", this::check);
    routes.post(BODY + "/beliefs", this::beliefs);
    routes.post(BODY + "/demonstrations", this::upload);
    routes.ws(BODY + "/session", this::session);
  }

  private ModelShelf.Entry entry(Context request) {
    return entry(request.pathParam("id"));
  }

  private ModelShelf.Entry entry(String id) {
    return shelf.find(id).orElseThrow(() -> RequestError.notFound("there is no agent '%s'", id));
  }

  private void check(Context request) {
    JsonField body = body(request, List.of("text"));
    Bodies.answer(request, FormulaCheck.of(body.get("text").textOrBlank(), entry(request).agent()));
  }

  private void beliefs(Context request) {
    JsonField body = body(request, List.of("prompt", "x", "y"));
    ZeroShotAgent agent = entry(request).agent();
    ObjectNode answer =
        new Beliefs(agent)
            .of(Asked.read(body.get("prompt")), body.get("x").text(), body.get("y").text());
    Bodies.answer(request, answer);
  }

  private static JsonField body(Context request, List<String> keys) {
    JsonField body = JsonField.of(Path.of("body"), Bodies.object(request));
    body.checkKeys(keys);
    return body;
  }

  private void upload(Context request) {
    ZeroShotAgent agent = entry(request).agent();
    String name = Optional.ofNullable(request.queryParam("name")).orElse("demonstration");
    String id = uploads.add(name, Bodies.bytes(request), agent.environment());
    Bodies.answer(
        request,
        Json.object().put("upload", id).put("states", uploads.states(id, agent.environment())));
  }

  private void session(WsConfig socket) {
    socket.onConnect(this::connect);
    socket.onMessage(
        message ->
            Optional.ofNullable(sessions.get(message.sessionId()))
                .ifPresent(session -> session.receive(message.message())));
    socket.onClose(closed -> end(closed.sessionId()));
    socket.onError(failed -> end(failed.sessionId()));
  }

  private void connect(WsConnectContext socket) {
    String refusal = null;
    Optional<ModelShelf.Entry> entry = shelf.find(socket.pathParam("id"));
    synchronized (sessions) {
      if (entry.isEmpty()) {
        refusal = "there is no agent '%s'".formatted(socket.pathParam("id"));
      } else if (sessions.size() >= MAX_SESSIONS) {
        refusal =
            "%d pages are being served already, which is as many as there may be; close one"
                .formatted(MAX_SESSIONS);
      } else {
        BodySession session =
            new BodySession(
                entry.get()::agent,
                uploads,
                new SocketOutlet(socket.session),
                () -> sessions.remove(socket.sessionId()));
        sessions.put(socket.sessionId(), session);
        session.start();
      }
    }
    if (refusal != null) {
      socket.send(Json.line(Json.object().put("type", "end").put("message", refusal)));
      socket.session.close(StatusCode.TRY_AGAIN_LATER, "refused", Callback.NOOP);
    }
  }

  private void end(String id) {
    Optional.ofNullable(sessions.get(id)).ifPresent(BodySession::end);
  }

  /** How many pages are being served. */
  int sessions() {
    return sessions.size();
  }

  /** Ends all sessions, before their agents are freed. */
  @Override
  public void close() {
    List<BodySession> running = List.copyOf(sessions.values());
    running.forEach(BodySession::end);
    running.forEach(BodySession::close);
  }
}
