package dev.psm.studio.body;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.psm.core.io.Json;
import dev.psm.studio.ModelShelf;
import dev.psm.studio.web.WebServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a page asks of the server, by HTTP and WebSocket, without a page. */
@Tag("slow")
final class BodyApiTest {
  private static final String BODY = "/api/bodies/walker-psm";
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private static ModelShelf shelf;
  private static BodyApi bodies;
  private static WebServer server;

  @BeforeAll
  static void start() {
    shelf = new ModelShelf();
    shelf.add(Path.of("../models/walker-psm"));
    shelf.add(Path.of("../models/fetchreach-psm"));
    bodies = new BodyApi(shelf);
    server = new WebServer(WebServer.Settings.loopback(0), bodies::routes);
  }

  @AfterAll
  static void stop() {
    server.close();
    bodies.close();
    shelf.close();
    assertEquals(0, bodies.sessions());
  }

  private static JsonNode ask(String path, String body) throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server.address() + path));
    if (body != null) {
      request.POST(HttpRequest.BodyPublishers.ofString(body.replace('\'', '"')));
    }
    HttpResponse<String> answer =
        CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
    return Json.parse(answer.body(), "answer");
  }

  @Test
  void worldIsDescribed() throws Exception {
    JsonNode walker = ask(BODY, null);
    assertEquals("walker", walker.path("world").asText());
    assertEquals(9, walker.path("pose").size());
    assertEquals(4, walker.path("tasks").size());
    assertTrue(walker.path("taskVectors").asBoolean());
    JsonNode speed = walker.path("quantities").get(0);
    assertTrue(speed.path("low").asDouble() < speed.path("high").asDouble(), speed::toString);
    JsonNode arm = ask("/api/bodies/fetchreach-psm", null);
    assertEquals("goal_x", arm.path("goal").get(0).path("name").asText());
    assertEquals(3, arm.path("goal").size());
    assertTrue(ask("/api/bodies/nobody", null).path("error").asText().contains("nobody"));
  }

  @Test
  void formulasAreChecked() throws Exception {
    JsonNode right = ask(BODY + "/formula", "{'text':'upright * velocity_x'}");
    assertFalse(right.path("constant").asBoolean(true));
    assertTrue(right.path("low").asDouble() < right.path("high").asDouble());
    JsonNode wrong = ask(BODY + "/formula", "{'text':'upright * speed'}");
    assertEquals(10, wrong.path("index").asInt());
    JsonNode endless = ask(BODY + "/formula", "{'text':'1 / (upright - upright)'}");
    assertTrue(endless.path("error").asText().contains("not finite"), endless::toString);
    assertTrue(ask(BODY + "/formula", "{'text':'3'}").path("constant").asBoolean());
    assertEquals(0, ask(BODY + "/formula", "{'text':''}").path("index").asInt());
    assertTrue(
        ask(BODY + "/formula", "{'formula':'1'}").path("error").asText().contains("formula"));
  }

  @Test
  void beliefsTellWhatFeaturesKnowOfAReward() throws Exception {
    JsonNode told =
        ask(
            BODY + "/beliefs",
            "{'prompt':{'kind':'reward','text':'run'},'x':'velocity_x','y':'torso_height'}");
    assertEquals(told.path("x").size(), told.path("projected").size());
    assertEquals(told.path("x").size(), told.path("reward").size());
    assertTrue(told.path("correlation").asDouble() > 0.5, "correlation with run");
    for (JsonNode each : told.path("cosines")) {
      double cosine = each.path("cosine").asDouble();
      assertEquals(each.path("task").asText().equals("run"), cosine > 0.999999, each::toString);
    }
    assertTrue(
        ask(
                BODY + "/beliefs",
                "{'prompt':{'kind':'reward','text':'run'},'x':'speed','y':'torso_height'}")
            .path("error")
            .asText()
            .contains("speed"));
  }

  @Test
  void tasksOfTheArmAreNoVectorsOfItsFeatures() throws Exception {
    JsonNode told =
        ask(
            "/api/bodies/fetchreach-psm/beliefs",
            "{'prompt':{'kind':'reward','text':'gripper_z'},'x':'gripper_x','y':'gripper_z'}");
    assertTrue(told.path("reward").size() > 100);
    assertFalse(told.has("projected"));
  }

  /** Demonstrations are longer than what a page asks otherwise. */
  @Test
  void aLongDemonstrationIsTaken() throws Exception {
    String row = "0.123456789012345,".repeat(23) + "1\n";
    String longer = row.repeat(5000);
    assertTrue(longer.length() > 2_000_000);
    JsonNode taken = ask(BODY + "/demonstrations?name=walk.csv", longer);
    assertEquals(5000, taken.path("states").asInt(), taken::toString);
    JsonNode refused = ask(BODY + "/demonstrations?name=walk.csv", row.repeat(50_000));
    assertTrue(refused.path("error").asText().contains("16,777,216 bytes"), refused::toString);
  }

  @Test
  void sessionsAreBoundedAndEndWithTheirPages() throws Exception {
    awaitSessions(0);
    List<Page> pages = new ArrayList<>();
    for (int i = 0; i < BodyApi.MAX_SESSIONS; i++) {
      pages.add(new Page(true));
    }
    awaitSessions(BodyApi.MAX_SESSIONS);
    Page refused = new Page(true);
    assertTrue(
        refused.end.get(10, TimeUnit.SECONDS).contains("as many as there may be"),
        "the one too many is told why");
    pages.forEach(Page::leave);
    awaitSessions(0);
    Page again = new Page(true);
    again.frame.get(30, TimeUnit.SECONDS);
    again.leave();
    awaitSessions(0);
  }

  @Test
  void whoNeverReadsHoldsUpNobody() throws Exception {
    awaitSessions(0);
    Page deaf = new Page(false);
    awaitSessions(1);
    Page other = new Page(true);
    other.frame.get(30, TimeUnit.SECONDS);
    deaf.socket.abort();
    other.leave();
    awaitSessions(0);
  }

  private static void awaitSessions(int count) throws InterruptedException {
    long end = System.currentTimeMillis() + 30_000;
    while (bodies.sessions() != count && System.currentTimeMillis() < end) {
      Thread.sleep(20);
    }
    assertEquals(count, bodies.sessions());
  }

  /** The other end of a session. */
  private static final class Page implements WebSocket.Listener {
    final CompletableFuture<String> end = new CompletableFuture<>();
    final CompletableFuture<Boolean> frame = new CompletableFuture<>();
    final WebSocket socket;
    private final boolean reads;
    private final StringBuilder text = new StringBuilder();

    Page(boolean reads) {
      this.reads = reads;
      URI address = URI.create(server.address().replace("http", "ws") + BODY + "/session");
      socket = CLIENT.newWebSocketBuilder().buildAsync(address, this).join();
    }

    @Override
    public void onOpen(WebSocket opened) {
      if (reads) {
        opened.request(Long.MAX_VALUE);
      }
    }

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
      text.append(data);
      if (last) {
        JsonNode message = Json.parse(text.toString(), "message");
        text.setLength(0);
        if (message.path("type").asText().equals("end")) {
          end.complete(message.path("message").asText());
        }
      }
      return null;
    }

    @Override
    public CompletionStage<?> onBinary(WebSocket from, ByteBuffer data, boolean last) {
      frame.complete(true);
      return null;
    }

    void leave() {
      socket.sendClose(WebSocket.NORMAL_CLOSURE, "").join();
    }
  }
}
