package dev.psm.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.io.Json;
import dev.psm.mujoco.MujocoLibrary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** reproduce dmc and reproduce ablation, on a dataset of one episode. */
final class ReproduceControlTest {
  @TempDir private static Path data;
  @TempDir private Path out;

  @BeforeAll
  static void collect() {
    PretrainDataTest.collect(data.resolve("maze"), "maze");
  }

  private Cli.Result reproduce(String table, Object... more) {
    List<Object> line = new ArrayList<>(List.of("reproduce", table, "--domains", "maze"));
    line.addAll(List.of("--data", data, "--out", out, "--episodes", 1, "--evaluations", 1));
    line.addAll(List.of(more));
    line.addAll(List.of("batchSize=16", "width=8", "featureWidth=8"));
    return Cli.run(line.toArray());
  }

  @Test
  void allAgentsAreComparedAndNothingIsDoneTwice() throws IOException {
    Object[] line = {"--seeds", "0", "--steps", 6, "--json", "featureDimension=4"};
    List<Object> gathering = new ArrayList<>(List.of(line));
    gathering.add("--gather");
    assertEquals(1, reproduce("dmc", gathering.toArray()).code(), "all runs are missing");
    JsonNode first = reproduce("dmc", line).json();
    assertEquals(4, first.path("rows").size());
    assertEquals(4, first.path("finishedRuns").asInt());
    assertEquals(4, first.path("runs").asInt());
    assertEquals(0, first.path("failed").size());
    JsonNode psm = first.path("rows").get(0);
    assertEquals("psm", psm.path("variant").asText());
    assertTrue(psm.at("/returns/average/paper").isNumber());
    assertFalse(psm.path("interquartileMean").has("low"), "one seed has no interval");
    assertEquals(first.path("rows"), Json.read(out.resolve("results.json")).path("rows"));
    String engine = MujocoLibrary.load().engine();
    assertEquals(engine, Json.read(out.resolve("results.json")).path("engine").asText());
    assertEquals(1 + 4 * 5, Files.readAllLines(out.resolve("table.csv")).size());
    String report = Files.readString(out.resolve("report.html"));
    assertTrue(report.contains("the same networks and number of steps"), "the lead");
    JsonNode settings = Json.read(out.resolve("point_mass_maze/psm/run-0/run.json"));
    assertEquals(6, settings.at("/settings/common/gradientSteps").asInt());
    assertEquals(engine, settings.at("/provenance/engine").asText());

    Path result = out.resolve("point_mass_maze/hilp/run-0/result.json");
    FileTime written = Files.getLastModifiedTime(result);
    assertEquals(first.path("rows"), reproduce("dmc", line).json().path("rows"));
    assertEquals(written, Files.getLastModifiedTime(result));
    reproduce("dmc", "--seeds", "0", "--steps", 7, "featureDimension=4")
        .refused("gradientSteps is 6, wanted 7");
    Path description = out.resolve("point_mass_maze/psm/run-0/run.json");
    Json.write(
        description,
        ((ObjectNode) settings).set("provenance", Json.object().put("engine", "MuJoCo 9.9.9")));
    reproduce("dmc", line).refused("engine is MuJoCo 9.9.9, wanted " + engine);
  }

  @Test
  void anAgentHasSettingsOfItsOwn() throws IOException {
    reproduce("dmc", "--agents", "psm,fb", "--seeds", "3", "--steps", 6, "psm.protoSteps=2")
        .succeeded();
    JsonNode run = Json.read(out.resolve("point_mass_maze/psm/run-3/run.json"));
    assertEquals(2, run.at("/settings/protoSteps").asInt());
    String report = Files.readString(out.resolve("report.html"));
    assertTrue(report.contains("settings of its own: psm.protoSteps=2"), "the lead");
  }

  @Test
  void allSeedsTrainSideBySideWhereThatIsWanted() {
    Object[] line = {"--agents", "fb", "--seeds", "0,2", "--steps", 4, "--together", "--json"};
    JsonNode document = reproduce("dmc", line).json();
    assertEquals(1, document.path("runs").asInt());
    assertEquals(1, document.path("finishedRuns").asInt());
    assertEquals("[0,2]", document.at("/rows/0/seeds").toString());
    JsonNode run = Json.read(out.resolve("point_mass_maze/fb/run-0-2/run.json"));
    assertEquals("[0,2]", run.path("seeds").toString());
    String said =
        reproduce("dmc", "--agents", "fb", "--seeds", "0,2,3", "--steps", 4, "--no-together")
            .succeeded()
            .out();
    assertTrue(Files.isDirectory(out.resolve("point_mass_maze/fb/run-3")), said);
    assertFalse(Files.exists(out.resolve("point_mass_maze/fb/run-2")), said);
    String gathered =
        reproduce("dmc", "--agents", "fb", "--seeds", "0,2", "--steps", 4, "--gather")
            .succeeded()
            .out();
    assertTrue(gathered.contains("report in"), gathered);
    assertTrue(said.contains("reach_top_left, in its room"), said);
  }

  /** A rate this large sends FB's networks beyond all bounds within a few steps. */
  @Test
  void whereSeedsDivergeSideBySideTheyCanBeTrainedApart() {
    Object[] line = {"--agents", "fb", "--seeds", "0,2", "--steps", 12, "--together"};
    List<Object> wild = new ArrayList<>(List.of(line));
    wild.addAll(List.of("learningRate=1e30", "featureLearningRate=1e30"));
    Cli.Result diverged = reproduce("dmc", wild.toArray());
    assertEquals(1, diverged.code());
    Path run = out.resolve("point_mass_maze/fb/run-0-2");
    assertTrue(
        diverged.err().contains("delete " + run + " and give --no-together"), diverged.err());
  }

  @Test
  void aDryRunOnlyPlans() throws IOException {
    Object[] line = {"--agents", "fb", "--seeds", "0,2", "--steps", 4, "--together", "--dry-run"};
    String said = reproduce("dmc", line).succeeded().out();
    assertTrue(said.contains("point_mass_maze/fb/run-0-2"), said);
    assertTrue(said.contains("1 run, into"), said);
    List<Object> json = new ArrayList<>(List.of(line));
    json.add("--json");
    JsonNode plan = reproduce("dmc", json.toArray()).json();
    assertEquals(0, plan.path("finishedRuns").asInt());
    assertEquals("fb", plan.at("/rows/0/variant").asText());
    try (var files = Files.list(out)) {
      assertEquals(0, files.count());
    }
  }

  @Test
  void dimensionsAreCompared() throws IOException {
    JsonNode document =
        reproduce("ablation", "--dimensions", "2,4", "--seeds", "0,1", "--steps", 6, "--json")
            .json();
    assertEquals("d=2", document.path("rows").get(0).path("variant").asText());
    assertEquals(2, document.path("rows").get(1).path("seeds").size());
    assertTrue(document.path("rows").get(1).path("interquartileMean").has("low"));
    String report = Files.readString(out.resolve("report.html"));
    assertFalse(report.contains("the same networks"), "they differ by d");
    JsonNode run = Json.read(out.resolve("point_mass_maze/d-4/run-1/run.json"));
    assertEquals(4, run.at("/settings/common/featureDimension").asInt());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "dmc --domains maze,wlaker|walker",
        "dmc --domains walker|there is no data of walker",
        "dmc --agents psm,hlp|did you mean 'hilp'",
        "dmc --agents psm,psm|given twice",
        "dmc --seeds 1,1|given twice",
        "dmc --preset papr|did you mean 'paper'",
        "dmc --evaluations 0|at least one evaluation",
        "dmc --steps 5 gradientSteps=6|given twice",
        "dmc --agents fb psm.protoSteps=3|not in this table",
        "dmc protoSteps=3|protoSteps",
        "dmc psm.protoSteps=0|the basis would never be learned",
        "ablation featureDimension=4|--dimensions",
        "ablation psm.featureDimension=4|--dimensions",
        "ablation --dimensions 0|featureDimension"
      })
  void aMistakeIsToldBeforeAnythingIsDone(String words, String told) throws IOException {
    List<Object> line = new ArrayList<>(List.of("reproduce"));
    line.addAll(List.of((Object[]) words.split(" ")));
    if (!words.contains("--domains")) {
      line.addAll(List.of("--domains", "maze"));
    }
    // Data would be collected for a long time if the mistake were found too late.
    if (!told.startsWith("there is no data")) {
      line.addAll(List.of("--collect", 100_000_000));
    }
    line.addAll(List.of("--data", data.resolve("nothing"), "--out", out));
    Cli.run(line.toArray()).refused(told);
    try (var files = Files.list(out)) {
      assertEquals(0, files.count());
    }
  }
}
