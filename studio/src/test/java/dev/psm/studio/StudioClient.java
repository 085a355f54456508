package dev.psm.studio;

import com.fasterxml.jackson.databind.JsonNode;
import dev.psm.core.io.Json;
import dev.psm.studio.page.Studio;
import dev.psm.studio.web.WebServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;

/** A studio on a free port, and who asks it as the page does. */
public final class StudioClient implements AutoCloseable {
  private final Studio studio;
  private final HttpClient client = HttpClient.newHttpClient();

  /** What came back. */
  public record Answer(int status, JsonNode body) {
    public String error() {
      return body.path("error").asText();
    }
  }

  /** The shelf is closed with it; runs are looked for, and made, in a folder. */
  public StudioClient(ModelShelf shelf, Path runs) {
    studio = new Studio(shelf, WebServer.Settings.loopback(0), List.of(runs), runs);
  }

  public Answer get(String path) {
    return send(request(path).GET().build());
  }

  public Answer post(String path, String body) {
    return send(request(path).POST(BodyPublishers.ofString(body)).build());
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(studio.address() + path));
  }

  private Answer send(HttpRequest request) {
    try {
      HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
      return new Answer(response.statusCode(), Json.parse(response.body(), "answer"));
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    studio.close();
  }
}
