package dev.psm.studio.service;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.io.Json;
import dev.psm.zeroshot.ZeroShotAgent;
import dev.psm.zeroshot.ZeroShotPolicy;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Control loops over WebSockets. */
@Timeout(300)
final class ControlSocketsTest {
  private static TestService service;
  private static ZeroShotAgent walker;
  private static String policy;

  @BeforeAll
  static void start() {
    service =
        TestService.with(
            TestService.limits(
                usual ->
                    new ServiceLimits(
                        200_000,
                        1_024,
                        usual.maxStates(),
                        usual.maxFormula(),
                        usual.maxFormulaCost(),
                        usual.maxPolicies(),
                        usual.maxRequests(),
                        usual.maxSolves(),
                        2,
                        usual.requestTime())),
            TestService.WALKER);
    walker = ZeroShotAgent.load(TestService.WALKER);
    policy = service.solve("{\"task\": \"run\"}");
  }

  @AfterAll
  static void stop() {
    service.close();
    walker.close();
  }

  /** What came: texts, bytes, and the number of the close frame. */
  private static final class Loop implements WebSocket.Listener, AutoCloseable {
    private final BlockingQueue<Object> came = new LinkedBlockingQueue<>();
    private final StringBuilder text = new StringBuilder();
    private final WebSocket socket;

    Loop(String query) {
      socket =
          service
              .client()
              .newWebSocketBuilder()
              .buildAsync(
                  URI.create(
                      service.uri(TestService.ACT + query).toString().replace("http:", "ws:")),
                  this)
              .join();
    }

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
      text.append(part);
      if (last) {
        came.add(text.toString());
        text.setLength(0);
      }
      from.request(1);
      return null;
    }

    @Override
    public CompletionStage<?> onBinary(WebSocket from, ByteBuffer bytes, boolean last) {
      ByteBuffer copy = ByteBuffer.allocate(bytes.remaining()).order(ByteOrder.LITTLE_ENDIAN);
      copy.put(bytes).flip();
      came.add(copy);
      from.request(1);
      return null;
    }

    @Override
    public CompletionStage<?> onClose(WebSocket from, int status, String reason) {
      came.add(status);
      return null;
    }

    @Override
    public void onError(WebSocket from, Throwable error) {
      came.add(error);
    }

    Object next() throws InterruptedException {
      Object next = came.poll(TestService.FOREVER_MILLIS, TimeUnit.MILLISECONDS);
      assertTrue(next != null, "nothing came");
      return next;
    }

    JsonNode ask(JsonNode frame) throws InterruptedException {
      return ask(Json.line(frame));
    }

    JsonNode ask(String frame) throws InterruptedException {
      socket.sendText(frame, true).join();
      return Json.parse(next().toString(), "answer");
    }

    Object ask(ByteBuffer frame) throws InterruptedException {
      socket.sendBinary(frame, true).join();
      return next();
    }

    @Override
    public void close() {
      socket.abort();
      // The next test wants its place.
      awaitSockets(service, open -> open == 0);
    }
  }

  private static void awaitSockets(TestService of, IntPredicate wanted) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(TestService.FOREVER_MILLIS);
    while (!wanted.test(of.service().sockets())) {
      assertTrue(System.nanoTime() < end, "%d are open".formatted(of.service().sockets()));
      Thread.onSpinWait();
    }
  }

  private static ObjectNode observing(float[] observation) {
    ObjectNode frame = Json.object();
    frame.set("observation", TestService.array(observation));
    return frame;
  }

  @Test
  void everyObservationIsAnsweredByTheActionOfTheSerialPolicy() throws Exception {
    ZeroShotPolicy expected = walker.solve("run");
    try (Loop loop = new Loop("?policy=" + policy)) {
      for (int i = 0; i < 20; i++) {
        float[] observation = TestService.observation(walker, i);
        assertArrayEquals(
            expected.act(observation),
            TestService.floats(loop.ask(observing(observation)).get("action")));
        ByteBuffer answer = (ByteBuffer) loop.ask(bytes(observation));
        float[] action = new float[6];
        answer.asFloatBuffer().get(action);
        assertEquals(24, answer.remaining());
        assertArrayEquals(expected.act(observation), action);
      }
    }
  }

  @Test
  void aDemonstrationMovesOnWithEveryFrame() throws Exception {
    float[] shown = Arrays.copyOf(walker.sample().observations(), 3 * 24);
    ObjectNode prompt = Json.object();
    var rows = prompt.putObject("demonstration").put("window", 1).putArray("observations");
    for (int i = 0; i < 3; i++) {
      rows.add(TestService.array(TestService.observation(walker, i)));
    }
    String id = service.solve(Json.line(prompt));
    ZeroShotPolicy expected = walker.track(shown, 1);
    float[] observation = TestService.observation(walker, 9);
    try (Loop loop = new Loop("")) {
      ObjectNode first = observing(observation).put("policy", id);
      float[] begun = expected.act(observation);
      assertArrayEquals(begun, TestService.floats(loop.ask(first).get("action")));
      for (int i = 0; i < 3; i++) {
        assertArrayEquals(
            expected.act(observation),
            TestService.floats(loop.ask(observing(observation)).get("action")));
      }
      assertArrayEquals(
          begun, TestService.floats(loop.ask(observing(observation).put("step", 0)).get("action")));
    }
  }

  /** Else what was told to be wrong would still change what the next frames are answered by. */
  @Test
  void aRefusedFrameLeavesTheLoopAsItWas() throws Exception {
    ZeroShotPolicy expected = walker.solve("run");
    String other = service.solve("{\"task\": \"stand\"}");
    float[] observation = TestService.observation(walker, 5);
    float[] huge = new float[24];
    huge[3] = (float) 1e18;
    try (Loop loop = new Loop("?policy=" + policy)) {
      for (String wrong :
          List.of(
              "{\"policy\": \"%s\", \"observation\": [0]}".formatted(other),
              "{\"policy\": \"%s\", \"observation\": [0], \"seed\": 1}".formatted(other),
              Json.line(observing(observation).put("policy", other).put("step", -1)),
              Json.line(observing(huge).put("policy", other)))) {
        assertEquals(400, loop.ask(wrong).get("status").intValue(), wrong);
        assertArrayEquals(
            expected.act(observation),
            TestService.floats(loop.ask(observing(observation)).get("action")),
            wrong);
      }
    }
    ObjectNode prompt = Json.object();
    var rows = prompt.putObject("demonstration").put("window", 1).putArray("observations");
    for (int i = 0; i < 4; i++) {
      rows.add(TestService.array(TestService.observation(walker, 40 * i)));
    }
    String shown = service.solve(Json.line(prompt));
    try (Loop loop = new Loop("?policy=" + shown)) {
      loop.ask(observing(observation));
      refused(loop.ask("{\"step\": 0, \"observation\": [1]}"), 400, "expected 24 numbers");
      refused(loop.ask(observing(huge).put("step", 0)), 400, "field observation: beyond what");
      JsonNode next = loop.ask(observing(observation));
      assertEquals(loop.ask(observing(observation).put("step", 1)), next);
      assertNotEquals(loop.ask(observing(observation).put("step", 0)), next);
    }
  }

  @Test
  void aStepMayBeAsFarAsNumbersGo() throws Exception {
    try (Loop loop = new Loop("?policy=" + policy)) {
      JsonNode usual = loop.ask(observing(new float[24]));
      ObjectNode last = observing(new float[24]).put("step", Integer.MAX_VALUE);
      assertEquals(usual, loop.ask(last));
      assertEquals(usual, loop.ask(observing(new float[24])));
    }
  }

  @Test
  void anErrorIsShortHoweverLongTheFrame() throws Exception {
    try (Loop loop = new Loop("")) {
      JsonNode answer =
          loop.ask("{\"policy\": \"%s\", \"observation\": []}".formatted("p".repeat(150_000)));
      refused(answer, 404, "has no policy 'ppp");
      assertTrue(answer.get("error").textValue().length() < 2_100);
    }
  }

  /** What is a slow request elsewhere is usual here: frames that nothing answers. */
  @Test
  void aPongThatNobodyAskedForKeepsTheLoop() throws Exception {
    Duration patience = Duration.ofSeconds(1);
    try (TestService hasty =
        TestService.with(
            usual ->
                new InferenceService.Settings(
                    usual.host(), 0, usual.token(), 1, patience, usual.limits(), usual.log()),
            TestService.WALKER)) {
      LinkedBlockingQueue<String> came = new LinkedBlockingQueue<>();
      WebSocket socket =
          hasty
              .client()
              .newWebSocketBuilder()
              .buildAsync(
                  URI.create(hasty.uri(TestService.ACT).toString().replace("http:", "ws:")),
                  new WebSocket.Listener() {
                    @Override
                    public CompletionStage<?> onText(
                        WebSocket from, CharSequence text, boolean all) {
                      came.add(text.toString());
                      from.request(1);
                      return null;
                    }

                    @Override
                    public CompletionStage<?> onClose(WebSocket from, int status, String reason) {
                      came.add("closed");
                      return null;
                    }

                    @Override
                    public void onError(WebSocket from, Throwable error) {
                      came.add(error.toString());
                    }
                  })
              .join();
      socket.sendPong(ByteBuffer.allocate(1)).join();
      assertNull(came.poll(3 * patience.toMillis(), TimeUnit.MILLISECONDS));
      socket.sendText("{}", true).join();
      assertTrue(came.poll(60, TimeUnit.SECONDS).contains("expected either 'observation'"));
      socket.abort();
    }
  }

  @Test
  void wrongFramesAreToldAndTheLoopGoesOn() throws Exception {
    try (Loop loop = new Loop("")) {
      refused(loop.ask(observing(new float[24])), 400, "which policy?");
      refused(loop.ask("{\"policy\": \"x\", \"observation\": []}"), 404, "no policy 'x'");
      refused(loop.ask("{"), 400, "not valid JSON");
      refused(loop.ask("[1]"), 400, "must be a JSON object");
      ObjectNode frame = observing(new float[24]).put("policy", policy);
      assertEquals(6, loop.ask(frame).get("action").size());
      refused(loop.ask(observing(new float[3])), 400, "frame, field observation: expected 24");
      refused(loop.ask("{\"observation\": [1e99]}"), 400, "finite number of single precision");
      ByteBuffer odd = ByteBuffer.allocate(95);
      refused(Json.parse(loop.ask(odd).toString(), "answer"), 400, "found 95 bytes");
      float[] broken = new float[24];
      broken[3] = Float.POSITIVE_INFINITY;
      refused(Json.parse(loop.ask(bytes(broken)).toString(), "answer"), 400, "must be finite");
      assertEquals(6, loop.ask(observing(new float[24])).get("action").size());
    }
  }

  private static ByteBuffer bytes(float[] numbers) {
    ByteBuffer bytes = ByteBuffer.allocate(numbers.length * 4).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asFloatBuffer().put(numbers);
    // The JDK's client garbles what has another order when it masks eight bytes at once.
    return bytes.order(ByteOrder.BIG_ENDIAN);
  }

  private static void refused(JsonNode answer, int status, String said) {
    assertEquals(status, answer.get("status").intValue());
    assertTrue(answer.get("error").textValue().contains(said), answer.toString());
  }

  @Test
  void wrongNamesAreHttpErrors() {
    assertEquals(404, refusedHandshake("?policy=x"));
    service.get("/v1/models/nobody/act").refused(405);
  }

  @Test
  void onlySoManyAreOpenAtOnce() {
    try (Loop first = new Loop("");
        Loop second = new Loop("")) {
      assertEquals(429, refusedHandshake(""));
      first.socket.abort();
      awaitSockets(service, open -> open <= 1);
      try (Loop third = new Loop("")) {
        second.socket.abort();
        third.socket.abort();
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Upgrade: websocket|Connection: Upgrade|13|X: 1|with a header Sec-WebSocket-Key",
        "Upgrade: websocket|Connection: Upgrade|12|KEY|Version: expected 13, found '12'",
        "Upgrade: websocket|Connection: Upgrade|x|KEY|Version: expected 13, found 'x'",
        "Upgrade: other|Connection: Upgrade|13|KEY|with a header 'Upgrade: websocket'",
        "X: 1|Connection: Upgrade|13|KEY|with a header 'Upgrade: websocket'",
        "Upgrade: websocket|X: 1|13|KEY|upgrade",
        "Upgrade: websocket|Connection: Upgrade|13|DEFLATE|not as RFC 6455 wants them",
      })
  void aWrongHandshakeIsAMistakeOfTheRequest(
      String upgrade, String connection, String version, String more, String said)
      throws IOException {
    String key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";
    String deflate = "Sec-WebSocket-Extensions: permessage-deflate; bits=abc";
    String answer =
        service.raw(
            """
            GET %s HTTP/1.1\r
            Host: localhost\r
            %s\r
            %s\r
            Sec-WebSocket-Version: %s\r
            %s\r
            \r
            GET /health/live HTTP/1.1\r
            Host: localhost\r
            Connection: close\r
            \r
            """
                .formatted(
                    TestService.ACT,
                    upgrade,
                    connection,
                    version,
                    more.replace("KEY", key).replace("DEFLATE", key + "\r\n" + deflate)));
    assertTrue(answer.startsWith("HTTP/1.1 400 "), answer);
    assertTrue(answer.contains("{\"error\":") && answer.contains(said), answer);
    assertEquals(!version.equals("13"), answer.contains("Sec-WebSocket-Version: 13\r\n"), answer);
  }

  /** An answer in frames of a byte each is of no use to anybody. */
  @ParameterizedTest
  @ValueSource(strings = {"fragment;maxLength=1", "fragment;maxLength=abc"})
  void framesAreNotCutAsAClientLikes(String extension) throws IOException {
    try (Socket socket = service.socket()) {
      String asking = new String(handshake(), StandardCharsets.US_ASCII).stripTrailing();
      socket
          .getOutputStream()
          .write(
              (asking + "\r\nSec-WebSocket-Extensions: " + extension + "\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      StringBuilder head = new StringBuilder();
      while (head.indexOf("\r\n\r\n") < 0) {
        int next = socket.getInputStream().read();
        assertTrue(next >= 0, head.toString());
        head.append((char) next);
      }
      assertTrue(head.toString().startsWith("HTTP/1.1 101 "), head.toString());
      assertFalse(head.toString().contains("fragment"), head.toString());
    }
    awaitSockets(service, open -> open == 0);
  }

  private static int refusedHandshake(String query) {
    CompletionException refused =
        assertThrows(CompletionException.class, () -> new Loop(query).close());
    return ((WebSocketHandshakeException) refused.getCause()).getResponse().statusCode();
  }

  /**
   * Who is still sending may find the connection cut; that it was refused can be read all the same.
   */
  @Test
  void aFrameThatIsTooLargeEndsTheLoop() throws IOException {
    try (Socket socket = service.socket()) {
      socket.getOutputStream().write(handshake());
      byte[] text = " ".repeat(300_000).getBytes(StandardCharsets.US_ASCII);
      ByteBuffer frame = ByteBuffer.allocate(2 + 8 + 4 + text.length);
      frame.put((byte) 0x81).put((byte) (0x80 | 127)).putLong(text.length).putInt(0).put(text);
      try {
        socket.getOutputStream().write(frame.array());
      } catch (IOException cut) {
        // The answer has come before.
      }
      refusedAsTooLarge(untilTheEnd(socket), "");
    }
    awaitSockets(service, open -> open == 0);
  }

  /** Else the halves of many long messages would fill the memory. */
  @ParameterizedTest
  @ValueSource(bytes = {(byte) 0x81, (byte) 0x82})
  void aFrameThatAnnouncesTooMuchIsRefusedByItsHead(byte kind) throws IOException {
    try (Socket socket = service.socket()) {
      socket.getOutputStream().write(handshake());
      ByteBuffer head = ByteBuffer.allocate(2 + 8 + 4 + 1);
      head.put(kind).put((byte) (0x80 | 127)).putLong(8 << 20).putInt(0).put((byte) ' ');
      socket.getOutputStream().write(head.array());
      refusedAsTooLarge(untilTheEnd(socket), "larger than 802816");
    }
  }

  private byte[] handshake() {
    return """
        GET %s?policy=%s HTTP/1.1\r
        Host: localhost\r
        Connection: Upgrade\r
        Upgrade: websocket\r
        Sec-WebSocket-Version: 13\r
        Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
        \r
        """
        .formatted(TestService.ACT, policy)
        .getBytes(StandardCharsets.US_ASCII);
  }

  /** What comes before a connection ends or is reset. */
  private static byte[] untilTheEnd(Socket socket) throws IOException {
    ByteArrayOutputStream came = new ByteArrayOutputStream();
    try {
      for (int next = socket.getInputStream().read();
          next >= 0;
          next = socket.getInputStream().read()) {
        came.write(next);
      }
    } catch (SocketException reset) {
      // By a peer that did not read all that was sent.
    }
    return came.toByteArray();
  }

  private static void refusedAsTooLarge(byte[] came, String said) {
    String text = new String(came, StandardCharsets.ISO_8859_1);
    int close = text.indexOf("\r\n\r\n") + 4;
    assertEquals(0x88, came[close] & 0xff, text);
    assertEquals(1009, ByteBuffer.wrap(came, close + 2, 2).getShort());
    assertTrue(text.substring(close + 4).contains(said), text);
  }

  /** A batch as large as is allowed comes through. */
  @Test
  void theLargestBatchFits() throws Exception {
    try (Loop loop = new Loop("?policy=" + policy)) {
      ByteBuffer numbers = bytes(new float[1_024 * 24]);
      int answered = ((ByteBuffer) loop.ask(numbers)).remaining();
      while (answered < 1_024 * 6 * 4) {
        answered += ((ByteBuffer) loop.next()).remaining();
      }
      assertEquals(1_024 * 6 * 4, answered);
    }
  }

  /** Answers must not pile up for somebody who takes none. */
  @Test
  void whoNeverReadsIsDisconnected() throws IOException {
    try (Socket socket = service.socket()) {
      socket.setReceiveBufferSize(4_096);
      socket.getOutputStream().write(handshake());
      // A masked text frame that is answered at once, by an error of 2 kB.
      byte[] text = "{\"%s\": 1}".formatted("x".repeat(2_000)).getBytes(StandardCharsets.US_ASCII);
      ByteBuffer frame = ByteBuffer.allocate(4 + 4 + text.length);
      frame.put((byte) 0x81).put((byte) (0x80 | 126)).putShort((short) text.length).putInt(0);
      frame.put(text);
      assertThrows(
          IOException.class,
          () -> {
            while (true) {
              socket.getOutputStream().write(frame.array());
            }
          });
    }
    awaitSockets(service, open -> open == 0);
    service.get("/health/ready").ok();
  }

  @Test
  void whoeverIsConnectedWhenTheServiceStopsIsToldSo() throws Exception {
    TestService other = TestService.of(TestService.WALKER);
    LinkedBlockingQueue<Integer> closed = new LinkedBlockingQueue<>();
    other
        .client()
        .newWebSocketBuilder()
        .buildAsync(
            URI.create(other.uri(TestService.ACT).toString().replace("http:", "ws:")),
            new WebSocket.Listener() {
              @Override
              public CompletionStage<?> onClose(WebSocket from, int status, String reason) {
                closed.add(status);
                return null;
              }
            })
        .join();
    // The client knows of the connection a moment before the service does.
    awaitSockets(other, open -> open > 0);
    other.close();
    assertEquals(1001, closed.poll(TestService.FOREVER_MILLIS, TimeUnit.MILLISECONDS));
  }
}
