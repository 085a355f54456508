package dev.psm.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.Seeds;
import dev.psm.core.UserError;
import dev.psm.core.Wording;
import dev.psm.core.io.Json;
import dev.psm.lab.Machine;
import dev.psm.lab.Progress;
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
import java.nio.file.Path;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;

/** How fast a service answers, what it takes at most, and what it does with more. */
public final class ServeBench {
  private static final int BODIES = 64;
  private static final int BATCH = 64;
  private static final int CONNECTIONS = 32;
  private static final double OVERLOAD = 5;
  private static final double PROMPTS_PER_SECOND = 10;
  private static final int WAITING = 500;

  private final Settings settings;
  private final URI model;
  private final JsonNode about;
  private final String policy;
  private final OpenLoop loop = new OpenLoop();
  private final RandomGenerator random = Seeds.generator(0);
  private final ObjectNode document = Json.object();
  private final StringBuilder text = new StringBuilder();

  /**
   * @param rate requests a second at which latencies are measured
   * @param seconds that each measurement takes
   */
  public record Settings(Path model, double rate, double seconds) {}

  /** What was measured: a document, and the same for people. */
  public record Result(ObjectNode json, String text) {}

  private ServeBench(Settings settings, URI address) {
    this.settings = settings;
    JsonNode models = get(address.resolve("/v1/models"));
    String id = models.get("models").get(0).get("id").textValue();
    this.model = address.resolve("/v1/models/" + id + "/");
    this.about = get(address.resolve("/v1/models/" + id));
    this.policy = solve(formula(0)).get("policy").textValue();
  }

  public static Result run(Settings settings, Progress progress) {
    try (ServiceProcess service = ServiceProcess.start(settings.model)) {
      ServeBench bench = new ServeBench(settings, service.address());
      bench.measure(progress);
      return new Result(bench.document, bench.text.toString().stripTrailing());
    }
  }

  private void measure(Progress progress) {
    document.put("machine", Machine.cpu()).put("rate", settings.rate);
    try (Progress.Bar bar = progress.start("serve", 7)) {
      bar.update(0, "warming up");
      loop.run(settings.rate, Math.max(2, settings.seconds / 2), WAITING, acting(1));
      bar.update(1, "act");
      latencies("act", settings.rate, acting(1));
      bar.update(2, "batches");
      latencies("actBatch" + BATCH, settings.rate / 10, acting(BATCH));
      bar.update(3, "infer");
      latencies("inferJson", settings.rate, inferring(false));
      latencies("inferBinary", settings.rate, inferring(true));
      bar.update(4, "solve");
      latencies("solve", PROMPTS_PER_SECOND, i -> post("solve", formula(i + 1)));
      bar.update(5, "saturation");
      double capacity = saturation();
      bar.update(6, "overload");
      overload(capacity);
    }
  }

  private void latencies(String name, double rate, IntFunction<HttpRequest> requests) {
    OpenLoop.Result result = loop.run(rate, settings.seconds, WAITING, requests);
    told(document.putObject(name).put("perSecond", rate), result);
    text.append(
        Wording.format(
            "%-12s at %.0f/s: p50 %.2f, p90 %.2f, p99 %.2f, most %.2f ms%s%n",
            name,
            rate,
            result.percentile(50),
            result.percentile(90),
            result.percentile(99),
            result.percentile(100),
            others(result)));
  }

  private static void told(ObjectNode node, OpenLoop.Result result) {
    node.put("p50Milliseconds", result.percentile(50));
    node.put("p90Milliseconds", result.percentile(90));
    node.put("p99Milliseconds", result.percentile(99));
    node.put("mostMilliseconds", result.percentile(100));
    counted(node, result);
  }

  private static void counted(ObjectNode node, OpenLoop.Result result) {
    ObjectNode statuses = node.putObject("statuses");
    result.statuses().forEach((status, count) -> statuses.put(status.toString(), count));
  }

  private static String others(OpenLoop.Result result) {
    return result.statuses().keySet().stream().allMatch(status -> status == 200)
        ? ""
        : "; answers " + result.statuses();
  }

  /** By wrk where it is there, else by as many as fit of this client's own. */
  private double saturation() {
    boolean outside = Wrk.isThere();
    double perSecond;
    if (outside) {
      try (TemporaryFolder folder =
          TemporaryFolder.in(Path.of(System.getProperty("java.io.tmpdir")))) {
        perSecond =
            Wrk.run(model.resolve("act"), body(1), CONNECTIONS, settings.seconds, folder.path())
                .perSecond();
      }
    } else {
      OpenLoop.Result result = loop.run(100_000, settings.seconds / 10, CONNECTIONS, acting(1));
      perSecond = result.count(200) / result.seconds();
    }
    document
        .putObject("saturation")
        .put("client", outside ? "wrk" : "psm")
        .put("connections", CONNECTIONS)
        .put("perSecond", perSecond);
    text.append(
        Wording.format(
            "saturation: %.0f act/s over %d connections, by %s on the same cores%n",
            perSecond, CONNECTIONS, outside ? "wrk" : "psm's own client"));
    return perSecond;
  }

  /** Five times what it takes, and then the usual rate again. */
  private void overload(double capacity) {
    OpenLoop.Result much = loop.run(OVERLOAD * capacity, settings.seconds, WAITING, acting(1));
    long end = System.nanoTime();
    OpenLoop.Result soon = loop.run(settings.rate, 1, WAITING, acting(1));
    double seconds = (System.nanoTime() - end) / 1e9;
    while (soon.percentile(99) > 20 && seconds < 30) {
      soon = loop.run(settings.rate, 1, WAITING, acting(1));
      seconds = (System.nanoTime() - end) / 1e9;
    }
    ObjectNode node = document.putObject("overload");
    // How long it took is left out: requests that the client itself sent late would count.
    node.put("askedPerSecond", OVERLOAD * capacity);
    node.put("sentPerSecond", total(much) / much.seconds());
    counted(node, much);
    told(node.putObject("afterwards").put("recoveredAfterSeconds", seconds), soon);
    text.append(
        Wording.format(
            "overload: %.0f/s asked, %.0f/s sent, answers %s; %.1f s later p99 %.2f ms at %.0f/s, answers %s%n",
            OVERLOAD * capacity,
            total(much) / much.seconds(),
            much.statuses(),
            seconds,
            soon.percentile(99),
            settings.rate,
            soon.statuses()));
  }

  private static double total(OpenLoop.Result result) {
    return result.statuses().values().stream().mapToInt(Integer::intValue).sum();
  }

  private IntFunction<HttpRequest> acting(int rows) {
    String[] bodies = new String[rows == 1 ? BODIES : 4];
    for (int i = 0; i < bodies.length; i++) {
      bodies[i] = body(rows);
    }
    return i -> post("act", bodies[i % bodies.length]);
  }

  private String body(int rows) {
    ObjectNode body = Json.object().put("policy", policy);
    if (rows == 1) {
      observation(body.putArray("observation"));
    } else {
      ArrayNode list = body.putArray("observations");
      for (int row = 0; row < rows; row++) {
        observation(list.addArray());
      }
    }
    return Json.line(body);
  }

  private void observation(ArrayNode numbers) {
    for (int i = 0; i < width(); i++) {
      numbers.add((float) random.nextGaussian());
    }
  }

  private int width() {
    return about.get("observation").get("size").intValue();
  }

  private IntFunction<HttpRequest> inferring(boolean binary) {
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

  private JsonNode solve(String prompt) {
    return send(post("solve", prompt));
  }

  private HttpRequest post(String route, String body) {
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
