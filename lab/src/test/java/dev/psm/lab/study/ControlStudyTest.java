package dev.psm.lab.study;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.psm.agents.control.ControlForwardBackward;
import dev.psm.agents.control.FactoredPsm;
import dev.psm.core.UserError.Kind;
import dev.psm.core.env.Worlds;
import dev.psm.core.io.Json;
import dev.psm.lab.Progress;
import dev.psm.lab.compute.LocalWorkers;
import dev.psm.lab.compute.WorkContext;
import dev.psm.lab.run.Runs;
import dev.psm.lab.study.ControlStudy.Variant;
import dev.psm.torch.Device;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

final class ControlStudyTest {
  private static final List<String> TINY =
      List.of(
          "gradientSteps=12", "batchSize=16", "featureDimension=4", "width=8", "featureWidth=8");

  @TempDir private static Path data;
  @TempDir private Path out;

  private final AtomicInteger trainings = new AtomicInteger();

  @BeforeAll
  static void collect() {
    Runs.collect(data.resolve("maze"), 0);
  }

  private static ControlStudy.Plan plan(Path out, List<Long> seeds, String... more) {
    List<String> fb = new ArrayList<>(TINY);
    fb.addAll(List.of(more));
    List<String> psm = new ArrayList<>(fb);
    psm.add("protoSteps=5");
    return new ControlStudy.Plan(
        "a study",
        "All is equal.",
        List.of(Worlds.named("maze")),
        List.of(Variant.of(FactoredPsm.AGENT, psm), Variant.of(ControlForwardBackward.AGENT, fb)),
        seeds,
        false,
        "small",
        null,
        2,
        1,
        data,
        out);
  }

  private WorkContext context(BooleanSupplier stop) {
    Progress counted =
        (label, total) -> {
          trainings.incrementAndGet();
          return Progress.SILENT.start(label, total);
        };
    return new WorkContext(counted, note -> {}, stop);
  }

  private static ControlStudy.Outcome run(ControlStudy.Plan plan, WorkContext context) {
    return ControlStudy.run(plan, Device.CPU, new LocalWorkers(1), context);
  }

  @Test
  void whatIsDoneIsNotDoneAgainAndMoreSeedsOnlyAddTheirs() throws Exception {
    assertEquals(2, run(plan(out, List.of(0L)), context(() -> false)).runs().size());
    assertEquals(2, trainings.getAndSet(0));
    String first = Files.readString(out.resolve("table.csv"));
    List<ControlStudy.Run> runs = run(plan(out, List.of(0L, 1L)), context(() -> false)).runs();
    assertEquals(4, runs.size());
    assertEquals(2, trainings.get());
    assertEquals(2, runs.get(0).curve().points().size());
    String second = Files.readString(out.resolve("table.csv"));
    assertTrue(second.startsWith(first), second);
    assertTrue(Files.readString(out.resolve("report.html")).contains("Learning on"), "no curve");
    assertEquals(4, run(plan(out, List.of(0L, 1L)), context(() -> false)).runs().size());
    assertEquals(2, trainings.get());
  }

  /** A kill or a power cut may take lines that result.json promises. */
  @Test
  void theLastEvaluationOfAFinishedRunIsMissedAndHeldAgain() throws Exception {
    ControlStudy.Plan plan = plan(out, List.of(0L));
    ControlStudy.Outcome whole = run(plan, context(() -> false));
    Path run = out.resolve("point_mass_maze/psm/run-0");
    Path log = run.resolve("seed-0/metrics.jsonl");
    trainings.set(0);
    String text = Files.readString(log);
    Files.writeString(log, text.substring(0, text.length() - 20));
    refused(plan, log.toString(), "no evaluation of step 12", "delete", "result.json");
    Files.delete(log);
    refused(plan, log.toString(), "no evaluation of step 12");
    Files.delete(run.resolve("result.json"));
    ControlStudy.Outcome again = run(plan, context(() -> false));
    assertEquals(
        whole.runs().get(0).curve().last().grades(), again.runs().get(0).curve().last().grades());
  }

  private static ControlStudy.Plan together(Path out, List<Long> seeds, String... more) {
    ControlStudy.Plan apart = plan(out, seeds, more);
    return new ControlStudy.Plan(
        apart.title(),
        apart.lead(),
        apart.domains(),
        apart.variants(),
        seeds,
        true,
        apart.preset(),
        null,
        apart.evaluations(),
        apart.episodes(),
        data,
        out);
  }

  @Test
  void allSeedsOfAnAgentTrainSideBySideInOneRun() throws Exception {
    ControlStudy.Plan plan = together(out, List.of(0L, 1L));
    ControlStudy.Outcome outcome = run(plan, context(() -> false));
    assertEquals(2, trainings.getAndSet(0));
    assertEquals(2, outcome.finished());
    assertEquals(
        List.of("psm 0", "psm 1", "fb 0", "fb 1"),
        outcome.runs().stream()
            .map(each -> each.cell().variant().name() + " " + each.seed())
            .toList());
    Path run = out.resolve("point_mass_maze/psm/run-0-1");
    assertEquals(run.toAbsolutePath(), outcome.runs().get(0).folder());
    assertEquals(1 + 2 * 2 * 5, Files.readAllLines(out.resolve("table.csv")).size());
    JsonNode rows = Json.read(out.resolve("results.json")).path("rows");
    assertEquals(2, rows.get(1).path("seeds").size());
    // Every episode begins in the top left room.
    assertEquals(1, rows.get(0).at("/milestones/reach_top_left/in its room/reached").asDouble(), 0);
    JsonNode line =
        Json.parse(
            Files.readAllLines(run.resolve("seed-1/metrics.jsonl")).stream()
                .filter(each -> each.contains("return/average"))
                .findFirst()
                .orElseThrow(),
            "the log");
    assertEquals(1, line.path("milestone/reach_top_left/in_its_room/reached").asDouble());
    assertTrue(line.has("milestone/reach_bottom_right/within_3_cm/last_100_steps"));
    assertTrue(Files.readString(out.resolve("report.html")).contains("How far episodes got"));
    run(plan, context(() -> false));
    assertEquals(0, trainings.get(), "nothing is done twice");
    // Where the folder says so but the run is another, it is refused by name.
    Files.move(run, out.resolve("point_mass_maze/psm/run-0-2"));
    refused(together(out, List.of(0L, 2L)), "seeds is [0, 1], wanted [0, 2]");
  }

  private static List<Long> seeds(ControlStudy.Outcome outcome) {
    return outcome.runs().stream()
        .filter(each -> each.cell().variant().name().equals("fb"))
        .map(ControlStudy.Run::seed)
        .toList();
  }

  @Test
  void seedsStayInTheRunThatTheyHave() {
    run(plan(out, List.of(1L)), context(() -> false));
    trainings.set(0);
    ControlStudy.Outcome three = run(together(out, List.of(0L, 1L, 2L)), context(() -> false));
    assertEquals(2, trainings.getAndSet(0), "two seeds side by side, of two agents");
    assertEquals(List.of(0L, 2L, 1L), seeds(three));
    assertTrue(Files.isDirectory(out.resolve("point_mass_maze/fb/run-0-2")));
    ControlStudy.Outcome four = run(together(out, List.of(0L, 1L, 2L, 3L)), context(() -> false));
    assertEquals(2, trainings.getAndSet(0), "one seed more, of two agents");
    assertEquals(List.of(0L, 2L, 1L, 3L), seeds(four));
    // However those without a run would train, as on a machine that has no GPU.
    ControlStudy.Outcome apart = run(plan(out, List.of(3L, 2L, 1L, 0L)), context(() -> false));
    assertEquals(0, trainings.get());
    assertEquals(6, apart.finished());
    assertEquals(8, apart.runs().size());
  }

  @Test
  void aSeedOfTwoRunsIsCountedInTheOneThatHasEnded() throws Exception {
    for (String run : List.of("run-0-1", "run-1", "run-2--7", "run-0-3", "run", "copy-0")) {
      Files.createDirectories(out.resolve(run));
      Files.writeString(out.resolve(run).resolve("run.json"), "{}");
    }
    Files.createDirectories(out.resolve("run-0"));
    assertEquals(
        List.of(List.of(0L, 1L), List.of(2L, -7L)), Trials.there(out, List.of(-7L, 0L, 1L, 2L)));
    Files.writeString(out.resolve("run-1/result.json"), "{\"steps\": 12}");
    assertEquals(
        List.of(List.of(1L), List.of(2L, -7L)), Trials.there(out, List.of(-7L, 0L, 1L, 2L)));
  }

  @Test
  void aPlanSaysWhatIsToBeDoneAndHowLongItTakesWhereThatIsKnown(@TempDir Path nothing)
      throws IOException {
    ControlStudy.Plan two = together(out, List.of(0L, 1L));
    StudyForecast before = ControlStudy.forecast(two, Device.CPU);
    JsonNode rows = before.json().path("rows");
    assertEquals(2, rows.size());
    assertEquals("point_mass_maze/psm/run-0-1", rows.get(0).path("folder").asText());
    assertEquals(12, rows.get(0).path("gradientSteps").asInt());
    assertFalse(rows.get(0).has("trainingSeconds"), "nobody knows");
    assertFalse(before.json().has("secondsLeft"));
    assertTrue(before.text().contains("unknown"), before.text());
    assertTrue(rows.get(0).path("dataBytes").asLong() > 0);
    assertFalse(Files.exists(out.resolve("point_mass_maze")), "only looked up");

    run(two, context(() -> false));
    double seconds =
        Json.read(out.resolve("point_mass_maze/fb/run-0-1/result.json"))
            .path("trainingSeconds")
            .asDouble();
    JsonNode after = ControlStudy.forecast(two, Device.CPU).json();
    assertEquals(2, after.path("finishedRuns").asInt());
    assertEquals(0, after.path("secondsLeft").asDouble());
    assertTrue(after.at("/rows/0/finished").asBoolean());
    assertFalse(ControlStudy.forecast(two, Device.CPU).text().contains("the others"));
    // Two other seeds take as long; a seed alone, or other settings, nobody knows.
    JsonNode others = ControlStudy.forecast(together(out, List.of(2L, 3L)), Device.CPU).json();
    assertEquals(seconds, others.at("/rows/1/trainingSeconds").asDouble(), 1e-3);
    assertTrue(others.path("secondsLeft").asDouble() >= seconds);
    assertFalse(
        ControlStudy.forecast(plan(out, List.of(7L)), Device.CPU).json().has("secondsLeft"));
    assertFalse(
        ControlStudy.forecast(together(out, List.of(2L, 3L), "noise=0.1"), Device.CPU)
            .json()
            .has("secondsLeft"));
    // A run that cannot be read, of another study or version, says nothing of time.
    Path unreadable = Files.createDirectories(out.resolve("point_mass_maze/psm/run-9"));
    Files.writeString(unreadable.resolve("run.json"), "{}");
    Files.writeString(unreadable.resolve("result.json"), "{\"steps\": 12}");
    assertEquals(after, ControlStudy.forecast(two, Device.CPU).json());
    // A domain whose data is still to be collected is planned, too.
    String text = ControlStudy.forecast(fbOnWalker(data, nothing), Device.CPU).text();
    assertTrue(text.contains("no data yet"), text);
  }

  @Test
  @Timeout(300)
  void resultsGrowWithEveryEvaluationOfARunThatGoesOn() {
    List<String> seen = new ArrayList<>();
    Path log = out.resolve("point_mass_maze/psm/run-0/seed-0/metrics.jsonl");
    // The wish to stop is asked for after every step: a place to look, and to wait for the table.
    run(
        plan(out, List.of(0L)),
        context(
            () -> {
              if (seen.isEmpty() && text(log).contains("return/")) {
                seen.add(awaitTable());
              }
              return !seen.isEmpty();
            }));
    assertTrue(seen.get(0).contains(",6,false"), seen.get(0));
  }

  private String awaitTable() {
    Path table = out.resolve("table.csv");
    try {
      while (text(table).isEmpty()) {
        Thread.sleep(50);
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return text(table);
  }

  private static String text(Path file) {
    try {
      return Files.exists(file) ? Files.readString(file) : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aStoppedStudyGoesOnToTheSameReturns() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    Path stopped = out.resolve("stopped");
    List<ControlStudy.Run> some =
        run(
                plan(stopped, List.of(0L)),
                context(() -> trainings.get() == 2 && asked.incrementAndGet() > 5))
            .runs();
    assertEquals(1, some.stream().filter(ControlStudy.Run::finished).count());
    List<ControlStudy.Run> all = run(plan(stopped, List.of(0L)), context(() -> false)).runs();
    List<ControlStudy.Run> straight =
        run(plan(out.resolve("straight"), List.of(0L)), context(() -> false)).runs();
    for (int i = 0; i < 2; i++) {
      assertEquals(straight.get(i).curve().last().grades(), all.get(i).curve().last().grades());
    }
  }

  private static ControlStudy.Plan fbOnWalker(Path data, Path out) {
    return new ControlStudy.Plan(
        "a study",
        "All is equal.",
        List.of(Worlds.named("walker")),
        List.of(Variant.of(ControlForwardBackward.AGENT, TINY)),
        List.of(0L),
        false,
        "small",
        null,
        1,
        1,
        data,
        out);
  }

  private void refused(ControlStudy.Plan plan, String... words) {
    Runs.refused(Kind.INVALID, () -> run(plan, context(() -> false)), words);
    assertEquals(0, trainings.get());
  }

  @Test
  void mistakesAreToldBeforeAnythingIsTrained() {
    refused(fbOnWalker(data, out), "there is no data of walker", "collect it");
    refused(plan(out, List.of(0L), "nothing=1"), "nothing");
    Runs.refused(Kind.INVALID, () -> plan(out, List.of(1L, 1L)), "twice");
  }

  @Test
  void dataOfAnotherKindIsRefusedBeforeAnythingIsTrained(@TempDir Path others) {
    Runs.collect(others.resolve("walker"), 0);
    refused(fbOnWalker(others, out), "is of point_mass_maze, expected walker");
    Runs.refused(
        Kind.INVALID, () -> ControlStudy.check(fbOnWalker(others, out)), "expected walker");
  }

  @Test
  void ofOtherSettingsInTheSamePlaceEachIsNamed() {
    run(plan(out, List.of(0L)), context(() -> false));
    trainings.set(0);
    refused(
        plan(out, List.of(0L), "discount=0.5", "noise=0.1"),
        "discount is 0.99, wanted 0.5",
        "noise is 0.2, wanted 0.1");
  }

  /** A rate this large sends FB's networks beyond all bounds within a few steps. */
  @Test
  void aRunThatDivergesIsNamedAndTheOthersGoOn() throws Exception {
    List<String> wild = new ArrayList<>(TINY);
    wild.add("learningRate=1e30");
    wild.add("featureLearningRate=1e30");
    ControlStudy.Plan tame = plan(out, List.of(0L));
    ControlStudy.Plan plan =
        new ControlStudy.Plan(
            tame.title(),
            tame.lead(),
            tame.domains(),
            List.of(Variant.of(ControlForwardBackward.AGENT, wild), tame.variants().get(0)),
            tame.seeds(),
            false,
            tame.preset(),
            null,
            1,
            1,
            data,
            out);
    ControlStudy.Outcome outcome = run(plan, context(() -> false));
    assertEquals("psm", outcome.runs().get(0).cell().variant().name());
    assertEquals(1, outcome.runs().size());
    assertTrue(outcome.failures().get(0).reason().contains("training diverged"));
    JsonNode failed = Json.read(out.resolve("results.json")).path("failed");
    assertEquals("fb", failed.get(0).path("variant").asText());
    String text = new StudyTable(plan, outcome).text();
    assertTrue(text.contains("0 of 1, 1 diverged"), text);
    assertTrue(Files.readString(out.resolve("report.html")).contains("training diverged"));
  }
}
