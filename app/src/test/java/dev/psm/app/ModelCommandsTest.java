package dev.psm.app;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.psm.core.io.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** pretrain, solve and evaluate on a map of eleven cells, in a folder whose name has spaces. */
class ModelCommandsTest {
  @TempDir private static Path shared;
  private static Path map;
  private static Path run;
  private static Path model;
  private static JsonNode pretrained;

  @TempDir private Path fresh;

  @BeforeAll
  static void pretrain() throws IOException {
    Path folder = Files.createDirectories(shared.resolve("a folder with spaces"));
    map = Files.writeString(folder.resolve("my map.txt"), "....\n.#..\n....\n");
    run = folder.resolve("run one");
    pretrained = Cli.runTiny("pretrain", "--map", map, "--out", run, "--json").json();
    model = run.resolve("seed-0");
  }

  /** The model, to be damaged. */
  private Path copy() throws IOException {
    Path copy = fresh.resolve("copy");
    Files.createDirectories(copy);
    try (Stream<Path> files = Files.list(model)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.copy(file, copy.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    return copy;
  }

  @Test
  void pretrainingTellsWhatItDid() {
    assertEquals("psm", pretrained.path("agent").asText());
    assertEquals("tabular", pretrained.path("preset").asText());
    assertEquals("cpu", pretrained.path("device").asText());
    assertEquals("cpu", Json.read(model.resolve("model.json")).at("/provenance/device").asText());
    assertEquals(60, pretrained.path("settings").path("gradientSteps").asInt());
    assertTrue(pretrained.at("/errors/0/goals").isNumber());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "dual", "lp", "best", "gpi"})
  void aGoalBecomesAPolicyByEveryMethod(String method) {
    Object[] line = {"solve", model, "--goal", "0,3", "--json", "--method", method};
    JsonNode solved = Cli.run(method.isEmpty() ? Arrays.copyOf(line, 5) : line).json();
    assertEquals(method.isEmpty() ? "gpi" : method, solved.path("method").asText());
    assertEquals(11, solved.path("policy").size());
    assertEquals(5, solved.path("policy").get(0).path("q").size());
    assertTrue(solved.path("policyError").isNumber());
  }

  @Test
  void solvingDrawsThePolicy() {
    String drawn = Cli.run("solve", model, "--goal", "0,3").succeeded().out();
    assertTrue(drawn.contains("PSM (gpi) on my map solved in"), drawn);
    assertTrue(drawn.contains("G"), drawn);
  }

  @Test
  void aRewardIsTheSameAsCsvAndAsJsonAndAsAGoal() throws IOException {
    Path csv = Files.writeString(fresh.resolve("a reward.csv"), "0,0,0,1\n0,,0,0\n0,0,0,0\n");
    Path json =
        Files.writeString(
            fresh.resolve("reward.json"), "{\"reward\": [[0,0,0,1],[0,null,0,0],[0,0,0,0]]}");
    JsonNode goal = Cli.run("solve", model, "--goal", "0,3", "--json").json();
    for (Path file : List.of(csv, json)) {
      JsonNode solved = Cli.run("solve", model, "--reward", file, "--json").json();
      assertEquals(goal.path("policy"), solved.path("policy"));
    }
  }

  @Test
  void evaluationAgreesWithPretraining() {
    JsonNode graded = Cli.run("evaluate", model, "--json").json();
    assertEquals(11, graded.path("goals").asInt());
    assertEquals("my map", graded.path("environment").asText());
    assertEquals(
        pretrained.at("/errors/0/goals").asDouble(),
        graded.path("meanPolicyError").asDouble(),
        1e-9);
    assertEquals(
        3, Cli.run("evaluate", model, "--goals", 3, "--json").json().path("goals").asInt());
  }

  @ParameterizedTest
  @ValueSource(strings = {"fb", "laplacian"})
  void baselinesGoRoundToo(String agent) {
    Path out = fresh.resolve(agent);
    Cli.run(
            "pretrain",
            "--map",
            map,
            "--agent",
            agent,
            "--out",
            out,
            "gradientSteps=20",
            "featureDimension=4",
            "forwardWidth=16",
            "featureWidth=16",
            "batchSize=16")
        .succeeded();
    assertEquals(agent, Cli.run("evaluate", out, "--json").json().path("agent").asText());
    Cli.run("solve", out, "--goal", "0,0", "--method", "lp").refused("only psm has a choice");
  }

  @Test
  void aRoomOfOneCellIsAProblemToo() throws IOException {
    Path cell = Files.writeString(fresh.resolve("cell.txt"), ".\n");
    Cli.runTiny("pretrain", "--map", cell, "--out", fresh.resolve("m")).succeeded();
    Cli.run("solve", fresh.resolve("m"), "--goal", "0,0").succeeded();
    JsonNode graded = Cli.run("evaluate", fresh.resolve("m"), "--json").json();
    assertEquals(0, graded.path("meanPolicyError").doubleValue());
    assertEquals(0, graded.path("meanValueLoss").doubleValue());
    assertTrue(graded.path("meanValueLoss").isNumber());
  }

  @Test
  void settingsArePrintedWithoutTraining() {
    JsonNode settings =
        Cli.run("pretrain", "--env", "spiral", "--settings", "--json", "discount=0.9").json();
    assertEquals(0.9, settings.path("discount").asDouble());
  }

  static Stream<List<String>> mistakes() {
    return Stream.of(
        List.of("gradientSteps", "--env", "gridworld", "--out", "x", "gradientStep=3"),
        List.of("key=value", "--env", "gridworld", "--out", "x", "gradientSteps"),
        List.of("discount", "--env", "gridworld", "--out", "x", "discount=1.5"),
        List.of("basisDimension", "--env", "gridworld", "--out", "x", "basisDimension=many"),
        List.of("psm", "--env", "gridworld", "--out", "x", "--agent", "psn"),
        List.of("tabular", "--env", "gridworld", "--out", "x", "--preset", "tabula"),
        List.of("four-rooms", "--env", "four-room", "--out", "x"),
        List.of("not both", "--env", "gridworld", "--map", "m.txt", "--out", "x"),
        List.of("--env NAME or --map FILE", "--out", "x"),
        List.of(
            "agent fb learns gridworld on the CPU only",
            "--env",
            "gridworld",
            "--out",
            "x",
            "--agent",
            "fb",
            "--device",
            "cuda"),
        List.of("too coarse", "--env", "gridworld", "--out", "x", "--precision", "bfloat16"),
        List.of("is for a GPU", "--env", "gridworld", "--out", "x", "--precision", "tf32"),
        List.of("expected auto, cpu", "--env", "gridworld", "--out", "x", "--device", "gpu"),
        List.of("not both", "--env", "gridworld", "--out", "x", "--seeds", "1,2", "--seed", "3"),
        List.of(
            "nowhere/map.txt: there is no such file", "--map", "nowhere/map.txt", "--out", "x"));
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void aMistakeIsToldInOneSentenceBeforeAnyWork(List<String> line) {
    List<Object> arguments = new java.util.ArrayList<>(line.subList(1, line.size()));
    arguments.add(0, "pretrain");
    Cli.Result result = Cli.run(arguments.toArray());
    result.refused(line.get(0));
    assertEquals(1, result.err().lines().count(), result.err());
    assertFalse(Files.exists(Path.of("x")));
  }

  @Test
  void aModelNeedsAPlace() {
    assertEquals(2, Cli.runTiny("pretrain", "--map", map).code());
    assertTrue(Cli.runTiny("pretrain", "--map", map).err().contains("--out DIR"));
  }

  @Test
  void aRunIsNotReplacedUnlessForced() throws IOException {
    Path out = fresh.resolve("r");
    Cli.runTiny("pretrain", "--map", map, "--out", out).succeeded();
    byte[] before = Files.readAllBytes(out.resolve("seed-0/model.safetensors"));
    Cli.runTiny("pretrain", "--map", map, "--out", out, "--seed", 9)
        .refused("already holds a run", "--force", "--resume");
    assertArrayEquals(before, Files.readAllBytes(out.resolve("seed-0/model.safetensors")));
    Cli.runTiny("pretrain", "--map", map, "--out", out, "--seed", 9, "--force").succeeded();
    assertFalse(Files.exists(out.resolve("seed-0")));
    Cli.run("solve", out, "--goal", "0,0").succeeded();
    assertTrue(
        Cli.run("pretrain", "--resume", "--out", out)
            .succeeded()
            .out()
            .contains("the run is finished after 60 steps"));
    Files.delete(out.resolve("seed-9/model.json"));
    Cli.run("pretrain", "--resume", "--out", out).succeeded();
    assertTrue(Files.exists(out.resolve("seed-9/model.json")));
    Cli.run("pretrain", "--resume", "--env", "spiral", "--out", out)
        .refused("learns my map, found spiral");
    Cli.run("pretrain", "--resume", "--data", map, "--out", out).refused("and no dataset");
  }

  @Test
  void aRunOfSeveralSeedsIsGradedSeedBySeedAndExported() {
    Path out = fresh.resolve("r");
    Cli.runTiny("pretrain", "--map", map, "--out", out, "--seeds", "4,5").succeeded();
    JsonNode graded = Cli.run("evaluate", out, "--json").json();
    assertEquals(
        List.of(4L, 5L), graded.findValuesAsText("seed").stream().map(Long::valueOf).toList());
    assertTrue(graded.path("meanValueLoss").isNumber());
    assertEquals(5, Cli.run("evaluate", out, "--seed", 5, "--json").json().path("seed").asInt());
    Cli.run("solve", out, "--goal", "0,0", "--seed", 6).refused("has no seed 6");
    Path curves = fresh.resolve("curves.html");
    Cli.run("curves", out, "--out", curves).succeeded();
    assertTrue(Files.exists(curves));
    Path exported = fresh.resolve("e");
    String compared = Cli.run("export", out, "--seed", 5, "--out", exported).succeeded().out();
    assertTrue(compared.contains("equal actions"), compared);
    assertFalse(compared.contains("[-1, 1]"), compared);
    Cli.run("export", out, "--out", fresh.resolve("h"), "--float16").refused("--float16: ");
    JsonNode original = Cli.run("solve", out, "--seed", 5, "--goal", "0,3", "--json").json();
    JsonNode copy = Cli.run("solve", exported, "--goal", "0,3", "--json").json();
    assertEquals(original.path("policy"), copy.path("policy"));
    Cli.run("export", out, "--sample", 3, "--out", fresh.resolve("f")).refused("needs all of its");
    Cli.run("export", out, "--onnx", fresh.resolve("a.onnx")).refused("needs no ONNX");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--goal|1,1|in a wall",
        "--goal|7,0|outside the map",
        "--goal|first|ROW,COLUMN",
        "--reward|nowhere.csv|no such file",
        "--reward|nowhere.json|no such file",
        "--method|lp|give one reward"
      })
  void aRewardThatCannotBeIsRefused(String option, String value, String word) {
    Cli.run("solve", model, option, value).refused(word);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "r.csv|1,2,3|expected 3 lines",
        "r.csv|1,2,3,4;1,,3,nan;1,2,3,4|line 2, column 4",
        "r.json|{\"reward\": [[1]]}|expected 3 rows",
        "r.json|{\"reward\":|line 1, column"
      })
  void aRewardFileOfTheWrongShapeIsRefusedAtItsPlace(String name, String text, String word)
      throws IOException {
    Path file = Files.writeString(fresh.resolve(name), text.replace(';', '\n'));
    Cli.run("solve", model, "--reward", file).refused(name, word);
  }

  @Test
  void aFormulaIsARewardToo() {
    JsonNode byGoal = Cli.run("solve", model, "--goal", "0,3", "--json").json();
    for (String formula :
        List.of("row == 0 && col == 3", "-(row > 0 || col < 3) + 1", "!distance(0, 3)")) {
      JsonNode solved = Cli.run("solve", model, "--reward", formula, "--json").json();
      assertEquals(byGoal.path("policy"), solved.path("policy"), formula);
    }
  }

  @Test
  void whatIsNeitherAFileNorAFormulaIsRefusedAsBoth() {
    Cli.run("solve", model, "--reward", "row + colum")
        .refused("no such file", "column 7: there is no quantity 'colum'", "\n        ^");
    Cli.run("solve", model, "--reward", "1 / row")
        .refused("not finite in 4 of 11 states", "row = 0.00000");
  }

  @Test
  void solveAndEvaluateCheckTheirOptions() {
    Cli.run("solve", model, "--goal", "0,0", "--method", "magic").refused("dual, lp, best or gpi");
    Cli.run("solve", model, "--goal", "0,0", "--reward", "r.csv").refused("give one reward");
    Cli.run("evaluate", model, "--goals", "0").refused("from 1 to 11");
    Cli.run("evaluate", model, "--goals", "most").refused("'all' or a number");
    Cli.run("evaluate", shared.resolve("none")).refused("is not a folder");
    Cli.run("evaluate", shared).refused("holds no agent");
  }

  private static byte[] damaged(byte[] bytes, String kind) {
    return switch (kind) {
      case "truncated" -> Arrays.copyOf(bytes, bytes.length - 5);
      case "cut in the header" -> Arrays.copyOf(bytes, 20);
      case "empty" -> new byte[0];
      case "flipped" -> flipped(bytes, bytes.length - 40);
      case "flipped in the header" -> flipped(bytes, 60);
      default -> "not tensors at all, but long enough".getBytes(StandardCharsets.UTF_8);
    };
  }

  private static byte[] flipped(byte[] bytes, int at) {
    bytes[at] ^= 1;
    return bytes;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "truncated",
        "cut in the header",
        "empty",
        "flipped",
        "flipped in the header",
        "foreign"
      })
  void damagedTensorsAreRefused(String kind) throws IOException {
    Path copy = copy();
    Path file = copy.resolve("model.safetensors");
    Files.write(file, damaged(Files.readAllBytes(file), kind));
    Cli.run("solve", copy, "--goal", "0,0").refused("model.safetensors");
    Cli.run("evaluate", copy).refused("model.safetensors");
  }

  @Test
  void missingTensorsAreRefused() throws IOException {
    Path copy = copy();
    Files.delete(copy.resolve("model.safetensors"));
    Cli.run("solve", copy, "--goal", "0,0").refused("model.safetensors", "no such file");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"format\" : \"psm model 2\"|\"format\" : 7|or 1 (a model of a grid), found 7",
        "\"format\" : \"psm model 2\"|\"form\" : 1|key 'format' is missing",
        "\"agent\" : \"psm\"|\"agent\" : \"pms\"|no agent 'pms'",
        "\"agent\" : \"psm\"|\"agent\" : 3|field agent: expected a text, found 3",
        "\"agent\" : \"psm\"|\"agent\" : \"fb\"|setting",
        "\"discount\" : 0.98|\"discount\" : 2|discount",
        "\"basisDimension\" : 4|\"basisDimension\" : 5|tensor 'basis' has shape",
        "\"basisDimension\" : 4|\"basisDimension\" : 2000000000|basisDimension",
        "\"shape\"|\"shap\"|key 'shape' is missing",
        "\".#..\"|\".#.\"|line 2, column 4",
        "\".#..\"|\".x..\"|line 2, column 2",
        "\".#..\"|\"....\"|must hold every state",
        "\"environment\"|\"environs\"|key 'environment' is missing",
        "{|[|not valid JSON"
      })
  void anEditedDescriptionIsRefusedByItsField(String from, String to, String word)
      throws IOException {
    Path copy = copy();
    Path file = copy.resolve("model.json");
    String text = Files.readString(file);
    assertTrue(text.contains(from), text);
    int at = text.indexOf(from);
    Files.writeString(file, text.substring(0, at) + to + text.substring(at + from.length()));
    Cli.run("solve", copy, "--goal", "0,0").refused(word, copy.toString());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "...;..|line 2, column 3",
        "..;...|line 2, column 3",
        "..;.x|line 2, column 2",
        "##;##|line 1, column 1",
        ".#.|line 1, column",
        "``|line 1, column 1"
      })
  void aMapThatCannotBeIsRefusedWithLineAndColumn(String text, String place) throws IOException {
    Path file = Files.writeString(fresh.resolve("map.txt"), text.replace(';', '\n'));
    Cli.run("pretrain", "--map", file, "--out", fresh.resolve("m")).refused("map.txt", place);
    Cli.run("exact", "--map", file, "--goal", "0,0").refused("map.txt", place);
  }

  @ParameterizedTest
  @CsvSource({
    "psm,basisLearningRate=1e30,representation=networks",
    "psm,coordinateLearningRate=1e30,representation=tables",
    "fb,learningRate=1e30,gradientSteps=40",
    "laplacian,featureLearningRate=1e30,gradientSteps=40"
  })
  void trainingThatDivergesIsToldAndSavesNoModel(String agent, String rate, String other) {
    Path out = fresh.resolve("m");
    Object[] line = {"pretrain", "--map", map, "--agent", agent, "--out", out, rate, other};
    Cli.Result result =
        agent.equals("psm")
            ? Cli.run(concat(line, "basisWidth=16", "basisDimension=4", "gradientSteps=40"))
            : Cli.run(concat(line, "forwardWidth=16", "featureWidth=16", "batchSize=16"));
    assertEquals(1, result.code(), result.err());
    assertTrue(result.err().contains("training diverged"), result.err());
    assertFalse(result.err().contains("\tat "), result.err());
    assertFalse(Files.exists(out.resolve("seed-0/model.json")));
  }

  private static Object[] concat(Object[] line, Object... more) {
    return Stream.concat(Arrays.stream(line), Arrays.stream(more)).toArray();
  }

  @ParameterizedTest
  @CsvSource({
    "psm,basisDimension=2000000000,2,basisDimension",
    "psm,enrichmentRounds=2147483647,2,enrichmentRounds",
    "fb,featureDimension=2147483647,2,featureDimension",
    "psm,codesPerStep=2000000000,2,codesPerStep",
    "psm,coordinateWidth=2000000000,2,coordinateWidth must be from 1 to 65536",
    "fb,forwardWidth=2000000000,2,forwardWidth must be from 1 to 65536"
  })
  void settingsTooLargeForTheMachineAreNoFaultOfTheProgram(
      String agent, String setting, int code, String word) {
    Path out = fresh.resolve("m");
    Cli.Result result = Cli.run("pretrain", "--map", map, "--agent", agent, "--out", out, setting);
    assertEquals(code, result.code(), result.err());
    assertTrue(result.err().contains(word), result.err());
    assertFalse(result.err().contains("\tat "), result.err());
  }
}
