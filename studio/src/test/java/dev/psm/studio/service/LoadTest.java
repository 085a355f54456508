package dev.psm.studio.service;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.io.Json;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Too many requests, too slow ones, and the end. */
@Timeout(300)
final class LoadTest {
  private static String observing(String policy) {
    return Json.line(TestService.acting(policy, new float[24]));
  }

  @Test
  void whoComesWhenAllPlacesAreTakenIsToldSoAtOnce() {
    try (TestService service = bounded(2, 1, Duration.ofSeconds(60))) {
      String policy = service.solve("{\"task\": \"run\"}");
      Admission admission = service.service().admission();
      List<Admission.Place> taken = new ArrayList<>();
      taken.add(admission.enter(Admission.Kind.ACT));
      service.post(TestService.ACT, observing(policy)).ok();
      taken.add(admission.enter(Admission.Kind.ACT));
      TestService.Answer refused = service.post(TestService.ACT, observing(policy));
      assertEquals(
          "2 requests are being answered, and no more at once; ask again soon",
          refused.refused(429));
      assertEquals(List.of("1"), refused.headers().get("retry-after"));
      service.post(TestService.INFER, "{}").refused(429);
      service.get("/v1/models").ok();
      service.get("/health/ready").ok();
      service.solve("{\"task\": \"walk\"}");
      taken.forEach(Admission.Place::close);
      service.post(TestService.ACT, observing(policy)).ok();
      try (Admission.Place solving = admission.enter(Admission.Kind.SOLVE)) {
        service.post(TestService.SOLVE, "{\"task\": \"run\"}").refused(429);
        service.post(TestService.ACT, observing(policy)).ok();
      }
      service.solve("{\"task\": \"run\"}");
    }
  }

  @Test
  void whatTakesTooLongIsGivenUp() throws Exception {
    try (TestService service = bounded(4, 1, Duration.ofMillis(200))) {
      String prompt = "{\"task\": \"run\"}";
      String policy =
          patiently(() -> service.post(TestService.SOLVE, prompt)).json().get("policy").textValue();
      CountDownLatch release = new CountDownLatch(1);
      CompletableFuture<Boolean> busy = service.service().acting().start(() -> await(release));
      TestService.Answer refused = service.post(TestService.ACT, observing(policy));
      assertEquals("this took longer than 0.2 s; ask again", refused.refused(503));
      assertEquals(0, service.service().admission().inside(Admission.Kind.ACT));
      release.countDown();
      busy.get();
      patiently(() -> service.post(TestService.ACT, observing(policy)));
    }
  }

  @Test
  void aPolicyThatTakesTooLongIsThereLater() throws Exception {
    try (TestService service = bounded(4, 1, Duration.ofMillis(200))) {
      CountDownLatch release = new CountDownLatch(1);
      CompletableFuture<Boolean> busy = service.service().solving().start(() -> await(release));
      String refused = service.post(TestService.SOLVE, "{\"task\": \"run\"}").refused(503);
      assertTrue(refused.contains("it goes on"), refused);
      release.countDown();
      busy.get();
      // Only what was begun before is waited for here.
      service.service().solving().start(() -> true).get();
      assertTrue(
          service
              .post(TestService.SOLVE, "{\"task\": \"run\"}")
              .ok()
              .json()
              .get("cached")
              .booleanValue());
    }
  }

  /** Else whoever asks again and again has ever more prompts wait for one thread. */
  @Test
  void whatIsStillBeingSolvedKeepsItsPlace() throws Exception {
    try (TestService service = bounded(4, 1, Duration.ofMillis(200))) {
      CountDownLatch release = new CountDownLatch(1);
      CompletableFuture<Boolean> busy = service.service().solving().start(() -> await(release));
      service.post(TestService.SOLVE, "{\"task\": \"run\"}").refused(503);
      service.post(TestService.SOLVE, "{\"task\": \"walk\"}").refused(429);
      release.countDown();
      busy.get();
      service.service().solving().start(() -> true).get();
      assertEquals(0, service.service().admission().inside(Admission.Kind.SOLVE));
      service.post(TestService.SOLVE, "{\"task\": \"run\"}").ok();
    }
  }

  /** Else as many could wait as may act, each with the most bytes that a body may have. */
  @Test
  void aLongBodyKeepsItsPlaceUntilItIsAnswered() throws Exception {
    try (TestService service = bounded(4, 1, Duration.ofSeconds(60))) {
      String longer = observing(service.solve("{\"task\": \"run\"}")) + " ".repeat(300_000);
      Admission admission = service.service().admission();
      CountDownLatch release = new CountDownLatch(1);
      CompletableFuture<Boolean> busy = service.service().acting().start(() -> await(release));
      CompletableFuture<TestService.Answer> asked =
          CompletableFuture.supplyAsync(() -> service.post(TestService.ACT, longer));
      while (admission.inside(Admission.Kind.ACT) == 0) {
        Thread.onSpinWait();
      }
      assertEquals(1, admission.inside(Admission.Kind.BODY));
      release.countDown();
      busy.get();
      asked.get().ok();
      assertEquals(0, admission.inside(Admission.Kind.BODY));
    }
  }

  /** A probe may ask for the head alone. */
  @Test
  void headsTellWhatGetWould() {
    try (TestService service = TestService.unready(usual -> usual, TestService.WALKER)) {
      assertEquals(503, head(service, "/health/ready"));
      assertEquals(404, head(service, "/v1/models/nobody"));
      assertEquals(200, head(service, "/health/live"));
      service.service().load();
      assertEquals(200, head(service, "/health/ready"));
    }
  }

  private static int head(TestService service, String path) {
    return service.send(service.request(path).method("HEAD", BodyPublishers.noBody())).status();
  }

  @Test
  void itIsReadyOnceEveryModelHasActed() {
    try (TestService service =
        TestService.unready(usual -> usual, TestService.WALKER, TestService.FETCH)) {
      service.get("/health/live").ok();
      // Whoever probes has no token, and is told no names.
      for (String path : List.of("/health/ready", "/v2/health/ready")) {
        assertEquals("not every model is loaded yet", service.get(path).refused(503));
      }
      for (String path : List.of("/v2/models/walker-psm/ready", "/v2/models/walker-psm")) {
        String refused = service.get(path).refused(503);
        assertEquals("model 'walker-psm' is still being loaded", refused);
      }
      service.post(TestService.SOLVE, "{\"task\": \"run\"}").refused(503);
      service.post(TestService.ACT, "{}").refused(503);
      assertTrue(service.get("/metrics").ok().text().contains("\npsm_ready 0.0\n"));
      assertTrue(service.get("/v1/models").ok().text().contains("\"ready\":false"));
      service.service().load();
      service.get("/health/ready").ok();
      service.get("/v2/models/walker-psm/ready").ok();
      assertTrue(service.get("/metrics").ok().text().contains("\npsm_ready 1.0\n"));
    }
  }

  @Test
  void requestsUnderWayEndAndNewOnesAreRefused() throws Exception {
    TestService service = bounded(4, 1, Duration.ofSeconds(60));
    int port = service.service().port();
    String policy = service.solve("{\"task\": \"run\"}");
    float[] expected =
        TestService.floats(
            service.post(TestService.ACT, observing(policy)).ok().json().get("action"));
    CountDownLatch release = new CountDownLatch(1);
    CompletableFuture<Boolean> busy = service.service().acting().start(() -> await(release));
    CompletableFuture<TestService.Answer> underWay =
        CompletableFuture.supplyAsync(() -> service.post(TestService.ACT, observing(policy)));
    Admission admission = service.service().admission();
    while (admission.inside(Admission.Kind.ACT) == 0) {
      Thread.onSpinWait();
    }
    CompletableFuture<Void> closing = CompletableFuture.runAsync(service::close);
    while (!admission.isStopping()) {
      Thread.onSpinWait();
    }
    assertEquals(
        "the server is stopping", service.post(TestService.ACT, observing(policy)).refused(503));
    service.get("/health/ready").refused(503);
    service.get("/health/live").ok();
    release.countDown();
    busy.get();
    assertArrayEquals(expected, TestService.floats(underWay.get().ok().json().get("action")));
    closing.get();
    assertThrows(
        ConnectException.class, () -> new Socket(InetAddress.getLoopbackAddress(), port).close());
  }

  /** More of them than there are threads, some stuck in their head, some in their body. */
  @Test
  void slowClientsKeepNobodyFromBeingServed() throws IOException {
    try (TestService service =
        TestService.with(
            usual ->
                new InferenceService.Settings(
                    usual.host(),
                    0,
                    usual.token(),
                    1,
                    Duration.ofSeconds(1),
                    usual.limits(),
                    usual.log()),
            TestService.WALKER)) {
      String policy = service.solve("{\"task\": \"run\"}");
      List<Socket> slow = new ArrayList<>();
      for (int i = 0; i < 300; i++) {
        Socket socket = service.socket();
        socket.getOutputStream().write(beginning(i % 3).getBytes(StandardCharsets.US_ASCII));
        slow.add(socket);
      }
      service.post(TestService.ACT, observing(policy)).ok();
      // A byte now and then is no progress either.
      for (Socket socket : slow) {
        assertTrue(isClosed(socket), "a slow client is still there");
      }
      service.post(TestService.ACT, observing(policy)).ok();
    }
  }

  /** Silent or by a byte at times: whoever sends half a body is told that it came too slowly. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void halfABodyIsAnsweredBy408(boolean dribbling) throws IOException {
    try (TestService service =
            TestService.with(
                usual ->
                    new InferenceService.Settings(
                        usual.host(),
                        0,
                        usual.token(),
                        1,
                        Duration.ofSeconds(2),
                        usual.limits(),
                        usual.log()),
                TestService.WALKER);
        Socket socket = service.socket()) {
      socket.getOutputStream().write(beginning(2).getBytes(StandardCharsets.US_ASCII));
      socket.setSoTimeout(dribbling ? 100 : TestService.FOREVER_MILLIS);
      StringBuilder answer = new StringBuilder();
      for (int read = 0; read >= 0; ) {
        try {
          read = socket.getInputStream().read();
          answer.append(read < 0 ? "" : Character.toString(read));
        } catch (java.net.SocketTimeoutException nothingYet) {
          socket.getOutputStream().write(' ');
        }
      }
      assertTrue(answer.toString().startsWith("HTTP/1.1 408 "), answer.toString());
      assertTrue(answer.toString().contains("{\"error\":\"the body did not come in whole\"}"));
      assertTrue(service.get("/metrics").ok().text().contains("status=\"408\"} 1"));
    }
  }

  private static String beginning(int kind) {
    String post = "POST /v1/models/walker-psm/act HTTP/1.1\r\nHost: localhost\r\n";
    return switch (kind) {
      case 0 -> post.substring(0, 20);
      case 1 -> post + "X-Slow: ";
      default -> post + "Content-Length: 1000\r\n\r\n{\"policy\":";
    };
  }

  /** Dribbles until the server has had enough; a client that it keeps would go on for ever. */
  private static boolean isClosed(Socket socket) throws IOException {
    try (socket) {
      socket.setSoTimeout(100);
      long end = System.nanoTime() + TestService.FOREVER_MILLIS * 1_000_000L;
      while (System.nanoTime() < end) {
        try {
          socket.getOutputStream().write(' ');
          int read = socket.getInputStream().read();
          if (read < 0) {
            return true;
          }
        } catch (java.net.SocketTimeoutException stillOpen) {
          // On to the next byte.
        } catch (IOException reset) {
          return true;
        }
      }
      return false;
    }
  }

  /** Where little time is given, a busy machine may need some more. */
  private static TestService.Answer patiently(Supplier<TestService.Answer> asking) {
    TestService.Answer answer = asking.get();
    while (answer.status() == 503) {
      answer = asking.get();
    }
    return answer.ok();
  }

  private static TestService bounded(int requests, int solves, Duration time) {
    return TestService.with(
        usual ->
            new InferenceService.Settings(
                usual.host(),
                0,
                usual.token(),
                1,
                usual.patience(),
                new ServiceLimits(
                    usual.limits().maxBody(),
                    usual.limits().maxBatch(),
                    usual.limits().maxStates(),
                    usual.limits().maxFormula(),
                    usual.limits().maxFormulaCost(),
                    usual.limits().maxPolicies(),
                    requests,
                    solves,
                    usual.limits().maxSockets(),
                    time),
                usual.log()),
        TestService.WALKER);
  }

  private static boolean await(CountDownLatch latch) {
    try {
      latch.await();
      return true;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
