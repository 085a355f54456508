package dev.psm.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.psm.core.io.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class StopAfterTest {
  /** Over before anything has begun. */
  private static final double NO_TIME = 1e-6;

  private static final int ENDLESS = 100_000_000;

  @TempDir private static Path shared;
  @TempDir private Path out;

  @BeforeAll
  static void collect() {
    PretrainDataTest.collect(shared.resolve("maze"), "maze");
  }

  private Cli.Result run(List<Object> command, Object... more) {
    List<Object> line = new ArrayList<>(command);
    line.addAll(List.of(more));
    line.addAll(List.of("--out", out.resolve("run")));
    line.addAll(PretrainDataTest.TINY);
    return Cli.run(line.toArray());
  }

  private static List<Object> dmc() {
    return List.of(
        "reproduce",
        "dmc",
        "--domains",
        "maze",
        "--agents",
        "fb",
        "--data",
        shared,
        "--seeds",
        "0",
        "--episodes",
        "1",
        "--evaluations",
        "1");
  }

  private static List<Object> pretrain() {
    return List.of("pretrain", "--agent", "fb", "--data", shared.resolve("maze"));
  }

  @Test
  void theTimeIsOverFromThenOnAndThatIsToldOnce() {
    AtomicInteger told = new AtomicInteger();
    long hour = TimeUnit.HOURS.toNanos(1);
    try (Interruption later =
            new Interruption(() -> {}, System.nanoTime() + hour, told::incrementAndGet);
        Interruption over =
            new Interruption(() -> {}, System.nanoTime() - 1, told::incrementAndGet)) {
      assertFalse(later.getAsBoolean());
      assertTrue(over.getAsBoolean());
      assertTrue(over.getAsBoolean());
    }
    assertEquals(1, told.get());
  }

  @Test
  void aStudyEndsWithAWordOnHowToGoOnAndDoesSo() {
    Cli.Result stopped = run(dmc(), "--steps", 4, "--stop-after", NO_TIME);
    assertEquals(1, stopped.code());
    assertTrue(stopped.err().contains("minutes are over: stopping"), stopped.err());
    assertTrue(
        stopped.out().contains("0 of 1 runs are finished; the same command goes on"),
        stopped.out());
    JsonNode document = run(dmc(), "--steps", 4, "--stop-after", 60, "--json").json();
    assertEquals(1, document.path("finishedRuns").asInt());
  }

  @Test
  void whereDataIsStillCollectedNothingIsSaidOfFinishedRuns() {
    List<Object> line = new ArrayList<>(dmc());
    line.set(line.indexOf(shared), out.resolve("data"));
    Cli.Result stopped = run(line, "--collect", 2000, "--stop-after", NO_TIME, "--json");
    assertEquals(1, stopped.code());
    JsonNode document = Json.parse(stopped.out(), "standard output");
    assertEquals(1, document.path("runs").asInt());
    assertFalse(document.has("finishedRuns"));
  }

  @Test
  void aRunThatWouldNeverEndIsSavedAndGoesOn() {
    Cli.Result stopped =
        run(pretrain(), "--steps", ENDLESS, "--evaluate-every", ENDLESS, "--stop-after", 0.05);
    assertEquals(1, stopped.code());
    String said = stopped.out();
    assertTrue(said.contains("stopped, and saved; go on with: ./psm pretrain --out "), said);
    assertTrue(Files.exists(out.resolve("run/run.json")), said);
  }

  @Test
  void aSweepStopsToo() {
    List<Object> line = new ArrayList<>(List.of("sweep", "--agents", "psm", "--env", "gridworld"));
    line.addAll(List.of("--steps", ENDLESS, "--out", out.resolve("sweep")));
    line.addAll(List.of("--stop-after", NO_TIME));
    Cli.Result stopped = Cli.run(line.toArray());
    assertEquals(1, stopped.code());
    assertTrue(stopped.out().contains("the same command goes on"), stopped.out());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0|more than 0 minutes, found 0",
        "-3|more than 0 minutes",
        "NaN|more than 0 minutes",
        "soon|--stop-after"
      })
  void whatIsNoTimeIsRefused(String minutes, String told) {
    run(pretrain(), "--stop-after", minutes).refused(told);
    run(dmc(), "--stop-after", minutes).refused(told);
    Cli.run("sweep", "--agents", "psm", "--env", "gridworld", "--stop-after", minutes)
        .refused(told);
  }

  @Test
  void jobsOfSlurmStopBySlurmsTime() {
    run(dmc(), "--on", "slurm", "--stop-after", 5).refused("--slurm time=MINUTES");
  }
}
