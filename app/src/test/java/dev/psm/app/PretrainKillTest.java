package dev.psm.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.psm.core.io.Json;
import dev.psm.core.io.Safetensors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real processes, ended by real signals. */
final class PretrainKillTest {
  private static final int STEPS = 400;
  private static final int PROTO_STEPS = 100;
  private static final int ENDLESS = 1_000_000;

  @TempDir private static Path shared;
  private static Path data;

  @TempDir private Path root;
  private Path log;

  @BeforeAll
  static void collect() {
    data = PretrainDataTest.collect(shared.resolve("data"), "maze");
  }

  private static List<Object> line(Path folder, int steps) {
    List<Object> line = new ArrayList<>(List.of("pretrain", "--data", data, "--out", folder));
    line.addAll(List.of("gradientSteps=" + steps, "--seeds", "0,1", "protoSteps=" + PROTO_STEPS));
    line.addAll(List.of("--log-every", 10, "--checkpoint-every", 20, "--evaluate-every", 150));
    line.addAll(List.of("--episodes", 1));
    line.addAll(PretrainDataTest.TINY);
    return line;
  }

  private Process start(List<Object> line) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                // Two makers' matrix products differ in their last bits.
                "-Dorg.bytedeco.openblas.load="
                    + System.getProperty("org.bytedeco.openblas.load", ""),
                "-cp",
                System.getProperty("java.class.path"),
                Psm.class.getName()));
    line.forEach(word -> command.add(word.toString()));
    log = root.resolve("log");
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .start();
  }

  private void await(Process child, Path file) throws Exception {
    while (!Files.exists(file)) {
      assertTrue(child.isAlive(), () -> "the child ended on its own: " + log);
      Thread.sleep(2);
    }
  }

  private static Path checkpoint(Path folder, int seed, int step) {
    return folder.resolve("seed-%d/checkpoints/step-%09d.safetensors".formatted(seed, step));
  }

  private static List<String> metrics(Path folder, int seed) throws IOException {
    return Files.readAllLines(folder.resolve("seed-" + seed + "/metrics.jsonl")).stream()
        .map(line -> line.replaceAll("\"seconds\":[^,}]*", ""))
        .toList();
  }

  private static void assertSame(Path expected, Path found) throws IOException {
    for (int seed = 0; seed < 2; seed++) {
      assertEquals(metrics(expected, seed), metrics(found, seed));
      assertEquals(
          Safetensors.read(checkpoint(expected, seed, STEPS)).tensors(),
          Safetensors.read(checkpoint(found, seed, STEPS)).tensors());
    }
  }

  /** Before and after the basis is learned. */
  @ParameterizedTest
  @ValueSource(ints = {PROTO_STEPS - 60, PROTO_STEPS + 60})
  @Tag("slow")
  void aKilledProcessGoesOnAsIfItHadLived(int step) throws Exception {
    Path killed = root.resolve("killed");
    Process child = start(line(killed, STEPS));
    try {
      await(child, checkpoint(killed, 1, step));
      Cli.run("pretrain", "--resume", "--out", killed)
          .refused("another process is training into " + killed);
    } finally {
      child.destroyForcibly().waitFor();
    }
    assertEquals(137, child.exitValue(), "128 + 9: it did not come to its end");
    assertFalse(Files.exists(killed.resolve("result.json")));
    assertEquals(
        PROTO_STEPS,
        Json.read(killed.resolve("run.json")).path("settings").path("protoSteps").asInt());
    Cli.run("pretrain", "--resume", "--out", killed).succeeded();
    Path whole = root.resolve("whole");
    Cli.run(line(whole, STEPS).toArray()).succeeded();
    assertSame(whole, killed);
  }

  @Test
  void aProcessThatIsAskedToStopSavesAndSaysHowToGoOn() throws Exception {
    Path stopped = root.resolve("stopped");
    Process child = start(line(stopped, ENDLESS));
    try {
      await(child, checkpoint(stopped, 1, 20));
      child.destroy();
      assertTrue(child.waitFor(60, TimeUnit.SECONDS));
    } finally {
      child.destroyForcibly().waitFor();
    }
    String said = Files.readString(log);
    assertEquals(143, child.exitValue(), said);
    assertTrue(said.contains("psm: stopping after this step, and saving it"), said);
    assertTrue(said.contains("go on with: ./psm pretrain --out " + stopped + " --resume"), said);
    int newest = newest(stopped);
    assertTrue(said.contains(" %,d of 1,000,000 gradient steps".formatted(newest)), said);
    assertTrue(Files.exists(checkpoint(stopped, 0, newest)));
    JsonNode model = Json.read(stopped.resolve("seed-1/model.json"));
    assertEquals(newest, model.path("gradientSteps").asInt(), "a stopped run can be used");
  }

  private static int newest(Path folder) throws IOException {
    try (var files = Files.list(folder.resolve("seed-1/checkpoints"))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.startsWith("step-"))
          .mapToInt(name -> Integer.parseInt(name.substring(5, 14)))
          .max()
          .orElseThrow();
    }
  }
}
