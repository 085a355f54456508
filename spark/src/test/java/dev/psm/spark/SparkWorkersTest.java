package dev.psm.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import dev.psm.core.io.Json;
import dev.psm.lab.compute.Workers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Spark in this process: what a cluster has in common with it. */
@Tag("slow")
class SparkWorkersTest {
  @TempDir private Path folder;

  private static List<ObjectNode> numbers(int... numbers) {
    return IntStream.of(numbers).mapToObj(each -> Json.object().put("number", each)).toList();
  }

  @Test
  void whatFailsIsAResultAndTheOthersGoOn() {
    ClusterRun run = new ClusterRun();
    try (Workers workers = ClusterRun.connect("local[2]", 0, Map.of())) {
      assertTrue(
          run.perform(workers, TestWorks.Doubling.class, numbers(1, -2, 13, 4, 5, 6), () -> false));
      assertEquals(6, run.results.size());
      assertEquals(8, run.results.get(3).answer().orElseThrow().path("doubled").asInt());
      assertEquals("-2 is negative", run.results.get(1).failure().orElseThrow());
      assertTrue(run.results.get(2).failure().orElseThrow().contains("no luck\nwith 13"));
      assertTrue(run.notes.contains("doubling 5"), run.notes.toString());
      // The same machines do the next.
      assertTrue(run.perform(workers, TestWorks.Doubling.class, numbers(7), () -> false));
      assertEquals(14, run.results.get(0).answer().orElseThrow().path("doubled").asInt());
      assertTrue(run.perform(workers, TestWorks.Doubling.class, List.of(), () -> false));
    }
  }

  @Test
  void manyTasksTakeLittleEach() {
    ClusterRun run = new ClusterRun();
    try (Workers workers = ClusterRun.connect("local[2]", 0, Map.of())) {
      assertTrue(
          run.perform(
              workers,
              TestWorks.Doubling.class,
              numbers(IntStream.range(100, 1100).toArray()),
              () -> false));
      assertEquals(1000, run.results.size());
    }
  }

  @Test
  void stoppedTasksSaveThemselves() {
    ClusterRun run = new ClusterRun();
    try (Workers workers = ClusterRun.connect("local[2]", 0, Map.of())) {
      assertFalse(
          run.perform(
              workers,
              TestWorks.Endless.class,
              List.of(Json.object().put("folder", folder.toString())),
              () -> Files.exists(folder.resolve("begun"))));
    }
    assertTrue(Files.exists(folder.resolve("saved")));
    assertTrue(run.results.isEmpty());
  }

  @Test
  void aListenerThatThrowsEndsTheJob() {
    List<ObjectNode> tasks = new ArrayList<>(numbers(1, 2, 3));
    try (Workers workers = ClusterRun.connect("local[1]", 0, Map.of())) {
      UserError thrown = UserError.invalid("enough");
      assertEquals(
          thrown,
          assertThrows(
              UserError.class,
              () ->
                  workers.perform(
                      TestWorks.Doubling.class,
                      "tasks",
                      tasks,
                      new ClusterRun().context(() -> false),
                      result -> {
                        throw thrown;
                      })));
    }
  }

  @Test
  void whatSparkRefusesIsToldAsASetting() {
    try (Workers workers =
        ClusterRun.connect("local[1]", 0, Map.of("spark.driver.port", "nowhere"))) {
      UserError error =
          assertThrows(
              UserError.class,
              () ->
                  new ClusterRun()
                      .perform(workers, TestWorks.Doubling.class, numbers(1), () -> false));
      assertEquals("sparkConf", error.argument().orElse(error.getMessage()));
    }
  }

  @Test
  void aSchedulerThatIsNotHereIsNamed() {
    try (Workers workers = ClusterRun.connect("yarn", 0, Map.of())) {
      UserError error =
          assertThrows(
              UserError.class,
              () ->
                  new ClusterRun()
                      .perform(workers, TestWorks.Doubling.class, numbers(1), () -> false));
      assertEquals(UserError.Kind.FAILED, error.kind());
      assertTrue(error.getMessage().contains("SPARK_HOME"), error.getMessage());
    }
  }
}
