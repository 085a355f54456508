package dev.psm.app;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.psm.lab.run.OnnxExport;
import dev.psm.zeroshot.Prompt;
import dev.psm.zeroshot.ZeroShotAgent;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code export --onnx} and {@code solve --onnx}; what the files compute is tested in lab. */
class OnnxCommandsTest {
  @TempDir private static Path shared;
  @TempDir private Path fresh;
  private static Path run;
  private static Path data;

  @BeforeAll
  static void train() {
    run = shared.resolve("run");
    data = shared.resolve("data");
    TinyRun.make("maze", data, run, List.of(0L, 3L));
  }

  @Test
  void exportWritesTheActorAndTheFeaturesOfTheSeed() throws IOException {
    Path file = fresh.resolve("new/maze.onnx");
    JsonNode said = Cli.run("export", run, "--seed", 3, "--onnx", file, "--json").json();
    assertEquals("psm", said.path("agent").asText());
    assertEquals("point_mass_maze", said.path("environment").asText());
    Path features = fresh.resolve("new/maze.features.onnx");
    assertEquals(Files.size(file), said.path("onnx").path(file.toString()).asLong());
    assertEquals(Files.size(features), said.path("onnx").path(features.toString()).asLong());
    Path expected = fresh.resolve("expected.onnx");
    OnnxExport.write(ZeroShotAgent.load(run, 3), expected);
    requireSame(expected, file);
    requireSame(OnnxExport.featuresFile(expected), features);
    assertEquals(2, list(file.getParent()).length);
  }

  @Test
  void exportWritesBothTheFolderAndTheNetworks() {
    Path file = fresh.resolve("maze.onnx");
    JsonNode said =
        Cli.run("export", run, "--out", fresh.resolve("maze"), "--onnx", file, "--json").json();
    assertTrue(said.path("files").has("model.json"), said.toString());
    assertEquals(2, said.path("onnx").size());
    assertTrue(Files.exists(file));
    ZeroShotAgent.load(fresh.resolve("maze"));
  }

  @Test
  void solveWritesThePolicyOfItsPrompt() throws IOException {
    Path file = fresh.resolve("policy.onnx");
    JsonNode said =
        Cli.run("solve", run, "--reward", "x", "--episodes", 0, "--onnx", file, "--json").json();
    assertEquals(file.toString(), said.at("/onnx/file").asText());
    assertEquals(Files.size(file), said.at("/onnx/bytes").asLong());
    ZeroShotAgent agent = ZeroShotAgent.load(run);
    Prompt prompt = new Prompt.Reward(agent.environment().taskOrFormula("x"));
    Path expected = fresh.resolve("expected.onnx");
    OnnxExport.write(agent, prompt, expected);
    requireSame(expected, file);
  }

  @Test
  void filesAreReplacedOnlyByForce() throws IOException {
    Path file = fresh.resolve("maze.onnx");
    for (String name : List.of("maze.onnx", "maze.features.onnx")) {
      Path taken = Files.writeString(fresh.resolve(name), "mine");
      Cli.run("export", run, "--onnx", file).refused("--onnx: " + taken, "already", "--force");
      assertEquals("mine", Files.readString(taken));
      Files.delete(taken);
    }
    assertEquals(0, list(fresh).length);
    Files.writeString(file, "mine");
    Object[] solve = {"solve", run, "--reward", "x", "--episodes", 0, "--onnx", file};
    Cli.run(solve).refused("--onnx: " + file, "--force");
    assertEquals("mine", Files.readString(file));
    Cli.run("solve", run, "--reward", "x", "--episodes", 0, "--onnx", file, "--force").succeeded();
    byte[] policy = Files.readAllBytes(file);
    assertNotEquals("mine", new String(policy, StandardCharsets.ISO_8859_1));
    Cli.run("export", run, "--onnx", file, "--force").succeeded();
    assertFalse(Arrays.equals(policy, Files.readAllBytes(file)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "export RUN|--out DIR, --onnx FILE.onnx",
        "export RUN --onnx FRESH/a.txt|--onnx: the name must end in .onnx",
        "export RUN --onnx FRESH|--onnx",
        "export RUN --onnx /dev/null/a.onnx|/dev/null is a file",
        "export RUN --onnx FRESH/a.onnx --float16|--float16 is for the folder of --out",
        "export RUN --onnx FRESH/a.onnx --sample 9|--sample is for the folder of --out",
        "export RUN --onnx FRESH/a.onnx --shard 1M|--shard is for the folder of --out",
        "export RUN --onnx FRESH/a.onnx --seed 1|has no seed 1",
        "export FRESH --onnx FRESH/a.onnx|holds no agent",
        "solve RUN --reward x --onnx FRESH/a.txt|--onnx: the name must end in .onnx",
        "solve RUN --reward x --onnx /dev/null/a.onnx|/dev/null is a file",
        "solve RUN --reward x --force|--force is for ONNX files",
        "solve RUN --demo DATA --episodes 0 --onnx FRESH/a.onnx|changes with every step"
      })
  void whatCannotBeAskedIsRefusedAndNothingIsLeft(String line, String word) {
    String[] words =
        line.replace("RUN", run.toString())
            .replace("DATA", data.toString())
            .replace("FRESH", fresh.toString())
            .split(" ");
    Cli.run((Object[]) words).refused(word);
    assertArrayEquals(new String[0], list(fresh));
  }

  @Test
  void numberedActionsAreRefusedBeforeTheFolderIsWritten() {
    Path folder = fresh.resolve("folder");
    Cli.run(
            "export",
            "../models/fetchreach-psm",
            "--out",
            folder,
            "--onnx",
            fresh.resolve("fetch.onnx"))
        .refused("the values of numbered actions");
    assertArrayEquals(new String[0], list(fresh));
  }

  @Test
  void gridsAreRefused() throws IOException {
    Path map = Files.writeString(fresh.resolve("map.txt"), "...\n...\n");
    Path grid = fresh.resolve("grid");
    Cli.runTiny("pretrain", "--map", map, "--out", grid).succeeded();
    Path file = fresh.resolve("grid.onnx");
    Cli.run("export", grid, "--onnx", file).refused("needs no ONNX graph");
    Cli.run("solve", grid, "--goal", "0,0", "--onnx", file)
        .refused("--onnx is for continuous control", "holds a model of map");
    assertTrue(Files.notExists(file));
  }

  private static void requireSame(Path expected, Path found) throws IOException {
    assertEquals(-1, Files.mismatch(expected, found));
  }

  private static String[] list(Path folder) {
    return folder.toFile().list();
  }
}
