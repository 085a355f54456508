package dev.psm.app;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.data.Dataset;
import dev.psm.core.data.Episode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CollectKillTest {
  private static final int ROUNDS = 5;

  @TempDir Path root;

  private static List<Object> line(Path folder) {
    return List.of(
        "collect",
        "--env",
        "maze",
        "--environments",
        2,
        "--threads",
        1,
        "--steps",
        ROUNDS * 2000,
        "--out",
        folder,
        "width=16",
        "representation=8",
        "batchSize=16",
        "stepsPerUpdate=40",
        "seedSteps=500",
        "replayCapacity=5000");
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
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(log().toFile())
        .start();
  }

  private Path log() {
    return root.resolve("log");
  }

  @Test
  @Tag("slow")
  void aProcessThatIsAskedToStopSaysWhatIsStoredAndHowToGoOn() throws Exception {
    Path stopped = root.resolve("stopped");
    Process child =
        start(
            List.of(
                "collect",
                "--env",
                "maze",
                "--policy",
                "random",
                "--environments",
                2,
                "--threads",
                1,
                "--steps",
                100_000_000,
                "--out",
                stopped));
    try {
      while (!Files.exists(stopped.resolve("chunk-000000.safetensors"))) {
        assertTrue(child.isAlive(), () -> "the child ended on its own: " + log());
        Thread.sleep(2);
      }
      child.destroy();
      assertTrue(child.waitFor(60, TimeUnit.SECONDS));
    } finally {
      child.destroyForcibly().waitFor();
    }
    String said = Files.readString(log());
    assertEquals(143, child.exitValue(), said);
    long stored;
    try (Dataset dataset = Dataset.open(stopped)) {
      stored = dataset.transitions();
    }
    assertTrue(
        said.contains(
            "stopped: %,d of 100,000,000 steps are stored in %s; the same command goes on"
                .formatted(stored, stopped)),
        said);
    Cli.run("dataset", "check", stopped).succeeded();
  }

  /** Each kill comes as soon as the process has stored a round more than at the last one. */
  @Test
  @Tag("slow")
  void aProcessKilledAgainAndAgainCollectsWhatOneThatLivesDoes() throws Exception {
    Path killed = root.resolve("killed");
    for (int kill = 0; kill < 3; kill++) {
      Path awaited = killed.resolve("chunk-%06d.safetensors".formatted(kill));
      Process child = start(line(killed));
      try {
        while (!Files.exists(awaited)) {
          assertTrue(child.isAlive(), () -> "the child ended on its own: " + log());
          Thread.sleep(5);
        }
      } finally {
        child.destroyForcibly().waitFor();
      }
      assertEquals(137, child.exitValue(), "128 + 9: it did not come to its end");
    }
    Cli.run("dataset", "check", killed).succeeded();
    Path whole = root.resolve("whole");
    Cli.run(line(killed).toArray()).succeeded();
    Cli.run(line(whole).toArray()).succeeded();
    Cli.run("dataset", "check", killed).succeeded();
    try (Dataset one = Dataset.open(whole);
        Dataset other = Dataset.open(killed)) {
      assertEquals(2 * ROUNDS, one.episodes());
      assertEquals(2 * ROUNDS, other.episodes());
      for (int i = 0; i < one.episodes(); i++) {
        Episode expected = one.episode(i);
        Episode found = other.episode(i);
        assertArrayEquals(expected.observations(), found.observations());
        assertArrayEquals(expected.actions(), found.actions());
        assertArrayEquals(expected.discounts(), found.discounts());
        assertArrayEquals(expected.physics(), found.physics());
      }
    }
  }
}
