package dev.psm.studio.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.agents.Agent;
import dev.psm.agents.Agents;
import dev.psm.agents.Trainer;
import dev.psm.agents.TrainingData;
import dev.psm.core.env.FiniteWorld;
import dev.psm.core.env.Worlds;
import dev.psm.core.io.Json;
import dev.psm.torch.ComputeThreads;
import dev.psm.torch.Device;
import dev.psm.zeroshot.InferenceSample;
import dev.psm.zeroshot.ZeroShotAgent;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** A service with real models, and somebody who asks it. */
final class TestService implements AutoCloseable {
  static final Path WALKER = Path.of("../models/walker-psm");
  static final Path FETCH = Path.of("../models/fetchreach-psm");
  static final String WALKER_ID = "walker-psm";
  static final String ACT = "/v1/models/walker-psm/act";
  static final String SOLVE = "/v1/models/walker-psm/solve";
  static final String INFER = "/v2/models/walker-psm/infer";

  /** Ends a test that hangs; nothing is expected to take so long. */
  static final int FOREVER_MILLIS = 120_000;

  /** The service computes on one thread, and what a test compares with is to have the same bits. */
  private final ComputeThreads one = new ComputeThreads(1);

  private final InferenceService service;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  TestService(InferenceService service) {
    this.service = service;
  }

  static TestService of(Path... models) {
    return with(settings -> settings, models);
  }

  static TestService with(UnaryOperator<InferenceService.Settings> change, Path... models) {
    TestService made = unready(change, models);
    made.service.load();
    return made;
  }

  static TestService unready(UnaryOperator<InferenceService.Settings> change, Path... models) {
    return new TestService(
        new InferenceService(List.of(models), change.apply(InferenceService.Settings.loopback(0))));
  }

  /** The limits with some of them changed. */
  static UnaryOperator<InferenceService.Settings> limits(UnaryOperator<ServiceLimits> change) {
    return settings -> settings.with(change.apply(settings.limits()));
  }

  /** A grid's agent that has learned next to nothing. */
  static Path grid(Path folder) {
    FiniteWorld world = (FiniteWorld) Worlds.named("gridworld");
    Agent agent = Agents.named("psm", world);
    try (Trainer trainer =
        agent.trainer(
            agent.settings(agent.defaultPreset(world), world, 2, List.of()),
            new TrainingData.Complete(world),
            List.of(0L),
            Device.CPU)) {
      trainer.step();
      new ZeroShotAgent("psm", trainer.model(0), world, InferenceSample.everyState(world))
          .save(folder, Json.object());
    }
    return folder;
  }

  InferenceService service() {
    return service;
  }

  URI uri(String path) {
    return URI.create(service.address() + path);
  }

  /** An answer; every error must be one sentence in a JSON document. */
  record Answer(int status, byte[] bytes, Map<String, List<String>> headers) {
    String text() {
      return new String(bytes, StandardCharsets.UTF_8);
    }

    JsonNode json() {
      return Json.parse(text(), "answer");
    }

    String error() {
      assertEquals(List.of("application/json"), headers.get("content-type"), text());
      JsonNode document = json();
      assertEquals(1, document.size(), text());
      String error = document.get("error").textValue();
      assertFalse(error.contains("Exception") || error.contains("dev.psm"), error);
      return error;
    }

    Answer ok() {
      assertEquals(200, status, text());
      return this;
    }

    String refused(int expected) {
      assertEquals(expected, status, text());
      return error();
    }
  }

  Answer get(String path, String... headers) {
    return send(request(path, headers).GET());
  }

  Answer post(String path, String body, String... headers) {
    return send(request(path, headers).POST(BodyPublishers.ofString(body)));
  }

  Answer post(String path, byte[] body, String... headers) {
    return send(request(path, headers).POST(BodyPublishers.ofByteArray(body)));
  }

  HttpRequest.Builder request(String path, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri(path)).timeout(Duration.ofMillis(FOREVER_MILLIS));
    return headers.length == 0 ? request : request.headers(headers);
  }

  Answer send(HttpRequest.Builder request) {
    try {
      HttpResponse<byte[]> response = client.send(request.build(), BodyHandlers.ofByteArray());
      return new Answer(response.statusCode(), response.body(), response.headers().map());
    } catch (IOException e) {
      throw new AssertionError("no answer: " + e, e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  HttpClient client() {
    return client;
  }

  /** A connection to write what no client would. */
  Socket socket() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), service.port());
    socket.setSoTimeout(FOREVER_MILLIS);
    return socket;
  }

  /** Sends bytes as they are, and reads until the server closes. */
  String raw(String text) throws IOException {
    try (Socket socket = socket()) {
      socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
      socket.getOutputStream().flush();
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** The id of a prompt's policy. */
  String solve(String prompt) {
    return post(SOLVE, prompt).ok().json().get("policy").textValue();
  }

  static ObjectNode acting(String policy, float[] observation) {
    ObjectNode body = Json.object().put("policy", policy);
    body.set("observation", array(observation));
    return body;
  }

  static ArrayNode array(float... numbers) {
    ArrayNode array = Json.object().putArray("numbers");
    for (float number : numbers) {
      array.add(number);
    }
    return array;
  }

  static float[] floats(JsonNode array) {
    float[] numbers = new float[array.size()];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = (float) array.get(i).doubleValue();
    }
    return numbers;
  }

  /** A state of an agent's sample. */
  static float[] observation(ZeroShotAgent agent, int row) {
    int size = agent.environment().observationSize();
    return Arrays.copyOfRange(agent.sample().observations(), row * size, (row + 1) * size);
  }

  @Override
  public void close() {
    service.close();
    one.close();
  }
}
