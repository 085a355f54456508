package dev.psm.studio.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Wrong requests are told what is wrong with them, and harm nobody. */
final class BadRequestTest {
  private static TestService service;
  private static String policy;

  @BeforeAll
  static void start() {
    service =
        TestService.with(
            TestService.limits(
                usual ->
                    new ServiceLimits(
                        100_000,
                        8,
                        50,
                        200,
                        100,
                        usual.maxPolicies(),
                        usual.maxRequests(),
                        usual.maxSolves(),
                        usual.maxSockets(),
                        usual.requestTime())),
            TestService.WALKER);
    policy = service.solve("{\"task\": \"stand\"}");
  }

  @AfterAll
  static void stop() {
    // After all that was done to it, it still does what it is for.
    service.post(TestService.ACT, acting(numbers("0.5", 24))).ok();
    service.close();
  }

  private static String numbers(String number, int count) {
    return "[" + (number + ",").repeat(count - 1) + number + "]";
  }

  private static String acting(String observation) {
    return "{\"policy\": \"%s\", \"observation\": %s}".formatted(policy, observation);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "`` | expected a JSON document, found nothing",
        "[] | the body must be a JSON object, found array",
        "7 | the body must be a JSON object, found number",
        "{ | not valid JSON",
        "{} {} | not valid JSON",
        "{'task': 1} | not valid JSON",
        "{} | expected one prompt, task or formula or goal or samples or demonstration; found none",
        "{\"task\": \"run\", \"goal\": [1]} | found task and goal",
        "{\"task\": \"run\", \"task\": \"run\"} | Duplicate field 'task'",
        "{\"task\": 7} | body, field task: expected a text, found 7",
        "{\"task\": \"rum\"} | body, field task: walker has no task 'rum'; did you mean 'run'?",
        "{\"task\": null} | body, field task: expected a text, found null",
        "{\"tsak\": \"run\"} | unknown key 'tsak'; did you mean 'task'?",
        "{\"task\": \"run\", \"method\": \"gpi\"} | body, field method: this model is psm",
        "{\"task\": \"run\", \"method\": \"x\"} | field method: expected one of dual, best, gpi, found 'x'",
        "{\"task\": \"run\", \"method\": \"lp\"} | field method: expected one of dual, best, gpi, found 'lp'",
        "{\"formula\": \"\"} | the reward formula is empty",
        "{\"formula\": \"uprigt\"} | did you mean 'upright'?",
        "{\"formula\": \"1 / 0\"} | divides by zero",
        "{\"formula\": \"1 / com_x\", \"x\": 1} | unknown key 'x'",
        "{\"formula\": \"log(torso_height - 100)\"} | the reward is not finite",
        "{\"goal\": [1, 2]} | field goal: expected an observation of 24 numbers, found 2",
        "{\"goal\": 1} | field goal: expected a list of numbers, found 1",
        "{\"goal\": [1e999]} | field goal[0]: expected a finite number of single precision",
        "{\"goal\": [true]} | field goal[0]: expected a finite number of single precision, found true",
        "{\"goal\": [NaN]} | Non-standard token 'NaN'",
        "{\"goal\": [-Infinity]} | not valid JSON",
        "{\"samples\": {}} | field samples: key 'observations' is missing",
        "{\"samples\": {\"observations\": []}} | expected a list of 1 to 50 rows of 24 numbers, found 0 rows",
        "{\"samples\": {\"observations\": [[1]], \"rewards\": [1]}} | observations[0]: expected 24 numbers, found 1",
        "{\"samples\": {\"observations\": [3], \"rewards\": [1]}} | observations[0]: expected 24 numbers, found 3",
        "{\"demonstration\": [1]} | field demonstration: expected an object",
      })
  void wrongPromptsAreRefusedInWords(String body, String said) {
    String error = service.post(TestService.SOLVE, body).refused(400);
    assertTrue(error.contains(said), error);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{} | key 'policy' is missing",
        "{\"policy\": 1} | body, field policy: expected a text, found 1",
        "{\"policy\": \"P\"} | expected either 'observation' or 'observations', found neither",
        "{\"policy\": \"P\", \"observation\": [], \"observations\": []} | found both",
        "{\"policy\": \"P\", \"observation\": [1, 2]} | observation: expected 24 numbers, found 2",
        "{\"policy\": \"P\", \"observation\": \"x\"} | observation: expected a list of numbers, found \"x\"",
        "{\"policy\": \"P\", \"observation\": {}} | observation: expected a list of numbers",
        "{\"policy\": \"P\", \"observation\": [[1]]} | observation[0]: expected a finite number",
        "{\"policy\": \"P\", \"observations\": [1]} | observations[0]: expected 24 numbers, found 1",
        "{\"policy\": \"P\", \"observations\": []} | expected a list of 1 to 8 rows of 24 numbers, found 0",
        "{\"policy\": \"P\", \"observations\": [[]]} | observations[0]: expected 24 numbers, found 0",
        "{\"policy\": \"P\", \"observation\": [1], \"step\": -1} | step: expected a whole number from 0",
        "{\"policy\": \"P\", \"observation\": [1], \"step\": 1.5} | step: expected a whole number",
        "{\"policy\": \"P\", \"observation\": [1], \"seed\": 0} | unknown key 'seed'",
      })
  void wrongObservationsAreRefusedInWords(String body, String said) {
    String error =
        service.post(TestService.ACT, body.replace("\"P\"", '"' + policy + '"')).refused(400);
    assertTrue(error.contains(said), error);
  }

  /** Some of these are finite all the way through the networks, which then see nothing in them. */
  @ParameterizedTest
  @ValueSource(strings = {"3e38", "1e20", "-1e19", "1e18", "1.1e15"})
  void observationsBeyondTheNetworksAreRefused(String number) {
    String error = service.post(TestService.ACT, acting(numbers(number, 24))).refused(400);
    String said =
        "body, field observation: beyond what the networks can take: number 0 (from 0) of the"
            + " observations must be finite and at most 1.0e+15 in size, found ";
    assertTrue(error.startsWith(said), error);
    String rows = numbers(numbers(number, 24), 2);
    for (String prompt :
        List.of(
            "{\"goal\": %s}".formatted(numbers(number, 24)),
            "{\"samples\": {\"observations\": %s, \"rewards\": [0, 1]}}".formatted(rows),
            "{\"demonstration\": {\"observations\": %s}}".formatted(rows))) {
      error = service.post(TestService.SOLVE, prompt).refused(400);
      String field = prompt.substring(2, prompt.indexOf('"', 2));
      assertTrue(
          error.startsWith("body, field %s: number 0 of observation 0 (both from".formatted(field)),
          error);
      assertTrue(error.contains("which the agent's networks cannot take; in its data"), error);
    }
  }

  @Test
  void largeObservationsThatTheNetworksTellApartAreActedOn() {
    String one = service.post(TestService.ACT, acting(numbers("1e15", 24))).ok().text();
    String other = service.post(TestService.ACT, acting(numbers("-1e15", 24))).ok().text();
    assertNotEquals(one, other);
  }

  @Test
  void noMoreIsTakenThanIsAllowed() {
    String many = numbers(numbers("0", 24), 9);
    String error =
        service
            .post(
                TestService.ACT,
                "{\"policy\": \"%s\", \"observations\": %s}".formatted(policy, many))
            .refused(400);
    assertTrue(error.contains("1 to 8 rows"), error);
    error =
        service
            .post(TestService.SOLVE, "{\"formula\": \"%s\"}".formatted("1 +".repeat(99) + "1"))
            .refused(400);
    assertTrue(error.contains("expected at most 200 characters, found 298"), error);
    error =
        service
            .post(
                TestService.SOLVE,
                "{\"formula\": \"%s\"}".formatted("sin(cos(upright))" + "+sin(upright)".repeat(13)))
            .refused(400);
    assertTrue(error.contains("a cost of at most 100, found"), error);
    error =
        service
            .post(
                TestService.SOLVE,
                "{\"demonstration\": {\"observations\": %s}}"
                    .formatted(numbers(numbers("0", 24), 51)))
            .refused(400);
    assertTrue(error.contains("1 to 50 rows of 24 numbers, found 51"), error);
  }

  /** Also where the length is not told beforehand. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void largeBodiesAreRefused(boolean chunked) throws IOException {
    byte[] body = new byte[150_000];
    java.util.Arrays.fill(body, (byte) ' ');
    TestService.Answer answer =
        chunked
            ? service.send(
                service
                    .request(TestService.SOLVE)
                    .POST(
                        java.net.http.HttpRequest.BodyPublishers.ofInputStream(
                            () -> new java.io.ByteArrayInputStream(body))))
            : service.post(TestService.SOLVE, body);
    assertEquals("a body may have at most 100,000 bytes", answer.refused(413));
  }

  /** Nobody waits for a body that will not be read. */
  @Test
  void aBodyThatSaysItIsTooLargeIsRefusedBeforeItComes() throws IOException {
    String answer =
        service.raw(
            "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000000\r\n\r\n{\"pol"
                .formatted(TestService.ACT));
    assertTrue(answer.startsWith("HTTP/1.1 413 "), answer);
    assertTrue(answer.contains("{\"error\":\"a body may have at most 100,000 bytes\"}"), answer);
  }

  @Test
  void brokenChunksAreAMistakeOfTheRequest() throws IOException {
    String answer =
        service.raw(
            """
            POST %s HTTP/1.1\r
            Host: localhost\r
            Transfer-Encoding: chunked\r
            \r
            5\r
            {"pol\r
            zz\r
            """
                .formatted(TestService.ACT));
    assertTrue(answer.startsWith("HTTP/1.1 400 "), answer);
  }

  @Test
  void anotherMethodIsToldWhichThereAre() {
    TestService.Answer answer = service.get(TestService.SOLVE);
    answer.refused(405);
    assertEquals(List.of("POST"), answer.headers().get("allow"));
  }

  /** A goal is the same with either zero. */
  @Test
  void minusZeroIsZero() {
    assertEquals(
        service.solve("{\"goal\": %s}".formatted(numbers("0.0", 24))),
        service.solve("{\"goal\": %s}".formatted(numbers("-0.0", 24))));
  }

  @ParameterizedTest
  @ValueSource(strings = {"{} {}", "NEST", "{\"goal\": [NUMBER]}"})
  void theParsersOwnNamesAreNotTold(String body) {
    String text = body.replace("NEST", "[".repeat(50_000)).replace("NUMBER", "1".repeat(90_000));
    String error = service.post(TestService.SOLVE, text).refused(400);
    assertTrue(error.contains("not valid JSON"), error);
    assertTrue(
        !error.contains("StreamRead") && !error.contains("jackson") && !error.contains("FAIL_ON"),
        error);
  }

  @Test
  void compressedBodiesAreRefused() {
    String error = service.post(TestService.SOLVE, "{}", "Content-Encoding", "gzip").refused(415);
    assertTrue(error.contains("without the Content-Encoding 'gzip'"), error);
  }

  /** Jetty takes the chunks apart and leaves them as compressed as they were. */
  @Test
  void codedTransfersAreRefused() throws IOException {
    String answer =
        service.raw(
            """
            POST %s HTTP/1.1\r
            Host: localhost\r
            Connection: close\r
            Transfer-Encoding: gzip, chunked\r
            \r
            2\r
            {}\r
            0\r
            \r
            """
                .formatted(TestService.SOLVE));
    assertTrue(answer.startsWith("HTTP/1.1 400 "), answer);
    assertTrue(answer.contains("without the Transfer-Encoding 'gzip, chunked'"), answer);
  }

  @Test
  void deepJsonIsRefused() {
    String error = service.post(TestService.SOLVE, "[".repeat(50_000)).refused(400);
    assertTrue(error.contains("not valid JSON"), error);
    error = service.post(TestService.SOLVE, "{\"goal\":".repeat(10_000)).refused(400);
    assertTrue(error.contains("not valid JSON"), error);
  }

  @Test
  void longNumbersAndNamesAreRefused() {
    String error =
        service
            .post(TestService.SOLVE, "{\"goal\": [%s]}".formatted("1".repeat(90_000)))
            .refused(400);
    assertTrue(error.contains("not valid JSON"), error);
    error =
        service.post(TestService.SOLVE, "{\"%s\": 1}".formatted("k".repeat(40_000))).refused(400);
    assertTrue(error.length() < 5_000, error);
  }

  /** Whoever sends a lot is not sent it back. */
  @Test
  void errorsAreShortHoweverLongWhatTheyTellOf() {
    String name = "p".repeat(90_000);
    for (String body :
        List.of(
            "{\"policy\": \"%s\", \"observation\": []}".formatted(name),
            "{\"policy\": \"%s\", \"observation\": []}".formatted("\uD83D\uDE00".repeat(9_000)))) {
      String error = service.post(TestService.ACT, body).refused(404);
      assertTrue(error.length() < 2_100, error);
      assertTrue(error.startsWith("model 'walker-psm' has no policy '"), error);
      assertTrue(error.endsWith("'; solve gives one"), error);
    }
    String error =
        service
            .post(TestService.SOLVE, "{\"task\": \"run\", \"method\": \"%s\"}".formatted(name))
            .refused(400);
    assertTrue(error.length() < 2_100, error);
  }

  @Test
  void textThatIsNoUtf8IsRefused() {
    byte[] body = {'{', '"', (byte) 0xff, '"', '}'};
    String error = service.post(TestService.SOLVE, body).refused(400);
    assertEquals("the body is not UTF-8 text, which JSON must be", error);
  }

  /** A line break in a name could pass for a line of psm's own. */
  @Test
  void controlCharactersStayInTheirLine() {
    String error = service.post(TestService.SOLVE, "{\"a\\nb\": 1}").refused(400);
    assertTrue(error.contains("unknown key 'a\\nb'"), error);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/v1/models/nobody",
        "/v1/models/..%2f..%2fetc%2fpasswd",
        "/v1/models/%2e%2e",
        "/v1/models/walker-psm%00",
        "/v1/models/walker-psm%2fact",
        "/v1/models//",
        "/v1/models/walker-psm/../../../etc/passwd",
        "/v1/models/walker-psm;x=1",
        "/v1/models/%c0%ae%c0%ae",
        "/v1/models/a/../a/../a/../x",
        "/v2/models/..\\..\\x",
        "/..%252f",
      })
  void noNameLeadsOutOfTheModels(String path) throws IOException {
    String answer =
        service.raw(
            "GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".formatted(path));
    assertTrue(answer.matches("(?s)HTTP/1.1 40[04] .*"), answer);
    assertTrue(answer.toLowerCase(Locale.ROOT).contains("content-type: application/json"), answer);
    assertTrue(answer.contains("{\"error\":"), answer);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "NONSENSE\r\n\r\n",
        "GET / HTTP/9.9\r\n\r\n",
        "GET / HTTP/1.1\r\n\r\n",
        "POST /v1/models/walker-psm/act HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
        "POST /v1/models/walker-psm/act HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        "POST /v1/models/walker-psm/act HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "GET /health/live HTTP/1.1\r\nHost: localhost\r\nA B: 1\r\n\r\n",
      })
  void whatIsNoHttpIsRefused(String request) throws IOException {
    String answer = service.raw(request);
    assertTrue(answer.matches("(?s)HTTP/1.1 (4\\d\\d|505) .*"), answer);
    assertTrue(!answer.contains("Exception") && !answer.contains("Jetty"), answer);
  }

  @Test
  void hugeHeadersAreRefused() throws IOException {
    String answer =
        service.raw(
            "GET / HTTP/1.1\r\nHost: localhost\r\nX: %s\r\n\r\n".formatted("x".repeat(20_000)));
    assertTrue(answer.startsWith("HTTP/1.1 431 "), answer);
  }

  @Test
  void unknownRoutesAndMethodsAreTold() {
    assertEquals("Endpoint GET /nowhere not found", service.get("/nowhere").refused(404));
    service.get(TestService.ACT).refused(405);
    service.send(service.request("/v1/models").DELETE()).refused(405);
    service.get("/v1/models/walker-psm/policies/x").refused(404);
    service.get("/v1/models/other/policies/x").refused(404);
  }
}
