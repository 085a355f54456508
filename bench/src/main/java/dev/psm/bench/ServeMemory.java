package dev.psm.bench;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import dev.psm.core.Wording;
import dev.psm.core.io.Json;
import dev.psm.lab.Progress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.WebSocket;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;

/**
 * Whether a service keeps its size under mixed load: single observations and batches, binary
 * tensors, prompts that nobody asked for before, wrong requests, and a control loop beside them.
 */
final class ServeMemory {
  private static final double PER_SECOND = 80;
  private static final int BATCH = 16;
  private static final int WAITING = 100;
  private static final long CONTROL_MILLIS = 40;

  /** Between two looks at the memory, for which garbage has to be collected. */
  private static final double MAX_LOOK_SECONDS = 30;

  private static final int MIN_LOOKS = 8;

  /** A quarter of the time: code is compiled, and as many policies are kept as ever will be. */
  private static final int WARM_UP_SHARE = 4;

  private final ServiceProcess service;
  private final ServeRequests requests;
  private final OpenLoop loop = new OpenLoop();
  private final AtomicLong frames = new AtomicLong();
  private int prompts = 1_000_000;

  ServeMemory(ServiceProcess service, ServeRequests requests) {
    this.service = service;
    this.requests = requests;
  }

  /** Asks for so long; growth counts from a quarter of it on. */
  void run(double minutes, ObjectNode document, StringBuilder text, Progress progress) {
    double lookSeconds = Math.min(MAX_LOOK_SECONDS, minutes * 60 / MIN_LOOKS);
    int looks = (int) Math.round(minutes * 60 / lookSeconds);
    double[] resident = new double[looks];
    TreeMap<Integer, Integer> statuses = new TreeMap<>();
    WebSocket socket = controlLoop();
    try (Progress.Bar bar = progress.start("memory", looks)) {
      for (int look = 0; look < looks; look++) {
        OpenLoop.Result result = loop.run(PER_SECOND, lookSeconds, WAITING, mixed());
        result.statuses().forEach((status, count) -> statuses.merge(status, count, Integer::sum));
        resident[look] = service.residentBytes() / 1e6;
        bar.update(look + 1, Wording.format("%.0f MB", resident[look]));
      }
    } finally {
      socket.abort();
    }
    int warm = looks / WARM_UP_SHARE - 1;
    double growth = resident[looks - 1] - resident[warm];
    ObjectNode node =
        document
            .putObject("memory")
            .put("minutes", looks * lookSeconds / 60)
            .put("warmUpMinutes", (warm + 1) * lookSeconds / 60)
            .put("growthMegabytes", growth)
            .put("framesOfTheControlLoop", frames.get());
    ArrayNode megabytes = node.putArray("residentMegabytes");
    for (double value : resident) {
      megabytes.add(value);
    }
    ObjectNode answers = node.putObject("statuses");
    statuses.forEach((status, count) -> answers.put(status.toString(), count));
    text.append(
        Wording.format(
            "memory under mixed load, garbage collected: %.1f MB after %.1f minutes, %+.1f MB by minute %.1f;"
                + " answers %s, %d frames of a control loop%n",
            resident[warm],
            (warm + 1) * lookSeconds / 60,
            growth,
            looks * lookSeconds / 60,
            statuses,
            frames.get()));
  }

  private IntFunction<HttpRequest> mixed() {
    IntFunction<HttpRequest> single = requests.acting(1);
    IntFunction<HttpRequest> batch = requests.acting(BATCH);
    IntFunction<HttpRequest> text = requests.inferring(false);
    IntFunction<HttpRequest> binary = requests.inferring(true);
    return i ->
        switch (i % 20) {
          case 0 -> requests.solving(prompts++);
          case 1 -> requests.post("act", "{\"policy\": \"none\", \"observation\": [NaN]}");
          case 2, 3 -> batch.apply(i);
          case 4, 5 -> text.apply(i);
          case 6, 7, 8, 9 -> binary.apply(i);
          default -> single.apply(i);
        };
  }

  /** Asks for the next action as soon as one has come, at most as often as a robot would. */
  private WebSocket controlLoop() {
    URI address = requests.route("act?policy=" + requests.policy());
    String asked = Json.line(requests.observed());
    WebSocket.Listener listener =
        new WebSocket.Listener() {
          @Override
          public CompletionStage<?> onText(WebSocket socket, CharSequence answer, boolean last) {
            socket.request(1);
            if (last) {
              frames.incrementAndGet();
              return CompletableFuture.runAsync(
                  () -> socket.sendText(asked, true).join(),
                  CompletableFuture.delayedExecutor(CONTROL_MILLIS, TimeUnit.MILLISECONDS));
            }
            return null;
          }
        };
    try {
      WebSocket socket =
          HttpClient.newHttpClient()
              .newWebSocketBuilder()
              .buildAsync(URI.create(address.toString().replaceFirst("http", "ws")), listener)
              .join();
      socket.sendText(asked, true).join();
      return socket;
    } catch (CompletionException e) {
      throw UserError.failed(e, "%s takes no control loop: %s", address, e.getMessage());
    }
  }
}
