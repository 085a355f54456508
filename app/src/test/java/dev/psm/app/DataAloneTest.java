package dev.psm.app;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.io.Json;
import dev.psm.core.io.numpy.NpzWriter;
import dev.psm.zeroshot.ZeroShotAgent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** From a file of an environment that nobody here has to actions in its own units. */
final class DataAloneTest {
  private static final List<String> TINY =
      List.of("batchSize=16", "featureDimension=4", "width=8", "featureWidth=8");

  @TempDir private static Path shared;
  private static Path source;
  private static Path data;
  private static Path run;

  @TempDir private Path root;

  /** A tank: temperature and level; a valve from 0 to 12 and a heater from 20 to 30. */
  private static Path tank(Path file, boolean numbered) {
    int rows = 90;
    float[] observations = new float[2 * rows];
    float[] actions = new float[2 * rows];
    float[] rewards = new float[rows];
    float[] terminals = new float[rows];
    for (int row = 0; row < rows; row++) {
      observations[2 * row] = 40 + 10 * (float) Math.sin(row * 0.3);
      observations[2 * row + 1] = row % 30;
      actions[2 * row] = row % 13;
      actions[2 * row + 1] = 20 + row % 11;
      rewards[row] = -row;
      terminals[row] = row % 30 == 29 ? 1 : 0;
    }
    NpzWriter npz =
        NpzWriter.stored()
            .add("observations", observations, rows, 2)
            .add("terminals", terminals, rows)
            .add("rewards", rewards, rows);
    if (numbered) {
      long[] numbers = new long[rows];
      Arrays.setAll(numbers, row -> row % 3);
      npz.add("actions", numbers, rows);
    } else {
      npz.add("actions", actions, rows, 2);
    }
    npz.write(file);
    return file;
  }

  private static Cli.Result pretrain(Path from, Path out) {
    List<Object> line =
        new ArrayList<>(List.of("pretrain", "--data", from, "--out", out, "--steps", 6, "--json"));
    line.addAll(TINY);
    return Cli.run(line.toArray());
  }

  @BeforeAll
  static void learn() {
    source = tank(shared.resolve("tank.npz"), false);
    data = shared.resolve("data");
    run = shared.resolve("run");
    Cli.Result imported =
        Cli.run(
                "dataset",
                "import",
                source,
                "--env",
                "tank",
                "--names",
                "temperature,level",
                "--out",
                data)
            .succeeded();
    assertTrue(imported.out().contains("its data is all that is known of it"), imported.out());
    assertTrue(imported.out().contains("temperature, level"), imported.out());
    assertTrue(imported.out().contains("[0.0, 12.0], [20.0, 30.0]"), imported.out());
    JsonNode trained = pretrain(data, run).json();
    assertEquals("tank", trained.path("environment").asText());
    assertEquals(0.98, trained.at("/settings/common/discount").asDouble());
    assertTrue(trained.path("finished").asBoolean());
  }

  private static JsonNode solved(Path model, Object... prompt) {
    List<Object> line = new ArrayList<>(List.of("solve", model, "--json"));
    line.addAll(List.of(prompt));
    return Cli.run(line.toArray()).json();
  }

  /** Neither of the ranges reaches into [−1, 1]. */
  private static void assertInUnits(JsonNode document) {
    JsonNode action = document.path("firstAction");
    assertEquals(2, action.size());
    assertTrue(action.get(0).asDouble() >= 0 && action.get(0).asDouble() <= 12, action::toString);
    assertTrue(action.get(1).asDouble() >= 20 && action.get(1).asDouble() <= 30, action::toString);
  }

  @Test
  void everyPromptIsAnsweredInTheUnitsOfTheData() throws IOException {
    Path goal = Files.writeString(root.resolve("goal.txt"), "45, 3\n");
    Path demo = Files.writeString(root.resolve("demo.txt"), "45, 3\n46, 4\n47, 5\n");
    Path samples = Files.writeString(root.resolve("samples.txt"), "45, 3, 1\n35, 9, 0\n");
    assertInUnits(solved(run, "--reward", "exp(-abs(temperature - 45)) - 0.01 * level"));
    assertInUnits(solved(run, "--goal", goal));
    assertInUnits(solved(run, "--goal", data, "--row", 7));
    assertInUnits(solved(run, "--demo", demo, "--window", 1));
    assertInUnits(solved(run, "--demo", data, "--episode", 2));
    assertInUnits(solved(run, "--samples", samples));
    JsonNode own = solved(run, "--samples", data);
    assertInUnits(own);
    assertEquals("samples", own.path("prompt").asText());
  }

  @Test
  void aFormulaReadsTheColumns() throws IOException {
    StringBuilder labelled = new StringBuilder();
    ZeroShotAgent agent = ZeroShotAgent.load(run);
    float[] states = agent.sample().observations();
    for (int i = 0; i < states.length; i += 2) {
      labelled.append("%s, %s, %s%n".formatted(states[i], states[i + 1], states[i + 1] * 2));
    }
    Path samples = Files.writeString(root.resolve("samples.txt"), labelled);
    JsonNode byFormula = solved(run, "--reward", "2 * level");
    JsonNode bySamples = solved(run, "--samples", samples);
    assertFalse(byFormula.path("taskVector").isEmpty());
    for (int i = 0; i < 4; i++) {
      assertEquals(
          bySamples.path("taskVector").get(i).asDouble(),
          byFormula.path("taskVector").get(i).asDouble(),
          1e-5);
    }
  }

  @Test
  void aCopyOfTheModelNeedsNothingElse() {
    Path copy = root.resolve("copy");
    JsonNode exported = Cli.run("export", run, "--out", copy, "--float16", "--json").json();
    assertEquals("tank", exported.path("environment").asText());
    JsonNode document = Json.read(copy.resolve("model.json"));
    assertEquals("level", document.at("/world/quantities/1/name").asText());
    // A reward's edges must not move, and here observations are what it is computed of.
    assertEquals("float32", document.at("/export/observations").asText());
    assertInUnits(solved(copy, "--reward", "level > 12"));
    ZeroShotAgent original = ZeroShotAgent.load(run);
    ZeroShotAgent copied = ZeroShotAgent.load(copy);
    float[] observation = {45, 3};
    assertArrayEquals(
        original.solve("level").act(observation), copied.solve("level").act(observation), 0.1f);
  }

  @Test
  void whatCannotBePlayedIsToldInWords() {
    Cli.Result solved = Cli.run("solve", run, "--reward", "level").succeeded();
    assertTrue(solved.err().contains("solved, but not played: there is no environment 'tank'"));
    assertTrue(solved.out().contains("action in the first state"), solved.out());
    String why = "no environment 'tank' to act in: it is known by its data alone";
    Path film = root.resolve("film.gif");
    Cli.run("solve", run, "--reward", "level", "--film", film).refused(why);
    assertFalse(Files.exists(film));
    Cli.run("solve", run, "--reward", "level", "--episodes", 3, "--json").refused(why);
    Cli.run("evaluate", run, "--json").refused(why);
    Cli.run("evaluate", run, "--tasks", "level", "--json").refused(why);
  }

  @Test
  void theDataIsLookedAtMeasuredAndLabelled() {
    Cli.Result info = Cli.run("dataset", "info", data, "--coverage").succeeded();
    assertTrue(info.out().contains("columns of an observation: temperature, level"), info.out());
    assertTrue(info.out().contains("coverage:"), info.out());
    assertTrue(Cli.run("dataset", "check", data).succeeded().out().contains("sound"));
    Path rewards = root.resolve("rewards.npz");
    JsonNode labelled =
        Cli.run("dataset", "relabel", data, "--reward", "level", "--out", rewards, "--json").json();
    assertEquals(14.5, labelled.path("mean").asDouble(), 1e-9);
    JsonNode checked =
        Cli.run("reward", "check", "tank", "level / 29", "--data", data, "--json").json();
    assertEquals("tank", checked.path("env").asText());
    Cli.run("curves", run, "--out", root.resolve("curves.html")).succeeded();
  }

  @ParameterizedTest
  @CsvSource({
    "--reward, 'levle > 3', did you mean 'level'?",
    "--reward, 'o0 > 3', 'o0'",
    "--task, fill, has no task 'fill'"
  })
  void aMistakeInAPromptIsNamed(String option, String prompt, String expected) {
    Cli.run("solve", run, option, prompt).refused(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "temperature, expected 2 names",
    "'level,level', 'level' is there twice",
    "'level,max', 'max' is a word of the reward language",
    "'level,two words', 'two words' cannot be a name",
    "'level,,inflow', expected names with commas"
  })
  void aMistakeInNamesIsTold(String names, String expected) {
    Path out = root.resolve("out");
    Cli.run("dataset", "import", source, "--env", "tank", "--names", names, "--out", out)
        .refused("--names", expected);
    assertFalse(Files.exists(out));
  }

  @Test
  void namesMayComeFromAFile() throws IOException {
    Path names = Files.writeString(root.resolve("names.txt"), "warmth # °C\nfilling,\n");
    Path out = root.resolve("out");
    JsonNode imported =
        Cli.run(
                "dataset", "import", source, "--env", "tank", "--names", names, "--out", out,
                "--json")
            .json();
    assertEquals("filling", imported.at("/world/quantities/1/name").asText());
  }

  @Test
  void numberedActionsAreKeptAndLearned() {
    Path out = root.resolve("numbered");
    Cli.Result imported =
        Cli.run(
                "dataset",
                "import",
                tank(root.resolve("n.npz"), true),
                "--env",
                "buttons",
                "--out",
                out)
            .succeeded();
    assertTrue(imported.out().contains("actions are numbered, from 0 to 2"), imported.out());
    Path numbered = root.resolve("numbered-run");
    Cli.run(
            "pretrain",
            "--data",
            out,
            "--out",
            numbered,
            "--steps",
            4,
            "meshRows=16",
            "meshColumns=16",
            "width=16",
            "coordinateWidth=16",
            "basisDimension=4",
            "enrichedCodes=4")
        .succeeded();
    JsonNode solved = Cli.run("solve", numbered, "--reward", "o1", "--json").json();
    double action = solved.path("firstAction").get(0).asDouble();
    assertTrue(action == 0 || action == 1 || action == 2, solved.toString());
    Cli.run("evaluate", numbered, "--goals", 3).refused("known by its data alone");
  }

  @Test
  void aModelOfBeforeThereWereDescriptionsIsFoundByItsName() throws IOException {
    Path copy = root.resolve("copy");
    Cli.run("export", run, "--out", copy).succeeded();
    Path file = copy.resolve("model.json");
    ObjectNode description = (ObjectNode) Json.read(file);
    description.remove("world");
    Json.write(file, description);
    Cli.run("solve", copy, "--reward", "level")
        .refused("field environment: there is no environment 'tank'");
    assertFalse(Json.read(ShippedModelTest.WALKER.resolve("model.json")).has("world"));
    assertEquals("walker", ZeroShotAgent.load(ShippedModelTest.WALKER).environment().name());
  }
}
