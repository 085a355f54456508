package dev.psm.studio.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.UserError;
import dev.psm.studio.web.TokenFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may ask. */
final class AccessTest {
  private static final String TOKEN = "0123456789abcdefghij";

  private static TestService open;
  private static TestService guarded;

  @TempDir private Path folder;

  @BeforeAll
  static void start() {
    open = TestService.of(TestService.WALKER);
    guarded =
        TestService.with(
            usual ->
                new InferenceService.Settings(
                    "0.0.0.0",
                    0,
                    Optional.of(TOKEN),
                    1,
                    usual.patience(),
                    usual.limits(),
                    Optional.empty()),
            TestService.WALKER);
  }

  @AfterAll
  static void stop() {
    open.close();
    guarded.close();
  }

  /** A page elsewhere may have its own name point to this machine. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "evil.example",
        "evil.example:80",
        "localhost.evil.example",
        "127.0.0.1.nip.io",
        ""
      })
  void otherNamesAreRefused(String host) throws IOException {
    String answer =
        open.raw(
            "GET /v1/models HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n".formatted(host));
    assertTrue(answer.matches("(?s)HTTP/1.1 (421|400) .*\"error\".*"), answer);
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost", "LocalHost:80", "localhost:1234", "127.0.0.1", "[::1]:80"})
  void ownNamesAreAnswered(String host) throws IOException {
    String answer =
        open.raw(
            "GET /v1/models HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n".formatted(host));
    assertTrue(answer.startsWith("HTTP/1.1 200 "), answer);
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://evil.example", "null", "http://127.0.0.1:1", "file://", "x y"})
  void pagesElsewhereMayNotAsk(String origin) {
    open.post(TestService.SOLVE, "{\"task\": \"run\"}", "Origin", origin).refused(403);
    open.get("/health/live", "Origin", origin).refused(403);
  }

  @Test
  void nobodyIsAnsweredWithoutTheToken() {
    for (String path : List.of("/v1/models", "/metrics", "/openapi.json", "/v2")) {
      guarded.get(path).refused(401);
      guarded.get(path, "Authorization", "Bearer " + TOKEN).ok();
      guarded.get(path, "Authorization", "bearer " + TOKEN).ok();
    }
    guarded.post(TestService.SOLVE, "{\"task\": \"run\"}").refused(401);
    TestService.Answer refused = guarded.get("/v1/models");
    assertEquals(List.of("Bearer"), refused.headers().get("www-authenticate"));
    assertTrue(!refused.text().contains(TOKEN));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Bearer 0123456789abcdefghi",
        "Bearer 0123456789abcdefghijk",
        "Bearer 0123456789ABCDEFGHIJ",
        "Bearer ",
        "Bearer",
        "Basic 0123456789abcdefghij",
        "0123456789abcdefghij",
        "Bearer 0123456789abcdefghij 0123456789abcdefghij",
      })
  void aGuessIsNoToken(String authorization) {
    guarded.get("/v1/models", "Authorization", authorization).refused(401);
  }

  /** A server may remember the headers of a connection's earlier requests. */
  @Test
  void theTokenOfAnEarlierRequestDoesNotCount() throws IOException {
    String answers =
        guarded.raw(
            asking("Bearer " + TOKEN, "keep-alive")
                + asking("Bearer " + TOKEN.toUpperCase(Locale.ROOT), "keep-alive")
                + asking("Bearer " + TOKEN, "close"));
    assertEquals(
        List.of("200", "401", "200"),
        Pattern.compile("HTTP/1.1 (\\d+) ")
            .matcher(answers)
            .results()
            .map(each -> each.group(1))
            .toList(),
        answers);
  }

  private static String asking(String authorization, String connection) {
    return "GET /v2 HTTP/1.1\r\nHost: localhost\r\nAuthorization: %s\r\nConnection: %s\r\n\r\n"
        .formatted(authorization, connection);
  }

  @Test
  void probesNeedNoToken() {
    guarded.get("/health/live").ok();
    guarded.get("/health/ready").ok();
    guarded.get("/v2/health/live").ok();
    guarded.get("/v2/health/ready").ok();
    guarded.get("/v2/models/walker-psm/ready").refused(401);
  }

  @Test
  void aSocketNeedsTheTokenToo() throws IOException {
    String answer =
        guarded.raw(
            """
            GET /v1/models/walker-psm/act HTTP/1.1\r
            Host: localhost\r
            Connection: Upgrade\r
            Upgrade: websocket\r
            Sec-WebSocket-Version: 13\r
            Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
            \r
            GET /health/live HTTP/1.1\r
            Host: localhost\r
            Connection: close\r
            \r
            """);
    assertTrue(answer.startsWith("HTTP/1.1 401 "), answer);
    assertTrue(answer.contains("{\"error\":\"give the token"), answer);
  }

  @Test
  void beyondThisMachineATokenIsNeeded() {
    UserError refused =
        assertThrows(
            UserError.class,
            () ->
                TestService.with(
                    usual ->
                        new InferenceService.Settings(
                            "0.0.0.0",
                            0,
                            Optional.empty(),
                            1,
                            usual.patience(),
                            usual.limits(),
                            Optional.empty()),
                    TestService.WALKER));
    assertTrue(refused.getMessage().contains("a token is needed"), refused.getMessage());
  }

  @Test
  void aTokenIsReadFromAFileThatIsPrivate() throws IOException {
    Path file = folder.resolve("token");
    Files.writeString(file, "  " + TOKEN + " \n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    assertEquals(TOKEN, TokenFile.read(file));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    refusesToken(file, "others may read or write");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "short",
        "0123456789abcdefghij\nabc",
        "0123456789 abcdefghijk",
        "äääääääääääääääääääää"
      })
  void aTokenIsNotShortAndOfOneWord(String content) throws IOException {
    Path file = folder.resolve("token");
    Files.writeString(file, content);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    refusesToken(file, "must hold one token of at least 20");
  }

  private static void refusesToken(Path file, String said) {
    String message = assertThrows(UserError.class, () -> TokenFile.read(file)).getMessage();
    assertTrue(message.contains(said), message);
    assertTrue(!message.contains(TOKEN), message);
  }
}
