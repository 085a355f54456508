package dev.psm.studio.page;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.studio.ModelShelf;
import dev.psm.studio.web.WebServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages elsewhere neither make the studio work nor read what it says, whatever they call it. */
final class StudioAccessTest {
  private static final String SOCKET =
      """
      Connection: Upgrade\r
      Upgrade: websocket\r
      Sec-WebSocket-Version: 13\r
      Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
      """;
  private static final String CLOSED = "Connection: close\r\n";
  private static final Pattern LENGTH = Pattern.compile("(?i)content-length: (\\d+)");

  private static Studio studio;
  private static int port;

  @BeforeAll
  static void start(@TempDir Path runs) {
    studio = new Studio(new ModelShelf(), WebServer.Settings.loopback(0), List.of(runs), runs);
    port = URI.create(studio.address()).getPort();
  }

  @AfterAll
  static void stop() {
    studio.close();
  }

  /** Whole; no HTTP session begins, which the server would keep for good. */
  private static String answer(String line, String host, String headers) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      String request = "%s HTTP/1.1\r\nHost: %s\r\n%s\r\n".formatted(line, host, headers);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      InputStream in = socket.getInputStream();
      ByteArrayOutputStream head = new ByteArrayOutputStream();
      while (!head.toString(StandardCharsets.UTF_8).endsWith("\r\n\r\n")) {
        int next = in.read();
        assertTrue(next >= 0, () -> "closed after " + head);
        head.write(next);
      }
      String answer = head.toString(StandardCharsets.UTF_8);
      assertFalse(answer.contains("Set-Cookie"), answer);
      Matcher length = LENGTH.matcher(answer);
      return length.find()
          ? answer
              + new String(in.readNBytes(Integer.parseInt(length.group(1))), StandardCharsets.UTF_8)
          : answer;
    }
  }

  private static void refused(String status, String answer) {
    assertTrue(answer.startsWith("HTTP/1.1 " + status + " "), answer);
    assertTrue(answer.contains("{\"error\":"), answer);
  }

  private static void taken(String status, String answer) {
    assertTrue(answer.startsWith("HTTP/1.1 " + status + " "), answer);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/api/grids/pretrain",
        "/api/grids/solve",
        "/api/grids/stop",
        "/api/toy",
        "/api/runs/about",
        "/api/runs/curves",
        "/api/bodies/walker/formula",
        "/api/bodies/walker/demonstrations"
      })
  void postsOfPagesElsewhereAreRefused(String path) throws IOException {
    String own = "localhost:" + port;
    String body = "Content-Length: 2\r\nContent-Type: text/plain\r\n" + CLOSED;
    for (String origin : List.of("https://evil.example", "null", "http://localhost:1")) {
      refused("403", post(path, own, "Origin: " + origin + "\r\n" + body));
    }
    refused("421", post(path, "evil.example", "Origin: http://evil.example\r\n" + body));
    String asked = post(path, own, "Origin: http://%s\r\n%s".formatted(own, body));
    assertTrue(asked.matches("(?s)HTTP/1.1 (400|404) .*"), asked);
  }

  private static String post(String path, String host, String headers) throws IOException {
    return answer("POST " + path, host, headers + "\r\n{}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/page/app.js", "/api/models", "/api/grids", "/api/runs"})
  void otherNamesOfThisMachineAreRefused(String path) throws IOException {
    refused("421", answer("GET " + path, "evil.example:" + port, CLOSED));
    taken("200", answer("GET " + path, "127.0.0.1:" + port, CLOSED));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/api/grids/jobs", "/api/bodies/walker/session"})
  void socketsOfPagesElsewhereAreRefused(String path) throws IOException {
    String own = "127.0.0.1:" + port;
    refused("403", answer("GET " + path, own, "Origin: http://evil.example\r\n" + SOCKET));
    refused("421", answer("GET " + path, "evil.example", SOCKET));
    taken("101", answer("GET " + path, own, "Origin: http://" + own + "\r\n" + SOCKET));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/page/../page/index.html",
        "/page/index.html",
        "/page/Studio.class",
        "/page/..%2fservice%2fopenapi.json",
        "/page/%2e%2e%2fservice%2fopenapi.json",
        "/page/..%5cservice%5copenapi.json",
        "/page/%00app.js",
        "/page/app.js%00",
        "/lib/three/..%2f..%2fapp.js",
        "/lib/../page/app.css",
        "/lib/three/pom.properties",
        "//etc/passwd",
        "/page/file:/etc/passwd"
      })
  void onlyFilesOfThePageAreGiven(String path) throws IOException {
    String answer = answer("GET " + path, "localhost", CLOSED);
    assertTrue(answer.matches("(?s)HTTP/1.1 40[04] .*\\{\"error\":.*"), answer);
  }
}
