package dev.psm.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.psm.core.UserError;
import dev.psm.core.env.World;
import dev.psm.core.env.Worlds;
import dev.psm.core.io.Json;
import dev.psm.lab.Progress;
import dev.psm.lab.collect.Collection;
import dev.psm.lab.study.ControlStudy.Variant;
import dev.psm.lab.study.GoalStudy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * FetchReach with numbered actions, from reproduce to export, by agents that know next to nothing.
 */
final class FetchCommandsTest {
  private static final String TINY =
      "psm.meshRows=16 psm.meshColumns=16 psm.width=16 psm.coordinateWidth=16 psm.basisDimension=4"
          + " psm.enrichedCodes=4 psm.solveCodes=4 psm.solveStates=8 psm.dualSteps=5 fb.width=16"
          + " fb.batchSize=16 laplacian.width=16 laplacian.batchSize=16";

  @TempDir private static Path folder;
  private static Path data;
  private static Path out;
  private static JsonNode reproduced;

  @BeforeAll
  static void reproduce() {
    data = folder.resolve("data");
    out = folder.resolve("out");
    World world = Worlds.named("fetchreach_discrete");
    Collection.atRandom(world, new Collection.Plan(500, 5, 1, 0), data, Progress.SILENT);
    reproduced = fetch("--json").json();
  }

  private static Cli.Result fetch(Object... more) {
    return fetch(out, "0,3", more);
  }

  private static Cli.Result fetch(Path out, String seeds, Object... more) {
    List<Object> line = new ArrayList<>(List.of("reproduce", "fetch", "--data", data));
    line.addAll(List.of("--out", out, "--steps", 4, "--evaluations", 2, "--goals", 3));
    line.addAll(List.of("--seeds", seeds));
    line.addAll(List.of(more));
    line.addAll(List.of((Object[]) TINY.split(" ")));
    return Cli.run(line.toArray());
  }

  private static Path run(String agent) {
    return out.resolve("fetchreach_discrete").resolve(agent).resolve("run");
  }

  @Test
  void theFigureHasEveryAgentAndItsTableEveryEvaluation() throws IOException {
    assertEquals(3, reproduced.path("finishedRuns").asInt());
    JsonNode psm = reproduced.path("rows").get(0);
    assertEquals("psm", psm.path("variant").asText());
    assertEquals(2, psm.at("/bestSuccess/perSeed").size());
    assertEquals(4, psm.path("steps").asInt());
    assertTrue(psm.path("paper").asText().contains("optimal"));
    assertTrue(reproduced.at("/random/success").isNumber());
    // Three agents, two seeds, two evaluations.
    assertEquals(1 + 3 * 2 * 2, Files.readAllLines(out.resolve("table.csv")).size());
    String figure = Files.readString(out.resolve("figure.svg"));
    assertTrue(figure.contains("PSM") && figure.contains("Laplacian"), figure);
    assertTrue(figure.contains("random actions"), figure);
    assertTrue(Files.readString(out.resolve("report.html")).contains("the paper says"));
    JsonNode line =
        Json.parse(lastLine(run("fb").resolve("seed-3/metrics.jsonl")), "metrics.jsonl");
    for (String name : List.of("success", "success_at_end", "final_distance", "return/reach")) {
      assertTrue(line.path(name).isNumber(), name + " is not in " + line);
    }
  }

  private static String lastLine(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file);
    return lines.get(lines.size() - 1);
  }

  @Test
  void whatIsFinishedIsNotDoneAgainAndADifferentRunIsRefused() throws IOException {
    FileTime written = Files.getLastModifiedTime(run("psm").resolve("result.json"));
    assertEquals(reproduced.path("rows"), fetch("--json").json().path("rows"));
    assertEquals(written, Files.getLastModifiedTime(run("psm").resolve("result.json")));
    fetch(out, "0,1").refused("seeds is [0, 3], wanted [0, 1]");
    fetch("fb.discount=0.5").refused("discount", "wanted 0.5");
  }

  @Test
  void aGoalThatIsNoneIsRefusedAndOneFarFromTheDataIsTold() {
    Path run = run("psm");
    Cli.run("solve", run, "--goal", "").refused("--goal", "empty");
    Cli.run("solve", run, "--goal", "1.4 0.8 0.6").refused("--goal 1.4,0.8,0.6");
    Cli.run("solve", run, "--goal", "1.4").refused("a goal of fetchreach_discrete has 3 numbers");
    String told = "outside the data";
    Cli.Result far = Cli.run("solve", run, "--goal", "1.34,100,0.53", "--episodes", 0);
    far.succeeded();
    assertTrue(
        far.err().contains(told) && far.err().contains("its number 1 (from 0) is 100"), far.err());
    Cli.Result near = Cli.run("solve", run, "--goal", "1.34,0.75,0.53", "--episodes", 0);
    near.succeeded();
    assertFalse(near.err().contains(told), near.err());
  }

  /** Without its end and its last evaluation a run is one that was killed there. */
  @Test
  void aStudyThatWasKilledGoesOnToTheSame(@TempDir Path copy) throws IOException {
    try (Stream<Path> files = Files.walk(out)) {
      for (Path file : files.toList()) {
        Files.createDirectories(copy.resolve(out.relativize(file).toString()).getParent());
        if (Files.isRegularFile(file)) {
          Files.copy(file, copy.resolve(out.relativize(file).toString()));
        }
      }
    }
    Path killed = copy.resolve("fetchreach_discrete/fb/run");
    Files.delete(killed.resolve("result.json"));
    for (String seed : List.of("seed-0", "seed-3")) {
      Path log = killed.resolve(seed + "/metrics.jsonl");
      List<String> lines = Files.readAllLines(log);
      Files.write(log, lines.subList(0, lines.size() - 1));
    }
    List<String> before = successes(out.resolve("table.csv"));
    Cli.Result again = fetch(copy, "0,3");
    again.succeeded();
    assertTrue(again.err().contains("going on from step 4"), again.err());
    assertEquals(before, successes(copy.resolve("table.csv")));
  }

  /** Up to what a clock says: variant, seed, step, and both shares. */
  private static List<String> successes(Path table) throws IOException {
    return Files.readAllLines(table).stream()
        .map(line -> line.split(","))
        .map(cells -> String.join(",", cells[1], cells[2], cells[3], cells[5], cells[6]))
        .toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--agents psm,hilp|hilp",
        "--agents psm,psm|given twice",
        "--preset papr|did you mean 'paper'",
        "--goals 0|--goals",
        "--evaluations 0|at least one evaluation",
        "--seeds 1,1|given twice",
        "--agents psm fb.discount=0.5|not in this table",
        "--precision bfloat16|exploration is computed in tf32 or float32",
        "--agents psm nothing=1|nothing",
        "meshRows=3|fb has no setting meshRows; give psm.meshRows=3"
      })
  void aMistakeIsToldBeforeAnythingIsDone(String words, String told) {
    List<Object> line = new ArrayList<>(List.of("reproduce", "fetch"));
    line.addAll(List.of((Object[]) words.split(" ")));
    line.addAll(List.of("--data", folder.resolve("nothing"), "--collect-steps", 1_000_000_000));
    line.addAll(List.of("--out", folder.resolve("nowhere")));
    Cli.run(line.toArray()).refused(told);
    assertFalse(Files.exists(folder.resolve("nowhere")));
  }

  @Test
  void dataThatRunsLearnedFromDoesNotGrow() throws IOException {
    Cli.run("reproduce", "fetch", "--data", folder.resolve("no"), "--out", out)
        .refused("there is no data", "--collect-steps 1000000");
    Path none = folder.resolve("none");
    Cli.run("reproduce", "fetch", "--data", none, "--collect-steps", 900, "--out", out)
        .refused("fetchreach_discrete", "would grow from 0 to 900 transitions");
    assertFalse(Files.exists(none));
    GoalStudy.requireNoRunsIfDataGrows(plan(4, 2), 500);
    UserError grown =
        assertThrows(UserError.class, () -> GoalStudy.requireNoRunsIfDataGrows(plan(4, 2), 501));
    assertTrue(grown.getMessage().contains("from 500 to 501"), grown.getMessage());
  }

  @Test
  void dataOfAnotherCollectorIsNotGoneOnWith() {
    fetch("--collect-steps", 900).refused("--collect-steps", "was collected by random");
  }

  private static GoalStudy.Plan plan(int steps, int evaluations) {
    World world = Worlds.named("fetchreach_discrete");
    List<Variant> variants =
        List.of(Variant.of(GoalStudy.agentsOfThePaper(world).get(0), List.of()));
    return new GoalStudy.Plan(
        world, variants, List.of(0L), "small", steps, evaluations, 3, data, out);
  }

  @ParameterizedTest
  @CsvSource({"4, 2, 2", "5, 2, 2", "7, 3, 3", "10, 6, 5", "3, 20, 3"})
  void thereAreNoMoreEvaluationsThanWanted(int steps, int wanted, int expected) {
    GoalStudy.Plan plan = plan(steps, wanted);
    assertEquals(expected, plan.evaluations(plan.variants().get(0)));
  }

  @Test
  void dataOfAnotherWorldIsRefused(@TempDir Path other) {
    PretrainDataTest.collect(other.resolve("maze"), "maze");
    Cli.run("reproduce", "fetch", "--data", other.resolve("maze"), "--out", other.resolve("out"))
        .refused("is of point_mass_maze, expected fetchreach_discrete");
    Cli.run("reproduce", "fetch", "--data", other.resolve("no"), "--out", other.resolve("out"))
        .refused("there is no data of fetchreach_discrete");
  }

  @ParameterizedTest
  @ValueSource(strings = {"psm", "fb", "laplacian"})
  void goalsAreEvaluatedBesideRandomActions(String agent) {
    JsonNode found = Cli.run("evaluate", run(agent), "--goals", 3, "--json").json();
    assertEquals(3, found.at("/goals/count").asInt());
    assertEquals(2, found.at("/goals/success/perSeed").size());
    assertTrue(found.at("/goals/success/random").isNumber());
    assertTrue(found.at("/goals/return~1reach/random").isNumber());
    assertFalse(found.has("tasks"));
    // What the run itself found with the same goals.
    for (int i = 0; i < 2; i++) {
      JsonNode row = rowOf(agent);
      assertEquals(
          row.at("/lastSuccess/perSeed").get(i), found.at("/goals/success/perSeed").get(i));
    }
  }

  private static JsonNode rowOf(String agent) {
    for (JsonNode row : reproduced.path("rows")) {
      if (row.path("variant").asText().equals(agent)) {
        return row;
      }
    }
    throw new AssertionError(agent);
  }

  @Test
  void otherRewardsAreTasks() {
    String formula = "-abs(gripper_z - 0.5)";
    JsonNode found =
        Cli.run("evaluate", run("psm"), "--tasks", formula, "--episodes", 1, "--json").json();
    assertTrue(found.at("/tasks").path(formula).path("random").isNumber());
    assertFalse(found.has("goals"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "psm|--goals all|how many goals",
        "psm|--goals 0|--goals",
        "psm|--method lp|expected dual, best or gpi",
        "fb|--method gpi|only psm has a choice",
        "psm|--tasks reach|--goals N",
        "psm|--episodes 3|--goals"
      })
  void whatCannotBeEvaluatedIsRefused(String agent, String options, String told) {
    List<Object> line = new ArrayList<>(List.of("evaluate", run(agent)));
    line.addAll(List.of((Object[]) options.split(" ")));
    Cli.run(line.toArray()).refused(told);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "psm|--goal 1.4,0.8,0.6 --method best",
        "psm|--goal 1.4,0.8,0.6 --method dual",
        "fb|--goal 1.4,0.8,0.6",
        "laplacian|--task reach"
      })
  void aGoalIsReachedForInItsOwnUnits(String agent, String options) {
    List<Object> line = new ArrayList<>(List.of("solve", run(agent), "--json"));
    line.addAll(List.of((Object[]) options.split(" ")));
    JsonNode found = Cli.run(line.toArray()).json();
    assertEquals("goal", found.path("prompt").asText());
    assertEquals(3, found.path("goal").size());
    assertEquals(1, found.path("firstAction").size());
    assertEquals(!agent.equals("psm"), found.has("taskVector"));
    JsonNode episode = found.at("/episodes/agent").get(0);
    double start = episode.path("distanceAtStart").asDouble();
    // Goals are drawn from a cube of 30 cm about the gripper.
    assertTrue(start > 0 && start < 0.27, episode.toString());
    assertEquals(
        start, found.at("/episodes/random").get(0).path("distanceAtStart").asDouble(), 1e-12);
  }

  @Test
  void theFilmShowsTheGoal() {
    Path film = folder.resolve("goal.gif");
    JsonNode found =
        Cli.run(
                "solve",
                run("psm"),
                "--goal",
                "1.4,0.8,0.6",
                "--film",
                film,
                "--seconds",
                0.1,
                "--json")
            .json();
    assertTrue(found.at("/film/target").asBoolean());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--goal 1.4,0.8|has 3 numbers, an observation 10, found 2",
        "--goal 1.4,NaN,0.6|number 2 of the goal",
        "--goal 1.4,0.8,0.6 --method lp|expected dual, best or gpi",
        "--task reach --episodes 2|evaluate --goals N",
        "--reward -distance_to_goal|--goal GOAL_X,GOAL_Y,GOAL_Z",
        "--goal 1.4,0.8,0.6 --onnx a.onnx|numbered actions"
      })
  void whatCannotBeSolvedIsRefused(String options, String told) {
    List<Object> line = new ArrayList<>(List.of("solve", run("psm")));
    line.addAll(List.of((Object[]) options.split(" ")));
    Cli.run(line.toArray()).refused(told);
  }

  @Test
  void aCopyIsComparedByEqualActions(@TempDir Path copy) {
    Path small = copy.resolve("small");
    Cli.Result exported = Cli.run("export", run("psm"), "--out", small, "--float16", "--json");
    JsonNode agreement = exported.json().at("/export/agreement");
    assertTrue(agreement.path("leastEqualActions").asDouble() > 0.5, agreement.toString());
    assertTrue(agreement.at("/goals/equalActions").isNumber(), agreement.toString());
    assertFalse(agreement.at("/tasks").has("reach"), agreement.toString());
    assertFalse(agreement.path("goals").has("cosine"), agreement.toString());
    Cli.run("solve", small, "--goal", "1.4,0.8,0.6", "--episodes", 0).succeeded();
    Cli.run("export", run("psm"), "--onnx", copy.resolve("a.onnx")).refused("numbered actions");
  }

  @Test
  void curvesDrawSuccess() throws IOException {
    Path picture = folder.resolve("success.svg");
    Cli.run("curves", run("psm"), run("fb"), "--out", picture).succeeded();
    assertTrue(Files.readString(picture).contains("success on fetchreach_discrete"));
  }
}
