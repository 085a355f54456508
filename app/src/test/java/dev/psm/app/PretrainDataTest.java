package dev.psm.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.io.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** pretrain on a dataset, in a folder whose name has spaces. */
final class PretrainDataTest {
  static final List<String> TINY =
      List.of("batchSize=16", "featureDimension=4", "width=8", "featureWidth=8");

  @TempDir private static Path shared;
  private static Path data;

  @TempDir private Path root;

  @BeforeAll
  static void collect() {
    data = collect(shared.resolve("some data"), "maze");
  }

  static Path collect(Path folder, String environment) {
    Cli.run(
            "collect",
            "--env",
            environment,
            "--policy",
            "random",
            "--environments",
            1,
            "--threads",
            1,
            "--steps",
            1000,
            "--out",
            folder)
        .succeeded();
    return folder;
  }

  private Cli.Result pretrain(Object... more) {
    List<Object> line = new ArrayList<>(List.of("pretrain", "--data", data));
    line.addAll(List.of(more));
    line.addAll(List.of("--episodes", 1));
    line.addAll(TINY);
    return Cli.run(line.toArray());
  }

  @Test
  void afterAFullDiskTheCommandThatGoesOnIsNamedAndWorks() throws IOException {
    Path out = root.resolve("run");
    pretrain("--steps", 6, "--out", out).succeeded();
    Path model = out.resolve("seed-0/model.json");
    Files.delete(model);
    Files.createSymbolicLink(model, Path.of("/dev/full"));
    Cli.Result full = Cli.run("pretrain", "--out", out, "--resume", "--from-step", 0);
    assertEquals(1, full.code(), full.err());
    assertTrue(
        full.err()
            .contains(
                "the disk is full; free some space and run again (./psm pretrain --out %s --resume)"
                    .formatted(out)),
        full.err());
    Files.delete(model);
    Cli.run("pretrain", "--out", out, "--resume").succeeded();
    assertTrue(Files.isRegularFile(model));
  }

  @ParameterizedTest
  @ValueSource(strings = {"psm", "fb", "laplacian", "hilp"})
  void everyAgentLearns(String agent) throws IOException {
    Path out = root.resolve("a run");
    JsonNode document =
        pretrain("--agent", agent, "--steps", 6, "--seeds", "2,5", "--out", out, "--json").json();
    assertEquals(agent, document.path("agent").asText());
    assertEquals("small", document.path("preset").asText());
    assertEquals("point_mass_maze", document.path("environment").asText());
    assertEquals(6, document.path("step").asInt());
    assertTrue(document.path("finished").asBoolean());
    assertEquals(2, document.path("seeds").get(0).asInt());
    assertTrue(document.path("trainingSeconds").asDouble() > 0);
    assertTrue(Files.exists(out.resolve("seed-5/checkpoints/step-000000006.safetensors")));
    try (Stream<String> lines = Files.lines(out.resolve("seed-2/metrics.jsonl"))) {
      // Every step, though so short a run is far from 500 of them.
      assertEquals(6, lines.filter(each -> !each.contains("return/")).count());
    }
  }

  @Test
  void aPhaseThatTheUserGaveIsNotStretched() {
    Path out = root.resolve("run");
    Object[] line = {"--steps", 8, "--out", out, "--json", "protoSteps=5"};
    assertEquals(5, pretrain(line).json().at("/settings/protoSteps").asInt());
    Object[] again = {"--steps", 8, "--out", out, "--json", "--resume", "protoSteps=5"};
    assertTrue(pretrain(again).json().path("finished").asBoolean());
    pretrain("--steps", 8, "--out", root.resolve("other"), "gradientSteps=9")
        .refused("--steps 8", "gradientSteps=9");
    pretrain("--steps", 8, "--out", out, "--resume", "gradientSteps=9").refused("--steps 8");
    pretrain("--steps", 8, "--out", root.resolve("other"), "protoSteps=0")
        .refused("the basis would never be learned");
  }

  @Test
  void aFinishedRunSaysSoAndGrows() {
    Path out = root.resolve("run");
    pretrain("--steps", 6, "--keep", 5, "--out", out, "decay=none").succeeded();
    Cli.Result again = Cli.run("pretrain", "--resume", "--out", out).succeeded();
    assertTrue(again.out().contains("the run is finished after 6 steps"), again.out());
    assertTrue(
        Cli.run("pretrain", "--resume", "--out", out, "--json")
            .json()
            .path("finished")
            .asBoolean());
    // The same line again, with --resume, is no change.
    pretrain("--steps", 6, "--keep", 5, "--seed", 0, "--out", out, "--resume").succeeded();
    JsonNode more =
        Cli.run("pretrain", "--resume", "--out", out, "gradientSteps=9", "--json").json();
    assertEquals(9, more.path("step").asInt());
    assertEquals(9, more.path("settings").path("common").path("gradientSteps").asInt());
    assertEquals(9, Json.read(out.resolve("result.json")).path("steps").asInt());
    Cli.run("pretrain", "--resume", "--out", out, "--steps", 8)
        .refused("can only become more, found 8");
    Cli.run("pretrain", "--resume", "--out", out, "discount=0.5").refused("discount=0.5");
    Cli.run("pretrain", "--resume", "--out", out, "--agent", "fb").refused("--agent", "psm", "fb");
    Cli.run("pretrain", "--resume", "--out", out, "--keep", 1).refused("--keep", "5, found 1");
    Cli.run("pretrain", "--resume", "--out", out, "--seeds", "0,1").refused("--seeds");
    Cli.run("pretrain", "--resume", "--out", out, "--from-step", 7, "--steps", 10)
        .refused("no checkpoint of step 7", "[6, 9]");
    Cli.run("pretrain", "--env", "spiral", "--out", out).refused("already holds a run");
    Cli.run("pretrain", "--resume", "--env", "spiral", "--out", out)
        .refused("the run in " + out + " learns a dataset");
    Path other = collect(root.resolve("other"), "walker");
    Cli.run("pretrain", "--resume", "--out", out, "--data", other, "--steps", 12)
        .refused("is not what the run began with");
    Cli.run("pretrain", "--resume", "--out", out, "--data", other)
        .refused("is not what the run began with");
    Path nowhere = root.resolve("nowhere");
    Cli.run("pretrain", "--resume", "--out", out, "--data", nowhere, "--steps", 12)
        .refused("there is no dataset.json");
  }

  @Test
  void aRunWithADecayEndsWhereItWasToEnd() {
    Path out = root.resolve("run");
    pretrain("--steps", 6, "--out", out, "decay=cosine").succeeded();
    Cli.Result again = Cli.run("pretrain", "--resume", "--out", out).succeeded();
    assertTrue(again.out().contains("finished after 6 steps"), again.out());
    assertFalse(again.out().contains("gradientSteps="), again.out());
    Cli.run("pretrain", "--resume", "--out", out, "gradientSteps=9")
        .refused(
            "depends on the last one, 6 (its learning rates fall", "start a new run", "decay=none");
    Cli.run("pretrain", "--resume", "--out", out, "gradientSteps=5")
        .refused("can only become more, found 5");
  }

  @Test
  void aRunIsReplacedOnlyByForce() {
    Path out = root.resolve("run");
    pretrain("--steps", 6, "--out", out).succeeded();
    pretrain("--steps", 4, "--out", out).refused("already holds a run", "--resume", "--force");
    pretrain("--steps", 4, "--agent", "fb", "--out", out, "--force").succeeded();
    assertFalse(Files.exists(out.resolve("seed-0/checkpoints/step-000000006.safetensors")));
    assertTrue(Files.exists(out.resolve("seed-0/checkpoints/step-000000004.safetensors")));
  }

  @Test
  void settingsArePrintedWithoutTraining() {
    Cli.Result printed = Cli.run("pretrain", "--data", data, "--settings", "--preset", "paper");
    assertTrue(printed.succeeded().out().contains("protoSteps"), printed.out());
    JsonNode settings =
        Cli.run("pretrain", "--data", data, "--agent", "hilp", "--settings", "--json", "width=64")
            .json();
    assertEquals(64, settings.path("common").path("width").asInt());
    assertEquals(0.96, settings.path("featureDiscount").asDouble());
  }

  static Stream<List<Object>> mistakes() {
    return Stream.of(
        List.of("--data DIR", "--out", "x"),
        List.of("give one of them", "--data", "DATA", "--env", "gridworld", "--out", "x"),
        List.of("holds no run to resume", "--resume", "--env", "gridworld", "--out", "x"),
        List.of("--out DIR", "--data", "DATA"),
        List.of("which run?", "--resume", "--settings"),
        List.of("--out DIR", "--resume"),
        List.of("there is no dataset.json", "--data", "nowhere", "--out", "x"),
        List.of("no preset 'big'", "--data", "DATA", "--out", "x", "--preset", "big"),
        List.of("no agent 'hlp'", "--data", "DATA", "--out", "x", "--agent", "hlp"),
        List.of("1 is given twice", "--data", "DATA", "--out", "x", "--seeds", "1,2,1"),
        List.of("--seeds", "--data", "DATA", "--out", "x", "--seeds", "1,two"),
        List.of("not both", "--data", "DATA", "--out", "x", "--seeds", "1,2", "--seed", "1"),
        List.of("--keep: must be at least 1", "--data", "DATA", "--out", "x", "--keep", "0"),
        List.of("--log-every", "--data", "DATA", "--out", "x", "--log-every", "-5"),
        List.of("gradientSteps must be", "--data", "DATA", "--out", "x", "--steps", "0"),
        List.of("given twice", "--data", "DATA", "--out", "x", "--steps", "5", "gradientSteps=6"),
        List.of("add --resume", "--data", "DATA", "--out", "x", "--from-step", "5"),
        List.of("give one of them", "--out", "x", "--resume", "--force"),
        List.of("no run to resume", "--out", "EMPTY", "--resume"),
        List.of("finished model", "--out", "MODEL", "--resume"),
        List.of("holds other files, such as model.json", "--data", "DATA", "--out", "MODEL"),
        List.of("is a file", "--data", "DATA", "--out", "FILE"),
        List.of("name is missing", "--data", "DATA", "--out", ""),
        List.of("--keep: must be", "--env", "gridworld", "--out", "x", "--keep", "0"),
        List.of("holds no episode yet", "--data", "BARE", "--out", "x"),
        List.of("of it learn psm, fb", "--data", "DISCRETE", "--out", "x", "--agent", "hilp"));
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void aMistakeIsToldInOneSentence(List<Object> line) throws IOException {
    Path model = Files.createDirectories(root.resolve("model"));
    Path file = Files.writeString(model.resolve("model.json"), "{}");
    Path empty = Files.createDirectories(root.resolve("empty"));
    Path bare = root.resolve("bare");
    List<Object> words = new ArrayList<>(List.of("pretrain"));
    for (Object word : line.subList(1, line.size())) {
      words.add(
          switch (word.toString()) {
            case "DATA" -> data;
            case "EMPTY" -> empty;
            case "MODEL" -> model;
            case "FILE" -> file;
            case "BARE" -> bare(bare);
            case "DISCRETE" -> collect(root.resolve("discrete"), "fetchreach_discrete");
            case "x" -> root.resolve("x");
            default -> word;
          });
    }
    Cli.run(words.toArray()).refused(line.get(0).toString());
    assertFalse(Files.exists(root.resolve("x")));
  }

  /** A dataset whose collection was killed before its first episode. */
  private static Path bare(Path folder) {
    JsonNode manifest = Json.read(data.resolve("dataset.json"));
    ((ObjectNode) manifest).put("episodes", 0).put("transitions", 0).putArray("chunks");
    Json.write(folder.resolve("dataset.json"), manifest);
    return folder;
  }
}
