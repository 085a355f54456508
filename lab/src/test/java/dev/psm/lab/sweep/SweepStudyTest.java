package dev.psm.lab.sweep;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError.Kind;
import dev.psm.core.io.FolderLock;
import dev.psm.core.io.Json;
import dev.psm.lab.Progress;
import dev.psm.lab.compute.LocalWorkers;
import dev.psm.lab.compute.WorkContext;
import dev.psm.lab.compute.Workers;
import dev.psm.lab.run.Runs;
import dev.psm.lab.study.Trial;
import dev.psm.torch.Device;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SweepStudyTest {
  private static final String TWO_SEEDS = "\"agents\": [\"psm\", \"fb\"], \"seeds\": [0, 1]";
  private static final String RATES = "\"psm.basisLearningRate\": [0.001, 0.01]";

  @TempDir private Path folder;
  private Path map;
  private final List<String> lines = new ArrayList<>();

  @BeforeEach
  void files() {
    map = TinySweeps.map(folder);
  }

  /** One after the other, so that a stop is seen before all have ended. */
  private SweepOutcome run(Path out, String fields, String settings, BooleanSupplier stop) {
    return run(out, fields, settings, new LocalWorkers(1), note -> {}, stop);
  }

  private SweepOutcome run(
      Path out,
      String fields,
      String settings,
      Workers workers,
      Consumer<String> notes,
      BooleanSupplier stop) {
    SweepPlan plan = new SweepPlan(TinySweeps.sweep(map, out, fields, settings));
    return new SweepStudy(plan, Device.CPU)
        .run(
            workers,
            new WorkContext(Progress.SILENT, notes, stop),
            line -> {
              synchronized (lines) {
                lines.add(line);
              }
            });
  }

  private SweepOutcome run(Path out, String fields, String settings) {
    return run(out, fields, settings, new LocalWorkers(), note -> {}, () -> false);
  }

  /** Every file that is to be equal, whoever computed it and in how many goes. */
  private static List<String> tables(Path out) throws IOException {
    ObjectNode results = (ObjectNode) Json.read(out.resolve("results.json"));
    results.remove("machine");
    return List.of(
        Files.readString(out.resolve("table.csv")),
        Files.readString(out.resolve("trials.csv")),
        results.toString());
  }

  private static List<Path> weights(Path out) throws IOException {
    try (Stream<Path> files = Files.walk(out)) {
      return files
          .filter(file -> file.endsWith("model.safetensors"))
          .map(out::relativize)
          .sorted()
          .toList();
    }
  }

  private static void assertSame(Path expected, Path found) throws IOException {
    assertEquals(tables(expected), tables(found));
    assertEquals(weights(expected), weights(found));
    for (Path file : weights(expected)) {
      assertArrayEquals(
          Files.readAllBytes(expected.resolve(file)),
          Files.readAllBytes(found.resolve(file)),
          file.toString());
    }
  }

  @Test
  void aSweepIsWrittenKeptAndOnlyAddedTo() throws IOException {
    Path out = folder.resolve("out");
    SweepOutcome outcome = run(out, TWO_SEEDS, RATES);
    assertEquals(6, outcome.finished());
    assertEquals(6, lines.size());
    assertTrue(lines.get(5).startsWith("6 of 6: "), lines.toString());
    assertEquals(4, Files.readAllLines(out.resolve("table.csv")).size());
    assertEquals(7, Files.readAllLines(out.resolve("trials.csv")).size());
    JsonNode rows = Json.read(out.resolve("results.json")).path("rows");
    assertEquals(2, rows.get(0).path("perSeed").size());
    assertTrue(rows.get(1).path("mannWhitneyAgainstBaseline").isNumber());
    assertFalse(rows.get(0).has("mannWhitneyAgainstBaseline"), "the baseline itself");
    assertTrue(
        rows.get(0).path("best").asBoolean() ^ rows.get(1).path("best").asBoolean(),
        "one of PSM's settings is its best");
    String report = Files.readString(out.resolve("report.html"));
    assertTrue(report.contains("basisLearningRate on tiny"), "a figure for the swept setting");
    assertTrue(report.contains("Learning on tiny"), "learning curves");

    lines.clear();
    List<String> before = tables(out);
    run(out, TWO_SEEDS, RATES);
    assertEquals(List.of(), lines);
    assertEquals(before, tables(out));
    run(
        out,
        "\"agents\": [\"psm\", \"fb\"], \"seeds\": [0, 1, 2]",
        "\"psm.basisLearningRate\": [0.001, 0.01, 0.1]");
    assertEquals(3 + 3, lines.size(), lines.toString());
  }

  @Test
  void anotherMeaningInTheSameFolderIsRefused() {
    Path out = folder.resolve("out");
    run(out, "\"agents\": [\"psm\"]", "");
    Runs.refused(
        Kind.INVALID,
        () -> run(out, "\"agents\": [\"psm\"], \"evaluations\": 2", ""),
        "holds a run that is not the one wanted");
  }

  @Test
  void aStoppedSweepGoesOnToTheSameTableAndWeights() throws IOException {
    Path straight = folder.resolve("straight");
    Path stopped = folder.resolve("stopped");
    run(straight, TWO_SEEDS, RATES);
    lines.clear();
    SweepOutcome some = run(stopped, TWO_SEEDS, RATES, () -> lines.size() >= 2);
    assertTrue(some.finished() < 6, "%d ended".formatted(some.finished()));
    run(stopped, TWO_SEEDS, RATES);
    assertSame(straight, stopped);
  }

  /** Two processes of one sweep, such as on two machines that share a folder. */
  @Test
  void twoThatDoTheSameSweepShareItsRuns() throws Exception {
    Path straight = folder.resolve("straight");
    Path shared = folder.resolve("shared");
    run(straight, TWO_SEEDS, RATES);
    lines.clear();
    CompletableFuture<SweepOutcome> other =
        CompletableFuture.supplyAsync(() -> run(shared, TWO_SEEDS, RATES));
    SweepOutcome own = run(shared, TWO_SEEDS, RATES);
    assertEquals(6, own.finished());
    assertEquals(6, other.get().finished());
    assertSame(straight, shared);
  }

  /** The first is given up while the second is still computed; the second must not be forgotten. */
  @Test
  void whatOthersComputeIsAwaitedThoughTheyGiveUpOneAfterTheOther() throws Exception {
    Path out = folder.resolve("out");
    SweepPlan plan = new SweepPlan(TinySweeps.sweep(map, out, TWO_SEEDS, ""));
    Json.write(out.resolve(SweepPlan.FILE), plan.sweep().toJson());
    List<Trial> trials = List.copyOf(plan.trials(Device.CPU).keySet());
    FolderLock first = FolderLock.take(trials.get(0).folder(), "busy");
    FolderLock second = FolderLock.take(trials.get(3).folder(), "busy");
    List<String> notes = Collections.synchronizedList(new ArrayList<>());
    CompletableFuture<SweepOutcome> sweep =
        CompletableFuture.supplyAsync(
            () -> run(out, TWO_SEEDS, "", new LocalWorkers(), notes::add, () -> false));
    await(sweep, () -> !notes.isEmpty());
    assertEquals(List.of("waiting for 2 runs that other processes compute"), notes);
    first.close();
    await(
        sweep,
        () -> {
          synchronized (lines) {
            return lines.size() == 3;
          }
        });
    second.close();
    assertEquals(4, sweep.get(1, TimeUnit.MINUTES).finished());
  }

  private static void await(CompletableFuture<?> sweep, BooleanSupplier reached)
      throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    while (!reached.getAsBoolean()) {
      assertTrue(System.nanoTime() < end, "nothing happens");
      assertFalse(sweep.isDone() && !reached.getAsBoolean(), () -> "ended with " + sweep.join());
      Thread.sleep(20);
    }
  }

  /** A rate this large sends the networks beyond all bounds within a few steps. */
  @Test
  void aRunThatFailsIsARowWithItsReason() throws IOException {
    Path out = folder.resolve("out");
    SweepOutcome outcome = run(out, "\"agents\": [\"fb\"]", "\"learningRate\": [0.001, 1e30]");
    assertEquals(1, outcome.finished());
    assertEquals(1, outcome.failed());
    String trials = Files.readString(out.resolve("trials.csv"));
    assertTrue(trials.contains("training diverged"), trials);
    JsonNode rows = Json.read(out.resolve("results.json")).path("rows");
    assertTrue(rows.get(0).path("best").asBoolean());
    assertTrue(
        rows.get(1).path("failed").get(0).path("reason").asText().contains("training diverged"));
    assertTrue(Files.readString(out.resolve("report.html")).contains("training diverged"));
    assertTrue(new SweepTable(outcome).text().contains("0 of 1, 1 failed"));
  }

  @Test
  void aFinishedRunWhoseLastEvaluationIsLostIsNoResult() throws IOException {
    Path out = folder.resolve("out");
    String twice = "\"agents\": [\"psm\"], \"evaluations\": 2";
    assertEquals(1, run(out, twice, "").finished());
    try (Stream<Path> files = Files.walk(out)) {
      Path log = files.filter(file -> file.endsWith("metrics.jsonl")).findFirst().orElseThrow();
      String text = Files.readString(log);
      Files.writeString(log, text.substring(0, text.length() - 20));
    }
    SweepOutcome outcome = run(out, twice, "");
    assertEquals(0, outcome.finished());
    assertEquals(1, outcome.failed());
    String trials = Files.readString(out.resolve("trials.csv"));
    assertTrue(trials.contains("no evaluation of step 20"), trials);
  }

  @Test
  void whatIsLeftAndHowLongItTakesIsForetold() {
    Path out = folder.resolve("out");
    SweepPlan plan = new SweepPlan(TinySweeps.sweep(map, out, TWO_SEEDS, RATES));
    JsonNode before = new SweepForecast(new SweepStudy(plan, Device.CPU).outcome()).json();
    assertEquals(6, before.path("runs").asInt());
    assertFalse(before.has("secondsLeft"));
    assertFalse(Files.exists(out), "nothing is written");
    run(out, "\"agents\": [\"psm\", \"fb\"], \"seeds\": [0]", "\"psm.basisLearningRate\": 0.001");
    JsonNode after = new SweepForecast(new SweepStudy(plan, Device.CPU).outcome()).json();
    assertEquals(2, after.path("ended").asInt());
    assertTrue(after.path("secondsLeft").asDouble() > 0);
    assertTrue(after.path("rows").get(1).path("secondsPerRun").asDouble() > 0);
  }
}
