package dev.psm.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.Wording;
import dev.psm.core.io.Json;
import dev.psm.lab.Machine;
import dev.psm.lab.Progress;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.util.function.IntFunction;

/** How fast a service answers, what it takes at most, and what it does with more. */
public final class ServeBench {
  private static final int BATCH = 64;

  /** Of wrk, at the usual rate. */
  private static final int PAUSING_CONNECTIONS = 10;

  /** What an answer takes of a connection, about; it counts to the pause. */
  private static final int ANSWER_MILLIS = 2;

  private static final int CONNECTIONS = 32;
  private static final double OVERLOAD = 5;
  private static final double PROMPTS_PER_SECOND = 10;
  private static final int WAITING = 500;

  private final Settings settings;
  private final ServeRequests requests;
  private final OpenLoop loop = new OpenLoop();
  private final ObjectNode document = Json.object();
  private final StringBuilder text = new StringBuilder();

  /**
   * @param rate requests a second at which latencies are measured
   * @param seconds that each measurement takes
   * @param minutes for which memory is watched under mixed load; 0 for not at all
   */
  public record Settings(Path model, double rate, double seconds, double minutes) {}

  /** What was measured: a document, and the same for people. */
  public record Result(ObjectNode json, String text) {}

  private ServeBench(Settings settings, ServeRequests requests) {
    this.settings = settings;
    this.requests = requests;
  }

  public static Result run(Settings settings, Progress progress) {
    try (ServiceProcess service = ServiceProcess.start(settings.model)) {
      ServeRequests requests = new ServeRequests(service.address());
      ServeBench bench = new ServeBench(settings, requests);
      bench.measure(progress);
      if (settings.minutes > 0) {
        new ServeMemory(service, requests)
            .run(settings.minutes, bench.document, bench.text, progress);
      }
      return new Result(bench.document, bench.text.toString().stripTrailing());
    }
  }

  private void measure(Progress progress) {
    document.put("machine", Machine.cpu()).put("rate", settings.rate);
    try (Progress.Bar bar = progress.start("serve", 7)) {
      bar.update(0, "warming up");
      loop.run(settings.rate, Math.max(2, settings.seconds / 2), WAITING, requests.acting(1));
      bar.update(1, "act");
      latencies("act", settings.rate, requests.acting(1));
      bar.update(2, "batches");
      latencies("actBatch" + BATCH, settings.rate / 10, requests.acting(BATCH));
      bar.update(3, "infer");
      latencies("inferJson", settings.rate, requests.inferring(false));
      latencies("inferBinary", settings.rate, requests.inferring(true));
      bar.update(4, "solve");
      latencies("solve", PROMPTS_PER_SECOND, i -> requests.solving(i + 1));
      bar.update(5, "saturation");
      double capacity = saturation();
      if (Wrk.isThere()) {
        steadyByWrk();
      }
      bar.update(6, "overload");
      overload(capacity);
    }
  }

  private void latencies(String name, double rate, IntFunction<HttpRequest> asked) {
    OpenLoop.Result result = loop.run(rate, settings.seconds, WAITING, asked);
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
    if (!result.unanswered().isEmpty()) {
      ObjectNode unanswered = node.putObject("unanswered");
      result.unanswered().forEach(unanswered::put);
    }
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
      perSecond = byWrk(CONNECTIONS, 0).perSecond();
    } else {
      OpenLoop.Result result =
          loop.run(100_000, settings.seconds / 10, CONNECTIONS, requests.acting(1));
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
    OpenLoop.Result much =
        loop.run(OVERLOAD * capacity, settings.seconds, WAITING, requests.acting(1));
    long end = System.nanoTime();
    OpenLoop.Result soon = loop.run(settings.rate, 1, WAITING, requests.acting(1));
    double seconds = (System.nanoTime() - end) / 1e9;
    while (soon.percentile(99) > 20 && seconds < 30) {
      soon = loop.run(settings.rate, 1, WAITING, requests.acting(1));
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

  /** About the usual rate, by connections that pause after every answer. */
  private void steadyByWrk() {
    int pause =
        (int) Math.max(1, Math.round(1000 * PAUSING_CONNECTIONS / settings.rate) - ANSWER_MILLIS);
    Wrk.Result result = byWrk(PAUSING_CONNECTIONS, pause);
    ObjectNode node = document.putObject("actByWrk").put("perSecond", result.perSecond());
    result
        .milliseconds()
        .forEach((percent, milliseconds) -> node.put("p" + percent + "Milliseconds", milliseconds));
    text.append(
        Wording.format(
            "%-12s at %.0f/s: p50 %.2f, p90 %.2f, p99 %.2f ms%n",
            "act by wrk",
            result.perSecond(),
            result.milliseconds().getOrDefault(50, Double.NaN),
            result.milliseconds().getOrDefault(90, Double.NaN),
            result.milliseconds().getOrDefault(99, Double.NaN)));
  }

  private Wrk.Result byWrk(int connections, int pause) {
    try (TemporaryFolder folder =
        TemporaryFolder.in(Path.of(System.getProperty("java.io.tmpdir")))) {
      return Wrk.run(
          requests.route("act"),
          requests.body(1),
          connections,
          pause,
          settings.seconds,
          folder.path());
    }
  }

  private static double total(OpenLoop.Result result) {
    return result.statuses().values().stream().mapToInt(Integer::intValue).sum();
  }
}
