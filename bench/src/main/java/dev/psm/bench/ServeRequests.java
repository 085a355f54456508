package dev.psm.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.Seeds;
import dev.psm.core.UserError;
import dev.psm.core.io.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;

/** What a service's first model is asked, with random observations. */
final class ServeRequests {
  private static final int BODIES = 64;

  private final URI model;
  private final JsonNode about;
  private final String policy;
  private final RandomGenerator random = Seeds.generator(0);

  ServeRequests(URI address) {
    String id = get(address.resolve("/v1/models")).get("models").get(0).get("id").textValue();
    this.model = address.resolve("/v1/models/" + id + "/");
    this.about = get(address.resolve("/v1/models/" + id));
    this.policy = send(solving(0)).get("policy").textValue();
  }

  /** The route under the model. */
  URI route(String name) {
    return model.resolve(name);
  }

  String policy() {
    return policy;
  }

  /** A prompt that nobody asked for before. */
  HttpRequest solving(int number) {
    return post("solve", formula(number));
  }

  IntFunction<HttpRequest> acting(int rows) {
    String[] bodies = new String[rows == 1 ? BODIES : 4];
    for (int i = 0; i < bodies.length; i++) {
      bodies[i] = body(rows);
    }
    return i -> post("act", bodies[i % bodies.length]);
  }

  String body(int rows) {
    if (rows == 1) {
      return Json.line(observed().put("policy", policy));
    }
    ObjectNode body = Json.object().put("policy", policy);
    ArrayNode list = body.putArray("observations");
    for (int row = 0; row < rows; row++) {
      observation(list.addArray());
    }
    return Json.line(body);
  }

  /** One observation, for whom the policy is told already. */
  ObjectNode observed() {
    ObjectNode body = Json.object();
    observation(body.putArray("observation"));
    return body;
  }

  private void observation(ArrayNode numbers) {
    for (int i = 0; i < width(); i++) {
      numbers.add((float) random.nextGaussian());
    }
  }

  int width() {
    return about.get("observation").get("size").intValue();
  }

  IntFunction<HttpRequest> inferring(boolean binary) {
    ObjectNode request = Json.object();
    request.putObject("parameters").put("policy", policy).put("binary_data_output", binary);
    ObjectNode input = request.putArray("inputs").addObject().put("name", "observation");
    input.put("datatype", "FP32").putArray("shape").add(1).add(width());
    ByteBuffer numbers =
        ByteBuffer.allocate(binary ? width() * Float.BYTES : 0).order(ByteOrder.LITTLE_ENDIAN);
    if (binary) {
      input.putObject("parameters").put("binary_data_size", numbers.capacity());
      while (numbers.hasRemaining()) {
        numbers.putFloat((float) random.nextGaussian());
      }
    } else {
      observation(input.putArray("data"));
    }
    byte[] head = Json.line(request).getBytes(StandardCharsets.UTF_8);
    byte[] whole =
        ByteBuffer.allocate(head.length + numbers.capacity())
            .put(head)
            .put(numbers.array())
            .array();
    URI address = model.resolve("/v2/models/" + about.get("id").textValue() + "/infer");
    HttpRequest.Builder post =
        HttpRequest.newBuilder(address).POST(BodyPublishers.ofByteArray(whole));
    if (binary) {
      post.header("Inference-Header-Content-Length", Integer.toString(head.length));
    }
    HttpRequest same = post.build();
    return i -> same;
  }

  /** A reward that nobody asked for before: the world's first quantities, mixed anew. */
  private String formula(int number) {
    JsonNode quantities = about.get("quantities");
    String name = quantities.get(number % quantities.size()).get("name").textValue();
    return Json.line(
        Json.object().put("formula", "tanh(%s - %.3f) * 0.5".formatted(name, number / 1e3)));
  }

  HttpRequest post(String route, String body) {
    return HttpRequest.newBuilder(model.resolve(route)).POST(BodyPublishers.ofString(body)).build();
  }

  private static JsonNode get(URI address) {
    return send(HttpRequest.newBuilder(address).build());
  }

  private static JsonNode send(HttpRequest request) {
    try {
      HttpResponse<String> answer =
          HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
      if (answer.statusCode() != 200) {
        throw UserError.failed(
            null, "%s answered %d: %s", request.uri(), answer.statusCode(), answer.body());
      }
      return Json.parse(answer.body(), request.uri().toString());
    } catch (IOException e) {
      throw UserError.failed(e, "%s does not answer: %s", request.uri(), e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw UserError.failed(e, "interrupted while the service was measured");
    }
  }
}
