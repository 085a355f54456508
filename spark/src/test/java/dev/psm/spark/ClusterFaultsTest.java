package dev.psm.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.UserError;
import dev.psm.core.env.World;
import dev.psm.core.env.Worlds;
import dev.psm.core.io.Json;
import dev.psm.core.reward.Task;
import dev.psm.lab.Progress;
import dev.psm.lab.collect.Collection;
import dev.psm.lab.collect.WanderSettings;
import dev.psm.lab.compute.LocalWorkers;
import dev.psm.lab.compute.TaskResult;
import dev.psm.lab.compute.WorkContext;
import dev.psm.lab.compute.Workers;
import dev.psm.lab.infer.Inference;
import dev.psm.lab.infer.InferenceResult;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A master and two workers on this machine, and what they survive. */
@Tag("slow")
class ClusterFaultsTest {
  @TempDir private static Path spark;
  private static LoopbackCluster cluster;

  @TempDir private Path folder;

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    cluster = new LoopbackCluster(spark, 2, 2, 1);
  }

  @AfterAll
  static void stop() throws InterruptedException {
    cluster.close();
  }

  /** A study in a process of its own, where it can be killed. */
  private Process study(String master, Path out) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-Dorg.bytedeco.openblas.load=mkl",
                "-cp",
                System.getProperty("java.class.path"),
                SmallStudy.class.getName(),
                master,
                out.toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("said").toFile());
    builder.environment().putAll(cluster.environment());
    return builder.start();
  }

  private void finish(Process study) throws IOException, InterruptedException {
    assertTrue(study.waitFor(5, TimeUnit.MINUTES), said());
    assertEquals(0, study.exitValue(), said());
  }

  private String said() throws IOException {
    return Files.readString(folder.resolve("said"));
  }

  private static void await(Stage reached) throws IOException, InterruptedException {
    for (int i = 0; !reached.isThere(); i++) {
      assertTrue(i < 1200, "waited for two minutes");
      Thread.sleep(100);
    }
  }

  private interface Stage {
    boolean isThere() throws IOException;
  }

  private static long checkpoints(Path out) throws IOException {
    if (!Files.isDirectory(out)) {
      return 0;
    }
    try (Stream<Path> files = Files.walk(out)) {
      return files.filter(file -> file.toString().contains("checkpoints" + File.separator)).count();
    } catch (java.io.UncheckedIOException e) {
      // What was unfinished has just taken its name.
      return 0;
    }
  }

  /** Of every file of weights the tensors, as the digest in its header tells, and the table. */
  private static Map<String, String> outcome(Path out) throws IOException {
    Map<String, String> outcome = new TreeMap<>();
    try (Stream<Path> files = Files.walk(out)) {
      for (Path file : (Iterable<Path>) files.sorted()::iterator) {
        String name = out.relativize(file).toString();
        if (name.endsWith("model.safetensors")) {
          String header = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
          int digest = header.indexOf("psm.sha256");
          outcome.put(name, header.substring(digest, digest + 79));
        } else if (name.equals("table.csv")) {
          // The last column is how long it took.
          outcome.put(name, SmallStudy.withoutTimes(Files.readAllLines(file)));
        }
      }
    }
    return outcome;
  }

  @Test
  void aStudyEndsWithTheSameBitsWhateverIsKilled() throws IOException, InterruptedException {
    Path local = folder.resolve("local");
    finish(study("local", local));
    Map<String, String> expected = outcome(local);
    assertEquals(SmallStudy.RUNS + 1, expected.size());

    Path out = folder.resolve("cluster");
    Process study = study(cluster.address(), out);
    await(() -> checkpoints(out) >= 2);
    assertTrue(cluster.executors().get(0).destroyForcibly());
    long first = checkpoints(out);
    await(() -> checkpoints(out) > first || !study.isAlive());
    assertTrue(study.isAlive(), "it ended before a worker could be killed");
    cluster.killWorker(0);
    long second = checkpoints(out);
    await(() -> checkpoints(out) > second || !study.isAlive());
    assertTrue(study.isAlive(), "it ended before it could be killed");
    study.destroyForcibly().waitFor();
    cluster.addWorker(2, 1);
    finish(study(cluster.address(), out));
    assertEquals(expected, outcome(out));
  }

  /** Nothing of a part is kept: its sums begin anew in another process. */
  @Test
  void aPassEndsWithTheSameBitsWhenThoseWhoPerformItsPartsAreLost() {
    World walker = Worlds.named("walker");
    Path data = folder.resolve("data");
    Collection.byWandering(
        walker,
        new Collection.Plan(36L * walker.episodeSteps(), 36, 2, 0),
        WanderSettings.USUAL,
        data,
        WorkContext.of(Progress.SILENT));
    Path agent = Path.of("..", "models", "walker-psm");
    List<Task> tasks = Stream.of("velocity_x", "stand").map(walker::taskOrFormula).toList();
    ClusterRun run = new ClusterRun();
    String expected =
        Inference.run(agent, data, tasks, new LocalWorkers(1), run.context(() -> false))
            .orElseThrow()
            .toJson()
            .toString();
    FirstTask.BEGUN.set(() -> cluster.executors().forEach(ProcessHandle::destroyForcibly));
    try (Workers workers =
        ClusterRun.connect(
            cluster.address(), 0, Map.of("spark.extraListeners", FirstTask.class.getName()))) {
      InferenceResult found =
          Inference.run(agent, data, tasks, workers, run.context(() -> false)).orElseThrow();
      assertEquals(expected, found.toJson().toString());
    }
    assertTrue(
        run.notes.stream().anyMatch(note -> note.contains("was lost")), run.notes.toString());
  }

  @Test
  void aTaskThatEndsItsProcessEveryTimeFailsAlone() {
    ClusterRun run = new ClusterRun();
    List<ObjectNode> tasks = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      tasks.add(Json.object().put("deadly", i == 1));
    }
    try (Workers workers =
        ClusterRun.connect(cluster.address(), 0, Map.of("spark.task.maxFailures", "2"))) {
      assertTrue(run.perform(workers, TestWorks.Deadly.class, tasks, () -> false));
    }
    assertEquals(4, run.results.size());
    String failure = run.results.get(1).failure().orElseThrow();
    assertTrue(failure.startsWith("its process was lost 2 times"), failure);
    assertTrue(failure.contains("code 9"), failure);
    for (int i : new int[] {0, 2, 3}) {
      assertTrue(run.results.get(i).answer().isPresent());
    }
    assertTrue(
        run.notes.stream().anyMatch(note -> note.contains("was lost")), run.notes.toString());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aGpuIsOneTasksUnlessItIsShared(int tasksPerGpu) {
    ClusterRun run = new ClusterRun();
    List<ObjectNode> tasks = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      tasks.add(Json.object().put("folder", folder.toString()).put("expected", tasksPerGpu));
    }
    try (Workers workers =
        ClusterRun.connect(cluster.address(), tasksPerGpu, Map.of("spark.cores.max", "4"))) {
      assertTrue(run.perform(workers, TestWorks.Occupying.class, tasks, () -> false));
    }
    int most = 0;
    for (TaskResult result : run.results.values()) {
      ObjectNode answer =
          result.answer().orElseThrow(() -> new AssertionError(result.failure().orElse("")));
      assertTrue(answer.path("gpu").asText().matches("\\d+"), answer.toString());
      most = Math.max(most, answer.path("most").asInt());
    }
    assertEquals(tasksPerGpu, most);
  }

  @Test
  void aFolderThatAMachineDoesNotShareIsNamed() throws IOException {
    ClusterRun run = new ClusterRun();
    Path shared = folder.resolve("shared");
    try (Workers workers = ClusterRun.connect(cluster.address(), 0, Map.of())) {
      assertTrue(
          run.perform(
              workers,
              TestWorks.Writing.class,
              List.of(Json.object().put("folder", shared.toString())),
              () -> false));
    }
    assertTrue(run.results.get(0).answer().isPresent());
    try (Stream<Path> left = Files.list(shared)) {
      assertEquals(0, left.count());
    }
    UserError error =
        assertThrows(
            UserError.class,
            () -> SharedFolders.require(List.of(shared), ".psm-shared-of-another", 0));
    assertTrue(error.getMessage().contains(shared + " is not the one"), error.getMessage());
    error =
        assertThrows(
            UserError.class,
            () -> SharedFolders.require(List.of(folder.resolve("none")), ".psm-shared-x", 0));
    assertTrue(error.getMessage().contains("there is no folder"), error.getMessage());
  }

  @Test
  void whatFitsNoWorkerIsToldInWords() {
    ClusterRun run = new ClusterRun();
    try (Workers workers = ClusterRun.connect(cluster.address(), 0, Map.of())) {
      UserError error =
          assertThrows(
              UserError.class,
              () ->
                  run.perform(workers, TestWorks.Huge.class, List.of(Json.object()), () -> false));
      assertTrue(error.getMessage().contains("no worker is large enough"), error.getMessage());
      assertTrue(error.getMessage().contains("1100.6 GB"), error.getMessage());
    }
  }

  @Test
  void stoppedTasksSaveThemselves() {
    ClusterRun run = new ClusterRun();
    try (Workers workers = ClusterRun.connect(cluster.address(), 0, Map.of())) {
      assertFalse(
          run.perform(
              workers,
              TestWorks.Endless.class,
              List.of(Json.object().put("folder", folder.toString())),
              () -> Files.exists(folder.resolve("begun"))));
    }
    assertTrue(Files.exists(folder.resolve("saved")));
  }
}
