package dev.psm.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.agents.Agent;
import dev.psm.agents.Agents;
import dev.psm.agents.TrainingData;
import dev.psm.core.env.GridMap;
import dev.psm.core.env.GridWorld;
import dev.psm.core.io.Json;
import dev.psm.lab.Progress;
import dev.psm.lab.Provenance;
import dev.psm.lab.run.Cadence;
import dev.psm.lab.run.Evaluator;
import dev.psm.lab.run.RunContext;
import dev.psm.lab.run.RunDescription;
import dev.psm.lab.run.TrainingRun;
import dev.psm.studio.ModelShelf;
import dev.psm.studio.page.Studio;
import dev.psm.studio.web.WebServer;
import dev.psm.torch.Device;
import dev.psm.torch.NativeLibraries;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * How soon the studio's page obeys, measured in a real browser by its own clock: from the time of
 * the event that a person would cause to the animation frame after what follows from it was drawn.
 */
public final class StudioBench {
  private static final int WARM_UP = 5;
  private static final int WIDTH = 1280;
  private static final int HEIGHT = 900;
  private static final double STROKE_BAR = 100;
  private static final double FORMULA_BAR = 300;

  /** The page waits a fifth of a second for more to be typed. */
  private static final double TYPED_BAR = FORMULA_BAR + 200;

  private static final String MAP = "gridworld";
  private static final String REPORT = "document.documentElement.dataset.measured";

  /** Which question the drawn values and arrows answer; questions are numbered. */
  private static final String DRAWN = "document.querySelector('.grid-view').dataset.drawn";

  private static final String SETTLED =
      DRAWN + " === document.querySelector('.grid-view').dataset.asked";

  private final int rounds;

  private StudioBench(int rounds) {
    this.rounds = rounds;
  }

  /**
   * What to measure.
   *
   * @param rounds of each kind
   * @param body an agent with a body, which needs its engine; empty leaves formulas out
   */
  public record Settings(int rounds, Optional<Path> body) {}

  /** What was measured: a document, and the same for people. */
  public record Result(ObjectNode json, String text) {}

  public static Result run(Settings settings, Progress progress) {
    StudioBench bench = new StudioBench(settings.rounds);
    ObjectNode document = Json.object();
    StringBuilder text = new StringBuilder();
    try (TemporaryFolder folder =
        TemporaryFolder.in(Path.of(System.getProperty("java.io.tmpdir")))) {
      ModelShelf shelf = new ModelShelf();
      Path grid = folder.path().resolve("psm");
      pretrain(grid, progress);
      String gridId = shelf.add(grid).id();
      Optional<String> bodyId = settings.body.map(body -> shelf.add(body).id());
      Path runs = folder.path().resolve("runs");
      try (Studio studio = new Studio(shelf, WebServer.Settings.loopback(0), List.of(), runs);
          Chromium page = new Chromium(folder.path().resolve("profile"), WIDTH, HEIGHT)) {
        String browser = page.send("Browser.getVersion", Json.object()).path("product").asText();
        document.put("browser", browser).put("rounds", settings.rounds);
        text.append("in %s, %d rounds each%n".formatted(browser, settings.rounds));
        double[] strokes = bench.strokes(page, studio.address() + "/#/grid/" + gridId);
        tell("strokeToPicture", "stroke to picture", strokes, STROKE_BAR, document, text);
        if (bodyId.isPresent()) {
          bench.openBody(page, studio.address() + "/#/body/" + bodyId.get());
          double[] entered = bench.formulas(page, true);
          tell(
              "enterToMove",
              "Enter after a formula to first moved frame",
              entered,
              FORMULA_BAR,
              document,
              text);
          double[] typed = bench.formulas(page, false);
          tell(
              "typedToMove",
              "the same without Enter, with the page's wait for the end of typing",
              typed,
              TYPED_BAR,
              document,
              text);
        }
      }
    }
    return new Result(document, text.toString().stripTrailing());
  }

  private static void pretrain(Path folder, Progress progress) {
    NativeLibraries.load();
    GridWorld world = new GridWorld(GridMap.named(MAP));
    Agent agent = Agents.named("psm", world);
    String preset = agent.defaultPreset(world);
    Record settings = agent.preset(preset, world);
    RunDescription run =
        new RunDescription(
            agent,
            preset,
            settings,
            RunDescription.Data.of(world),
            List.of(0L),
            Cadence.usual(agent, settings, world),
            Provenance.software(Device.CPU, world));
    TrainingRun.start(
        run,
        folder,
        false,
        new TrainingData.Complete(world),
        new RunContext(Device.CPU, progress, note -> {}, () -> false, Evaluator::of));
  }

  /** Rewards painted cell by cell, first such that pay, then such that cost. */
  private double[] strokes(Chromium page, String address) {
    page.open(address);
    page.await("document.querySelector('[data-agent=psm][aria-pressed=true]')");
    page.await(SETTLED);
    GridMap map = GridMap.named(MAP);
    double[] millis = new double[rounds];
    String tool = "";
    for (int round = -WARM_UP; round < rounds; round++) {
      int state = Math.floorMod(17 * round, map.freeCellCount());
      // All cells would once pay the same, which prefers nothing.
      String wanted = Math.floorMod(round, 3) == 0 ? "negative" : "positive";
      if (!wanted.equals(tool)) {
        page.evaluate("document.querySelector('[data-tool=%s]').click()".formatted(wanted));
        tool = wanted;
      }
      page.await(SETTLED);
      watch(page, "pointerdown", DRAWN);
      JsonNode box =
          page.evaluate(
              "(({left, top, width, height}) => [left, top, width, height])"
                  + "(document.querySelector('canvas.board').getBoundingClientRect())");
      page.click(
          box.get(0).asDouble() + (map.column(state) + 0.5) / map.width() * box.get(2).asDouble(),
          box.get(1).asDouble() + (map.row(state) + 0.5) / map.height() * box.get(3).asDouble());
      keep(page, millis, round);
    }
    return millis;
  }

  private void openBody(Chromium page, String address) {
    page.open("about:blank");
    page.open(address);
    page.await("document.querySelector('.answered')?.dataset.count > 0");
  }

  /** Two formulas in turn, each written as a whole, as when it is pasted. */
  private double[] formulas(Chromium page, boolean enter) {
    double[] millis = new double[rounds];
    for (int round = -WARM_UP; round < rounds; round++) {
      page.evaluate(
          "document.querySelector('.cm-content').focus(); document.execCommand('selectAll')");
      watch(
          page,
          enter ? "keydown" : "beforeinput",
          "document.querySelector('.answered').dataset.count");
      page.type(
          "upright * clip(%svelocity_x / %d, 0, 1)"
              .formatted(round % 2 == 0 ? "" : "-", enter ? 4 : 5));
      if (enter) {
        page.enter();
      }
      keep(page, millis, round);
    }
    return millis;
  }

  /**
   * From the event's own time to the first frame after a number in the page has grown; pages also
   * write the same number again.
   */
  private static void watch(Chromium page, String event, String number) {
    page.evaluate(
        """
        (() => {
          delete %1$s;
          const before = Number(%3$s);
          let began;
          document.addEventListener('%2$s', ({timeStamp}) => (began ??= timeStamp), {capture: true, once: true});
          const watcher = new MutationObserver(() => {
            if (began === undefined || !(Number(%3$s) > before)) {
              return;
            }
            watcher.disconnect();
            requestAnimationFrame(() => requestAnimationFrame((now) => (%1$s = Math.max(now, performance.now()) - began)));
          });
          watcher.observe(document.querySelector('main'), {attributes: true, subtree: true});
        })()
        """
            .formatted(REPORT, event, number));
  }

  private static void keep(Chromium page, double[] millis, int round) {
    page.await(REPORT + " !== undefined");
    if (round >= 0) {
      millis[round] = Double.parseDouble(page.evaluate(REPORT).asText());
    }
  }

  private static void tell(
      String key,
      String name,
      double[] millis,
      double bar,
      ObjectNode document,
      StringBuilder text) {
    double[] sorted = millis.clone();
    Arrays.sort(sorted);
    double median = sorted[sorted.length / 2];
    double ninety = sorted[(int) (sorted.length * 0.9)];
    ObjectNode node = document.putObject(key);
    node.put("medianMilliseconds", median)
        .put("ninetiethMilliseconds", ninety)
        .put("slowestMilliseconds", sorted[sorted.length - 1])
        .put("barMilliseconds", bar)
        .put("within", median <= bar);
    ArrayNode all = node.putArray("milliseconds");
    Arrays.stream(millis).forEach(all::add);
    text.append(
        String.format(
            Locale.ROOT,
            "%s: median %.0f ms, nine of ten within %.0f ms, slowest %.0f ms (bar: %.0f ms, %s)%n",
            name,
            median,
            ninety,
            sorted[sorted.length - 1],
            bar,
            median <= bar ? "kept" : "missed"));
  }
}
