package dev.psm.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.psm.core.io.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InferCommandTest {
  @TempDir private static Path shared;
  @TempDir private Path fresh;
  private static Path data;
  private static Path run;

  @BeforeAll
  static void make() {
    data = shared.resolve("data");
    run = shared.resolve("run");
    TinyRun.make("maze", data, run, List.of(0L));
  }

  private Path rewards(String name, String text) throws IOException {
    return Files.writeString(fresh.resolve(name), text);
  }

  private Cli.Result infer(Path rewards, Path out, Object... more) {
    Object[] all = new Object[8 + more.length];
    Object[] first = {"infer", run, "--data", data, "--rewards", rewards, "--out", out};
    System.arraycopy(first, 0, all, 0, 8);
    System.arraycopy(more, 0, all, 8, more.length);
    return Cli.run(all);
  }

  @Test
  void whatWasInferredIsPlayedFromEitherFile() throws IOException {
    Path rewards = rewards("r.txt", "right: x > 0 ? 1 : 0\nreach_top_left # a task\nseven: 7\n");
    Path json = fresh.resolve("v.json");
    Path tensors = fresh.resolve("v.safetensors");
    Cli.Result told = infer(rewards, json);
    assertTrue(told.succeeded().out().contains("3 rewards in 2,000 states"), told.out());
    assertTrue(told.err().contains("'seven' is 7.0 in every state"), told.err());
    infer(rewards, tensors, "--on", "local", "--at-once", 2).succeeded();
    JsonNode document = Json.read(json);
    assertEquals(2000, document.path("states").asInt());
    JsonNode first = document.path("tasks").path(0);
    assertEquals("right", first.path("name").asText());
    for (Path file : List.of(json, tensors)) {
      JsonNode solved =
          Cli.run("solve", run, "--vectors", file, "--task", "right", "--json").json();
      assertEquals(first.path("taskVector").toString(), solved.path("taskVector").toString());
      assertEquals("x > 0 ? 1 : 0", solved.path("formula").asText());
      assertTrue(solved.path("episodes").path("agent").path(0).has("return"), solved::toString);
    }
    Cli.run("solve", run, "--vectors", json).refused("3 vectors", "right, reach_top_left, seven");
    Cli.run("solve", run, "--vectors", json, "--task", "rihgt").refused("did you mean 'right'");
  }

  @Test
  void rewardsMayBeJson() throws IOException {
    Path rewards = rewards("r.json", "{\"right\": \"x\", \"up\": \"y + 1\"}");
    Path out = fresh.resolve("v.json");
    infer(rewards, out).succeeded();
    assertEquals("up", Json.read(out).path("tasks").path(1).path("name").asText());
    infer(rewards, out).refused("v.json is there already", "--force");
    infer(rewards, out, "--force").succeeded();
    infer(rewards("bad.json", "{\"right\": \"xx\"}"), fresh.resolve("w.json"))
        .refused("bad.json, field right", "xx");
  }

  @Test
  void aWrongFileIsToldByLineAndColumn() throws IOException {
    Path out = fresh.resolve("v.json");
    infer(rewards("a.txt", "x\n# none\nb: clip(y, 0\n"), out).refused("a.txt, line 3", "column 8");
    infer(rewards("b.txt", "\n# nothing\n"), out).refused("found none");
    infer(rewards("c.txt", "x\nsqrt(-1 - x * x)\n"), out).refused("pays NaN in row");
    infer(fresh.resolve("missing.txt"), out).refused("missing.txt", "no such file");
    Path there = rewards("there.json", "{\"right\": \"x\"}");
    infer(there, there).refused("there.json is there already", "--force");
    infer(rewards("d.txt", "x"), fresh.resolve("v.npy")).refused("--out", ".json or .safetensors");
    assertFalse(Files.exists(out));
  }

  /** A real one where the system lets us have a file system of our own: as root on Linux. */
  @ParameterizedTest
  @ValueSource(strings = {".json", ".safetensors"})
  void aFullDiskLeavesNoHalfFile(String suffix) throws IOException, InterruptedException {
    Path disk = Files.createDirectory(fresh.resolve("disk"));
    assumeTrue(
        isDone("mount", "-t", "tmpfs", "-o", "size=4k", "psm-test", disk),
        "a small disk needs the right to mount one");
    try {
      String formulas =
          IntStream.range(0, 100).mapToObj("x + %d\n"::formatted).collect(Collectors.joining());
      Path out = disk.resolve("v" + suffix);
      Cli.Result full = infer(rewards("r.txt", formulas), out);
      assertEquals(1, full.code(), full.err());
      assertTrue(
          full.err().contains("cannot write %s: the disk is full; free some".formatted(out)),
          full.err());
      try (Stream<Path> left = Files.list(disk)) {
        assertEquals(List.of(), left.toList());
      }
    } finally {
      assertTrue(isDone("umount", disk));
    }
  }

  private static boolean isDone(Object... command) throws IOException, InterruptedException {
    List<String> words = Stream.of(command).map(Object::toString).toList();
    try {
      return new ProcessBuilder(words).inheritIO().start().waitFor() == 0;
    } catch (IOException e) {
      // There is no such program.
      return false;
    }
  }

  @Test
  void aDeviceThatTakesNothingIsToldInWords() throws IOException {
    Path out = Files.createSymbolicLink(fresh.resolve("v.json"), Path.of("/dev/full"));
    Cli.Result full = infer(rewards("r.txt", "x\n"), out);
    assertEquals(1, full.code(), full.err());
    assertTrue(full.err().contains("the disk is full; free some space"), full.err());
  }

  @Test
  void otherDataAndModelsAreRefused() throws IOException {
    Path rewards = rewards("r.txt", "x\n");
    Path other = fresh.resolve("walker");
    Cli.run(
            "collect",
            "--env",
            "walker",
            "--policy",
            "random",
            "--steps",
            1,
            "--environments",
            1,
            "--out",
            other)
        .succeeded();
    Cli.run("infer", run, "--data", other, "--rewards", rewards)
        .refused("--data", "holds data of walker", "acts in point_mass_maze");
    Path grid = fresh.resolve("grid");
    Cli.runTiny("pretrain", "--env", "gridworld", "--agent", "psm", "--out", grid).succeeded();
    Cli.run("infer", grid, "--data", data, "--rewards", rewards("g.txt", "row\n"))
        .refused("few and known");
    Path fetch = Path.of("..", "models", "fetchreach-psm");
    Cli.run("infer", fetch, "--data", data, "--rewards", rewards("f.txt", "gripper_x\n"))
        .refused("fetchreach-psm is a model of");
  }
}
