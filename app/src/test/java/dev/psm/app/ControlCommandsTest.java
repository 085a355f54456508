package dev.psm.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.psm.core.io.Json;
import dev.psm.core.io.numpy.NpzWriter;
import dev.psm.mujoco.MujocoLibrary;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code solve} and {@code evaluate} with agents of continuous control, here of the maze. */
class ControlCommandsTest {
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

  private static Cli.Result solve(Object... options) {
    Object[] line = new Object[options.length + 2];
    line[0] = "solve";
    line[1] = run;
    System.arraycopy(options, 0, line, 2, options.length);
    return Cli.run(line);
  }

  private Path file(String name, String content) throws IOException {
    return Files.writeString(fresh.resolve(name), content);
  }

  @Test
  void aTaskIsSolvedAndPlayedBesideRandomActions() {
    JsonNode solved = solve("--task", "reach_top_left", "--json").json();
    assertEquals("psm", solved.path("agent").asText());
    assertEquals("point_mass_maze", solved.path("environment").asText());
    assertEquals(0, solved.path("seed").asInt());
    assertEquals(8, solved.path("taskVector").size());
    assertEquals(2, solved.path("firstAction").size());
    assertTrue(solved.path("milliseconds").isNumber());
    assertTrue(solved.at("/episodes/agent/0/return").isNumber());
    assertTrue(solved.at("/episodes/random/0/return").isNumber());
    JsonNode byReward = solve("--reward", "reach_top_left", "--json").json();
    assertEquals(solved.path("taskVector"), byReward.path("taskVector"), "a task is a reward too");
    assertEquals(solved.path("episodes"), byReward.path("episodes"), "episodes can be repeated");
  }

  @Test
  void aFormulaInPlaceOfATasksNameIsSentToReward() {
    solve("--task", "x * y").refused("no task 'x * y'", "that is a formula: give it by --reward");
    String said = solve("--task", "reach_top_lef").refused("'reach_top_left'").err();
    assertFalse(said.contains("--reward"), said);
  }

  @Test
  void peopleAreToldWhatWasTakenAndHowLongItTook() {
    String said = solve("--task", "reach_top_left", "--episodes", 2).succeeded().out();
    assertTrue(said.contains("psm on point_mass_maze, seed 0 of 2"), said);
    assertTrue(said.contains("to the first action in"), said);
    assertTrue(said.contains("random  return"), said);
    assertTrue(said.contains("over 2"), said);
  }

  @Test
  void theSeedChoosesTheModelAndTheStartSeedTheEpisode() {
    Object[] base = {"--reward", "x + y", "--json"};
    JsonNode first = solve(base).json();
    JsonNode other = solve("--seed", 3, "--reward", "x + y", "--json").json();
    assertEquals(3, other.path("seed").asInt());
    assertFalse(first.path("taskVector").equals(other.path("taskVector")));
    JsonNode elsewhere = solve("--start-seed", 1, "--reward", "x + y", "--json").json();
    assertEquals(first.path("taskVector"), elsewhere.path("taskVector"));
    assertFalse(first.path("episodes").equals(elsewhere.path("episodes")));
    JsonNode own =
        Cli.run("solve", run.resolve("seed-3"), "--reward", "x + y", "--episodes", 0, "--json")
            .json();
    assertEquals(other.path("taskVector"), own.path("taskVector"));
    assertFalse(own.has("seed") || own.has("episodes"), own.toString());
  }

  @Test
  void aGoalComesFromAFileOrADataset() throws IOException {
    Path goal = file("goal.csv", "# x, y and velocities\n-0.2, 0.2, 0, 0\n");
    JsonNode solved = solve("--goal", goal, "--json").json();
    JsonNode measures = solved.at("/episodes/agent/0");
    assertTrue(
        measures.path("closestDistance").asDouble() <= measures.path("distanceAtEnd").asDouble());
    assertEquals("goal", solved.path("prompt").asText());
    JsonNode stored = solve("--goal", data, "--row", 17, "--episodes", 0, "--json").json();
    assertEquals(8, stored.path("taskVector").size());
  }

  @Test
  void aDemonstrationIsTrackedBesideStandingStill() {
    JsonNode solved = solve("--demo", data, "--episode", 1, "--window", 20, "--json").json();
    for (String who : List.of("agent", "random", "still")) {
      assertTrue(solved.at("/episodes/" + who + "/0/trackingError").asDouble() > 0, who);
    }
    Path file = fresh.resolve("demo.npz");
    NpzWriter.stored().add("observation", new float[12], 3, 4).write(file);
    JsonNode fromFile = solve("--demo", file, "--json").json();
    assertTrue(fromFile.at("/episodes/agent/0/trackingError").isNumber());
  }

  @Test
  void labelledSamplesAreAReward() throws IOException {
    Path samples = file("samples.csv", "-0.2,0.2,0,0,1\n-0.2,0.1,0,0,0\n0.1,0.1,0,0,0\n");
    JsonNode solved = solve("--samples", samples, "--json").json();
    Path goal = file("goal.csv", "-0.2,0.2,0,0");
    JsonNode same = solve("--goal", goal, "--episodes", 0, "--json").json();
    for (int i = 0; i < 8; i++) {
      assertEquals(
          same.at("/taskVector/" + i).asDouble(), solved.at("/taskVector/" + i).asDouble(), 1e-4);
    }
    assertFalse(solved.has("episodes"));
    solve("--samples", samples, "--episodes", 1).refused("--episodes", "no return");
  }

  @Test
  void aPolicyIsFilmed() throws IOException {
    Path film = fresh.resolve("policy.gif");
    JsonNode solved =
        solve(
                "--demo",
                data,
                "--episodes",
                0,
                "--film",
                film,
                "--seconds",
                0.4,
                "--width",
                96,
                "--height",
                64,
                "--json")
            .json();
    assertTrue(solved.at("/film/frames").asInt() > 2);
    assertTrue(solved.at("/film/ghost").asBoolean());
    assertEquals(96, ImageIO.read(film.toFile()).getWidth());
    assertEquals(List.of("policy.gif"), List.of(fresh.toFile().list()));
  }

  @Test
  void aGoalBeyondTheNetworksIsToldOfItsFile() throws IOException {
    Path far = Files.writeString(fresh.resolve("far.csv"), "0 0 1e38 0");
    solve("--goal", far).refused("far.csv: number 2 of observation 0", "is 1.0E38");
  }

  @Test
  void aRewardThatIsTheSameEverywhereIsToldOf() {
    Cli.Result result = solve("--reward", "0", "--episodes", 0).succeeded();
    assertTrue(
        result.err().contains("the reward is 0.0 everywhere in the 200 states"), result.err());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--episodes 1|give one prompt|none",
        "--task reach_top_left --reward x|give one prompt|2 of them",
        "--task reach_top_middle|reach_top_middle|did you mean",
        "--task x|no task 'x'|give it by --reward",
        "--reward x+velocity|no quantity or task 'velocity'|velocity_x",
        "--reward 1e308*x|not finite in|scale the formula down",
        "--reward 1/(x-x)|not finite in 200 of 200|guard",
        "--reward x --seed 1|has no seed 1|0, 3",
        "--reward x --row 3|--row|--goal DATASET",
        "--reward x --episode 3|--episode|--demo DATASET",
        "--reward x --window 3|--window|--demo",
        "--reward x --seconds 3|--seconds|--film",
        "--reward x --film a.mp4|--film|.gif",
        "--reward x --film a.gif --seconds 0|--seconds|above 0",
        "--reward x --film a.gif --width 0|pixels|0 x 360",
        "--reward x --film /dev/null/a.gif|--film|/dev/null is a file",
        "--reward x --episodes -1|--episodes|at least 0",
        "--goal nowhere.npy|nowhere.npy|no such file",
        "--goal 2,7|has 4 numbers, found 2|2,7",
        "--goal 1,2,NaN,4|number 3 of the goal|NaN",
        "--goal 1,2,,4|number 3 of the goal|finite decimal number",
        "--goal /dev/zero|/dev/zero|more than 134,217,728 bytes",
        "--demo /dev/zero|/dev/zero|more than 134,217,728 bytes",
        "--reward x --episodes 1000000000|--episodes|at most 100000",
        "--reward X|no quantity or task 'X'|did you mean 'x'",
        "--demo nowhere.csv|nowhere.csv|no such file",
        "--demo nowhere.csv --window 0|--window|at least 1",
        "--samples nowhere.npz|nowhere.npz|no such file",
        "--reward x --method lp|only psm has a choice of methods|point_mass_maze",
        "--reward x --colour red|--colour|"
      })
  void whatCannotBeAskedIsRefused(String options, String word, String other) {
    Cli.Result result = solve((Object[]) options.split(" "));
    result.refused(word);
    assertTrue(other == null || result.err().contains(other), result.err());
  }

  @Test
  void datasetsMustHaveWhatIsNamed() {
    solve("--goal", data).refused("--row");
    solve("--goal", data, "--row", 99999).refused("no row 99999");
    solve("--demo", data, "--episode", 2).refused("no episode 2");
    solve("--goal", run).refused("dataset.json");
  }

  @Test
  void wrongFilesAreRefusedAtTheirPlace() throws IOException {
    solve("--goal", file("short.csv", "1,2,3"))
        .refused("short.csv", "line 1", "expected 4", "found 3");
    solve("--goal", file("nan.csv", "1,2,nan,4")).refused("nan.csv", "line 1, column 3");
    solve("--demo", file("empty.txt", "")).refused("empty.txt", "no line at all");
  }

  @Test
  void gridsAndRobotsAreNotMixedUp() throws IOException {
    Path map = file("map.txt", "...\n...\n");
    Path grid = fresh.resolve("my grid");
    String said = Cli.runTiny("pretrain", "--map", map, "--out", grid).succeeded().out();
    assertTrue(said.contains("try: ./psm solve '" + grid + "' --goal"), said);
    Cli.run("solve", grid, "--task", "walk")
        .refused("--task is for continuous control", "holds a model of map");
    Path empty = Files.createDirectory(fresh.resolve("empty"));
    Cli.run("solve", empty, "--task", "walk").refused(empty + " holds no agent");
    Path missing = fresh.resolve("missing");
    Cli.run("evaluate", missing, "--tasks", "all").refused(missing + " is not a folder");
    Cli.run("solve", grid, "--goal", "0,0", "--film", "x.gif").refused("--film is for continuous");
    Cli.run("evaluate", grid, "--tasks", "all").refused("--tasks is for continuous control");
    Cli.run("evaluate", run, "--goals", "all").refused("--goals: the episodes of", "draw no goals");
    Cli.run("evaluate", run, "--out", "/").refused("--out: / is a directory");
    Cli.run("solve", grid, "--goal", "0,0").succeeded();
    Cli.run("evaluate", grid, "--seed", 0, "--goals", 2, "--start-seed", 4).succeeded();
  }

  @Test
  void aRunWithoutAModelIsToldApart() throws IOException {
    file("run.json", "{}");
    Cli.run("solve", fresh, "--reward", "x").refused("training has not saved a model yet");
    Cli.run("evaluate", fresh).refused("training has not saved a model yet");
  }

  @ParameterizedTest
  @ValueSource(strings = {"cut", "flipped", "missing"})
  void damagedTensorsAreRefused(String kind) throws IOException {
    Path copy = fresh.resolve("agent");
    Files.createDirectory(copy);
    byte[] bytes = Files.readAllBytes(run.resolve("seed-0/model.safetensors"));
    Files.copy(run.resolve("seed-0/model.json"), copy.resolve("model.json"));
    if (kind.equals("flipped")) {
      bytes[bytes.length - 9] ^= 1;
    }
    if (!kind.equals("missing")) {
      Files.write(
          copy.resolve("model.safetensors"),
          Arrays.copyOf(bytes, bytes.length - (kind.equals("cut") ? 9 : 0)));
    }
    Cli.run("solve", copy, "--reward", "x").refused("model.safetensors");
    Cli.run("evaluate", copy).refused("model.safetensors");
  }

  @Test
  void everySeedIsEvaluatedOnEveryTaskBesideRandomActions() {
    Path out = fresh.resolve("scores.json");
    JsonNode scores = Cli.run("evaluate", run, "--episodes", 2, "--out", out, "--json").json();
    assertEquals(scores, Json.read(out));
    assertEquals("[0,3]", scores.path("seeds").toString());
    assertEquals(MujocoLibrary.load().engine(), scores.path("engine").asText());
    assertEquals(4, scores.path("tasks").size());
    JsonNode task = scores.at("/tasks/reach_top_left");
    assertEquals(2, task.path("returns").size());
    assertEquals(2, task.at("/returns/1").size());
    assertTrue(task.path("standardDeviation").isNumber() && task.path("random").isNumber());
    double mean = 0;
    for (JsonNode seed : task.path("returns")) {
      mean += (seed.get(0).asDouble() + seed.get(1).asDouble()) / 4;
    }
    assertEquals(mean, task.path("mean").asDouble(), 1e-9);
    JsonNode again = Cli.run("evaluate", run, "--episodes", 2, "--threads", 1, "--json").json();
    assertEquals(scores, again, "threads change nothing");
  }

  @Test
  void aTableIsPrintedForPeople() {
    Cli.Result result =
        Cli.run("evaluate", run, "--tasks", "reach_top_left,clip(x, 0, 1)", "--episodes", 1);
    String said = result.succeeded().out();
    assertTrue(said.contains("± standard deviation over 2 seeds"), said);
    assertTrue(
        said.lines().anyMatch(line -> line.matches("clip\\(x, 0, 1\\) +\\S+ ± \\S+ +\\S+")), said);
    assertTrue(said.contains("average"), said);
    String one =
        Cli.run("evaluate", run, "--seed", 3, "--tasks", "x", "--episodes", 1).succeeded().out();
    assertFalse(one.contains("±") || one.contains("average"), one);
  }

  @Test
  void howFarTheBallGotIsToldBesideTheReturns() {
    Object[] line = {
      "evaluate", run, "--tasks", "reach_top_left,reach_bottom_right_wide,x", "--episodes", 2
    };
    String said = Cli.run(line).succeeded().out();
    // Every episode begins in that room.
    assertTrue(said.contains("reach_top_left, in its room: 4 of 4 episodes, at the end "), said);
    assertTrue(said.contains("reach_bottom_right_wide, within 3 cm: "), said);
    assertFalse(said.contains("x, "), said);
    Object[] json = Arrays.copyOf(line, line.length + 1);
    json[line.length] = "--json";
    JsonNode milestones = Cli.run(json).json().at("/tasks/reach_top_left/milestones");
    assertEquals(List.of("in its room", "within 3 cm"), milestones.findValuesAsText("name"));
    assertEquals("distance(-0.15, 0.15) < 0.03", milestones.at("/1/condition").asText());
    assertEquals(4, milestones.at("/0/episodes").asInt());
    assertEquals(1, milestones.at("/0/reached").asDouble());
    assertTrue(milestones.at("/1/last_100_steps").isNumber());
  }

  @Test
  void tasksComeFromAFileToo() throws IOException {
    Path tasks = file("tasks.txt", "# two\nright: clip(x, 0, 1)\ny\n");
    Object[] line = {
      "evaluate", run, "--seed", 3, "--episodes", 1, "--tasks-file", tasks, "--json"
    };
    JsonNode scores = Cli.run(line).json();
    assertEquals(2, scores.path("tasks").size());
    assertEquals("clip(x, 0, 1)", scores.at("/tasks/right/formula").asText());
    file("tasks.txt", "right: clip(x, 0, 1)\nup: 2 * z\n");
    Cli.run(line).refused(tasks + ", line 2: ", "column 9", "no quantity or task 'z'");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--seed 7|has no seed 7",
        "--seeds 0,7|has no seed 7",
        "--seeds 0,3,0|0 is given twice",
        "--seeds many|'all' or whole numbers",
        "--seed 0 --seeds 3|not both",
        "--episodes 0|--episodes",
        "--threads 0|--threads",
        "--tasks reach_top_lef|reach_top_left",
        "--method lp|only psm has a choice"
      })
  void evaluateChecksItsOptions(String options, String word) {
    Object[] line = ("evaluate " + run + " " + options).split(" ");
    Cli.run(line).refused(word);
  }

  @Test
  @Tag("slow")
  void withoutThePhysicsEngineThereIsStillASolution() throws IOException, InterruptedException {
    String[] prompt = {"solve", run.toString(), "--task", "reach_top_left", "--json"};
    JsonNode solved = Json.parse(withoutEngine(0, prompt), "standard output");
    assertEquals(8, solved.path("taskVector").size());
    assertFalse(solved.has("episodes"));
    String[] played = Arrays.copyOf(prompt, 7);
    played[5] = "--episodes";
    played[6] = "1";
    assertEquals("", withoutEngine(1, played));
  }

  /** What a command prints in a Java of its own, where MuJoCo cannot be found. */
  private static String withoutEngine(int code, String... command)
      throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Dorg.bytedeco.openblas.load=mkl",
            "-cp",
            System.getProperty("java.class.path"),
            "dev.psm.app.Psm");
    builder.command().addAll(List.of(command));
    builder.environment().put("MUJOCO_LIBRARY", "/nowhere/libmujoco.so");
    Path errors = Files.createTempFile(shared, "errors", ".txt");
    Process process = builder.redirectError(errors.toFile()).start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(process.waitFor(1, TimeUnit.MINUTES));
    String said = Files.readString(errors);
    assertEquals(code, process.exitValue(), said);
    assertTrue(said.contains("/nowhere/libmujoco.so"), said);
    return printed;
  }
}
