package dev.psm.app;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import dev.psm.core.Wording;
import dev.psm.core.io.Json;
import dev.psm.studio.service.InferenceService;
import dev.psm.studio.service.ServiceLimits;
import dev.psm.studio.web.TokenFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "serve",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Serve agents to programs over HTTP: prompts become policies, observations become actions.",
      "",
      "Routes are described at /openapi.json and in docs/serve.md; /v2 is the Open Inference Protocol (KServe v2),"
          + " /metrics is for Prometheus, and control loops may use a WebSocket. Whoever is not on this machine needs"
          + " the token of --token-file.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  ./psm serve models/walker-psm",
      "  ./psm serve models/walker-psm models/fetchreach-psm --port 9000 --log",
      "  ./psm serve runs/maze --host 0.0.0.0 --token-file token"
    })
final class ServeCommand implements Callable<Integer> {
  @Mixin private Output output;

  @Parameters(
      paramLabel = "MODEL",
      arity = "1..*",
      description = "Folders of agents or runs; each is served by its folder's name.")
  private List<Path> models;

  @Option(
      names = "--host",
      paramLabel = "ADDRESS",
      defaultValue = "127.0.0.1",
      description =
          "The address to listen at; any but this machine's own needs --token-file (default: ${DEFAULT-VALUE}).")
  private String host;

  @Option(
      names = "--port",
      paramLabel = "N",
      defaultValue = "8900",
      description = "The port; 0 for any free one (default: ${DEFAULT-VALUE}).")
  private int port;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description =
          "Holds what requests must carry as 'Authorization: Bearer TOKEN'; only you may be able to read it.")
  private Path tokenFile;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "How many act at the same time, each on a core (default: all cores).")
  private Integer threads;

  @Option(names = "--log", description = "Print a line for every request on standard error.")
  private boolean log;

  @ArgGroup(validate = false, heading = "%nLimits:%n")
  private Limits limits = new Limits();

  /** What the service takes on. */
  static final class Limits {
    private static final ServiceLimits USUAL = ServiceLimits.DEFAULT;
    private static final int MANY = 1_000_000;

    @Option(
        names = "--max-requests",
        paramLabel = "N",
        description =
            "Requests to act at once, waiting ones included; others get 429 (default: 64).")
    private int requests = USUAL.maxRequests();

    @Option(
        names = "--max-solves",
        paramLabel = "N",
        description = "Prompts to solve at once, waiting ones included (default: 8).")
    private int solves = USUAL.maxSolves();

    @Option(
        names = "--max-sockets",
        paramLabel = "N",
        description = "WebSockets at once (default: 64).")
    private int sockets = USUAL.maxSockets();

    @Option(
        names = "--max-policies",
        paramLabel = "N",
        description = "Policies that are kept; the one not asked for longest goes (default: 1000).")
    private int policies = USUAL.maxPolicies();

    @Option(
        names = "--max-batch",
        paramLabel = "N",
        description = "Observations of one request (default: 1024).")
    private int batch = USUAL.maxBatch();

    @Option(
        names = "--max-states",
        paramLabel = "N",
        description = "States of samples or of a demonstration (default: 20000).")
    private int states = USUAL.maxStates();

    @Option(
        names = "--max-formula",
        paramLabel = "N",
        description = "Characters of a formula (default: 10000, which is the most).")
    private int formula = USUAL.maxFormula();

    @Option(
        names = "--max-formula-cost",
        paramLabel = "N",
        description =
            "Cost of a formula; a name, number or operator costs 1, most functions 5 (default: 5000, which is the most).")
    private int formulaCost = USUAL.maxFormulaCost();

    @Option(
        names = "--max-body",
        paramLabel = "BYTES",
        description = "Of a request or a WebSocket's message (default: 8388608).")
    private int body = USUAL.maxBody();

    @Option(
        names = "--request-seconds",
        paramLabel = "S",
        description = "Longest time of a request; after it, the answer is an error (default: 10).")
    private double seconds = USUAL.requestTime().toMillis() / 1e3;

    private ServiceLimits checked() {
      Range.check("--max-requests", requests, 1, 1_024);
      Range.check("--max-solves", solves, 1, 1_024);
      Range.check("--max-sockets", sockets, 0, 10_000);
      Range.check("--max-policies", policies, 1, MANY);
      Range.check("--max-batch", batch, 1, MANY);
      Range.check("--max-states", states, 2, MANY);
      Range.check("--max-formula", formula, 1, USUAL.maxFormula());
      Range.check("--max-formula-cost", formulaCost, 1, USUAL.maxFormulaCost());
      Range.check("--max-body", body, 1_024, 1 << 30);
      if (!(seconds >= 0.01 && seconds <= 3600)) {
        throw UserError.invalid(
            "--request-seconds must be at least 0.01 and at most 3600, found %s", seconds);
      }
      return new ServiceLimits(
          body,
          batch,
          states,
          formula,
          formulaCost,
          policies,
          requests,
          solves,
          sockets,
          Duration.ofMillis(Math.round(seconds * 1e3)));
    }
  }

  @Override
  public Integer call() throws InterruptedException {
    CountDownLatch stopped = new CountDownLatch(1);
    // The service is closed first: it lets requests under way end, for which the process waits.
    try (Interruption interruption = new Interruption(stopped::countDown);
        InferenceService service = new InferenceService(models, settings())) {
      output.note("listening at %s, loading".formatted(service.address()));
      service.load();
      output.say(
          "psm serves %s at %s (Ctrl-C stops it)"
              .formatted(String.join(", ", service.models()), service.address()));
      output.finish(document(service));
      stopped.await();
      output.note("stopping; requests under way may end");
    }
    return 0;
  }

  private InferenceService.Settings settings() {
    Range.check("--port", port, 0, 65_535);
    InferenceService.Settings usual = InferenceService.Settings.loopback(port);
    if (threads != null) {
      Range.check("--threads", threads, 1, Range.MAX_THREADS);
    }
    return new InferenceService.Settings(
        host,
        port,
        Optional.ofNullable(tokenFile).map(TokenFile::read),
        threads == null ? usual.threads() : threads,
        usual.patience(),
        limits.checked(),
        log ? Optional.of(line -> output.note(Wording.oneLine(line))) : Optional.empty());
  }

  private static ObjectNode document(InferenceService service) {
    ObjectNode document = Json.object().put("address", service.address());
    ArrayNode names = document.putArray("models");
    service.models().forEach(names::add);
    return document;
  }
}
