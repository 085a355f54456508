package dev.psm.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import dev.psm.core.io.Json;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** A headless Chromium, spoken to by its DevTools protocol, so that a benchmark needs no driver. */
final class Chromium implements AutoCloseable {
  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");
  private static final long START_SECONDS = 30;
  private static final long ANSWER_SECONDS = 120;
  private static final long STOP_SECONDS = 10;

  private final Process process;
  private final WebSocket socket;
  private final Map<Integer, CompletableFuture<JsonNode>> waiting = new ConcurrentHashMap<>();
  private int numbers;

  /**
   * Starts one with a page of a size.
   *
   * @param profile an empty folder
   */
  Chromium(Path profile, int width, int height) {
    List<String> command = new ArrayList<>();
    command.add(program());
    command.addAll(
        List.of(
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--enable-unsafe-swiftshader",
            "--remote-debugging-port=0",
            "--user-data-dir=" + profile,
            "--window-size=%d,%d".formatted(width, height),
            "about:blank"));
    try {
      process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      socket = connect(profile);
    } catch (IOException e) {
      throw UserError.failed(e, "cannot start Chromium: %s", e.getMessage());
    }
  }

  private static String program() {
    String path = System.getenv().getOrDefault("PATH", "") + File.pathSeparator + "/usr/bin";
    return NAMES.stream()
        .flatMap(
            name -> Arrays.stream(path.split(File.pathSeparator)).map(each -> new File(each, name)))
        .filter(File::canExecute)
        .map(File::getPath)
        .findFirst()
        .orElseThrow(
            () ->
                UserError.invalid(
                    "Chromium is not here, and the page is measured in it; install it (Debian:"
                        + " apt-get install chromium)"));
  }

  /** Chromium writes the port that it chose into its profile. */
  private WebSocket connect(Path profile) throws IOException {
    Path file = profile.resolve("DevToolsActivePort");
    HttpClient client = HttpClient.newHttpClient();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (System.nanoTime() < end && process.isAlive()) {
      try {
        if (Files.exists(file) && !Files.readString(file).isBlank()) {
          String port = Files.readAllLines(file).get(0).strip();
          URI list = URI.create("http://127.0.0.1:" + port + "/json/list");
          String pages =
              client.send(HttpRequest.newBuilder(list).build(), BodyHandlers.ofString()).body();
          for (JsonNode page : Json.parse(pages, "Chromium's pages")) {
            if (page.path("type").asText().equals("page")) {
              URI address = URI.create(page.get("webSocketDebuggerUrl").asText());
              return client.newWebSocketBuilder().buildAsync(address, new Listener()).join();
            }
          }
        }
        Thread.sleep(50);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        break;
      }
    }
    process.destroy();
    throw new IOException("it did not open a page within %d s".formatted(START_SECONDS));
  }

  /** Puts the parts of messages together. */
  private final class Listener implements WebSocket.Listener {
    private final StringBuilder parts = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
      parts.append(data);
      if (last) {
        JsonNode message = Json.parse(parts.toString(), "Chromium's message");
        parts.setLength(0);
        CompletableFuture<JsonNode> asked = waiting.remove(message.path("id").asInt());
        if (asked != null) {
          asked.complete(message);
        }
      }
      from.request(1);
      return null;
    }
  }

  /** One command of the protocol, answered. */
  JsonNode send(String method, ObjectNode parameters) {
    int number = ++numbers;
    ObjectNode message = Json.object().put("id", number).put("method", method);
    message.set("params", parameters);
    CompletableFuture<JsonNode> answer = new CompletableFuture<>();
    waiting.put(number, answer);
    try {
      socket.sendText(Json.line(message), true).join();
      JsonNode found = answer.orTimeout(ANSWER_SECONDS, TimeUnit.SECONDS).join();
      if (found.has("error")) {
        throw UserError.invalid(
            "Chromium refuses %s: %s", method, found.get("error").path("message").asText());
      }
      return found.path("result");
    } catch (CompletionException e) {
      throw UserError.failed(e, "Chromium does not answer %s: %s", method, e.getCause());
    }
  }

  /** What an expression becomes, waited for where it is a promise. */
  JsonNode evaluate(String expression) {
    JsonNode found =
        send(
            "Runtime.evaluate",
            Json.object()
                .put("expression", expression)
                .put("awaitPromise", true)
                .put("returnByValue", true));
    if (found.has("exceptionDetails")) {
      throw UserError.invalid(
          "the page failed: %s",
          found.at("/exceptionDetails/exception/description").asText("unknown"));
    }
    return found.at("/result/value");
  }

  void open(String address) {
    send("Page.navigate", Json.object().put("url", address));
  }

  /** Waits until an expression is true. */
  void await(String expression) {
    evaluate(
        "new Promise((done, fail) => { const end = Date.now() + 100000;"
            + " const look = () => (%s) ? done(true) : Date.now() > end".formatted(expression)
            + " ? fail(new Error('waited in vain for ' + %s)) : setTimeout(look, 20); look(); })"
                .formatted(Json.line(Json.object().textNode(expression))));
  }

  /** A press and a release of the mouse, as a person's. */
  void click(double x, double y) {
    for (String type : List.of("mousePressed", "mouseReleased")) {
      send(
          "Input.dispatchMouseEvent",
          Json.object()
              .put("type", type)
              .put("x", x)
              .put("y", y)
              .put("button", "left")
              .put("clickCount", 1));
    }
  }

  void type(String text) {
    send("Input.insertText", Json.object().put("text", text));
  }

  void enter() {
    for (String type : List.of("keyDown", "keyUp")) {
      send(
          "Input.dispatchKeyEvent",
          Json.object()
              .put("type", type)
              .put("key", "Enter")
              .put("code", "Enter")
              .put("windowsVirtualKeyCode", 13));
    }
  }

  @Override
  public void close() {
    socket.abort();
    process.destroy();
    try {
      if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      process.destroyForcibly();
    }
  }
}
