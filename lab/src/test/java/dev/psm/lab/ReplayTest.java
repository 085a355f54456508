package dev.psm.lab;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.Seeds;
import dev.psm.core.UserError;
import dev.psm.core.env.World;
import dev.psm.core.env.Worlds;
import dev.psm.core.io.Json;
import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.Task;
import dev.psm.mujoco.suite.Domain;
import dev.psm.mujoco.suite.FetchReach;
import dev.psm.mujoco.suite.RobotWorld;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReplayTest {
  private static final String MAZE = "{\"initial\": {\"qpos\": [-0.2, 0.2], \"qvel\": [0, 0]}";

  @TempDir private Path folder;

  private Path write(String text) throws IOException {
    Path file = folder.resolve("in.json");
    Files.writeString(file, text);
    return file;
  }

  private JsonNode replay(String name, String text) throws IOException {
    Path out = folder.resolve("out.json");
    Replay.run(Worlds.named(name), write(text), out);
    return Json.read(out);
  }

  private String refusal(String name, String text) throws IOException {
    Path in = write(text);
    UserError error =
        assertThrows(
            UserError.class, () -> Replay.run(Worlds.named(name), in, folder.resolve("out.json")));
    assertEquals(UserError.Kind.INVALID, error.kind(), error.getMessage());
    assertOnlyTheInputIsLeft();
    return error.getMessage();
  }

  private void assertOnlyTheInputIsLeft() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(List.of("in.json"), files.map(file -> file.getFileName().toString()).toList());
    }
  }

  private static String json(String name, double[] physics, int positions, String controls) {
    int velocities = name.equals("quadruped") ? positions - 1 : positions;
    int act = name.equals("quadruped") ? 12 : 0;
    return "{\"initial\": {\"qpos\": %s, \"qvel\": %s, \"act\": %s}, \"controls\": %s}"
        .formatted(
            Arrays.toString(Arrays.copyOfRange(physics, 0, positions)),
            Arrays.toString(Arrays.copyOfRange(physics, positions, positions + velocities)),
            Arrays.toString(
                Arrays.copyOfRange(physics, positions + velocities, positions + velocities + act)),
            controls);
  }

  private static double[] numbers(JsonNode list) {
    double[] numbers = new double[list.size()];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = list.get(i).doubleValue();
    }
    return numbers;
  }

  @ParameterizedTest
  @ValueSource(strings = {"walker", "cheetah", "quadruped", "point_mass_maze", "fetchreach"})
  void everyStepIsWrittenAndEveryNumberComesBackAsItself(String name) throws IOException {
    RobotWorld world = (RobotWorld) Worlds.named(name);
    try (Domain domain = world.openDomain()) {
      domain.start(Seeds.generator(4));
      double[] physics = domain.physics();
      RandomGenerator random = Seeds.generator(5);
      double[][] controls = new double[12][world.actionSize()];
      for (double[] row : controls) {
        for (int i = 0; i < row.length; i++) {
          row[i] = 1.6 * random.nextDouble() - 0.8;
        }
      }
      int positions = domain.simulation().qpos().size();
      String text = json(name, physics, positions, Arrays.deepToString(controls));
      if (name.equals("fetchreach")) {
        // Its goal is no part of the joints, and told apart.
        text = text.replace("\"act\": []", "\"goal\": " + Arrays.toString(goal(physics)));
      }
      JsonNode file = replay(name, text);
      assertEquals(name, file.get("env").textValue());
      assertEquals(world.sizes().substeps(), file.get("substeps").intValue());
      assertEquals(world.stepSeconds(), file.get("control_timestep").doubleValue());
      assertEquals(13, file.get("frames").size());
      domain.start(physics);
      for (int step = 0; step <= 12; step++) {
        if (step > 0) {
          assertTrue(domain.advance(controls[step - 1]));
        }
        assertFrame(
            file.get("frames").get(step),
            domain,
            step,
            step == 0 ? new double[world.actionSize()] : controls[step - 1]);
      }
    }
  }

  private static double[] goal(double[] physics) {
    return Arrays.copyOfRange(physics, physics.length - 3, physics.length);
  }

  private static void assertFrame(JsonNode frame, Domain domain, int step, double[] controls) {
    World world = domain.world();
    assertEquals(step, frame.get("step").intValue());
    assertEquals(domain.simulation().contacts(), frame.get("ncon").intValue());
    assertEquals(domain.simulation().time(), frame.get("time").doubleValue());
    assertArrayEquals(controls, numbers(frame.get("ctrl")));
    assertArrayEquals(domain.simulation().qpos().toArray(), numbers(frame.get("qpos")));
    assertArrayEquals(domain.simulation().qvel().toArray(), numbers(frame.get("qvel")), 0);
    assertArrayEquals(domain.simulation().act().toArray(), numbers(frame.get("act")));
    assertArrayEquals(domain.simulation().sensors().toArray(), numbers(frame.get("sensordata")), 0);
    double[] observation = new double[world.observationSize()];
    domain.observe(observation);
    assertArrayEquals(observation, numbers(frame.get("observation")), 0);
    assertEquals(world.tasks().size(), frame.get("reward").size());
    for (Task task : world.tasks()) {
      double written = frame.get("reward").get(task.name()).doubleValue();
      assertEquals(task.reward(domain), written, 0, task.name());
    }
    assertEquals(world.quantities().size(), frame.get("quantities").size());
    for (Quantity quantity : world.quantities()) {
      double written = frame.get("quantities").get(quantity.name()).doubleValue();
      assertEquals(domain.get(quantity), written, 0, quantity.name());
    }
  }

  @Test
  void numbersHaveSeventeenDigits() throws IOException {
    replay("maze", MAZE + ", \"controls\": [[0.1, 0.3]]}");
    String text = Files.readString(folder.resolve("out.json"));
    // The double nearest to 0.1, which a shorter spelling would also give back.
    assertTrue(text.contains("\"ctrl\":[0.10000000000000001,0.29999999999999999]"), text);
  }

  @Test
  void withoutControlsOnlyTheStartIsWritten() throws IOException {
    JsonNode file = replay("maze", MAZE + ", \"controls\": []}");
    assertEquals(1, file.get("frames").size());
    assertFalse(file.has("diverged_at_step"));
  }

  @Test
  void theResultSaysHowManyStepsItMade() throws IOException {
    Path in = write(MAZE + ", \"controls\": [[1, 1], [0, 0], [1, 0]]}");
    Path out = folder.resolve("new/folder/out.json");
    assertEquals(3, Replay.run(Worlds.named("maze"), in, out).steps());
    assertTrue(Files.exists(out));
  }

  @Test
  void recordedFramesAreHeldAgainstTheReplay() throws IOException {
    String controls = ", \"controls\": [" + "[1, 0.5], ".repeat(11) + "[0, 0]]";
    ObjectNode again = (ObjectNode) Json.parse(MAZE + controls + "}", "in.json");
    again.set("frames", replay("maze", MAZE + controls + "}").get("frames"));
    Path out = folder.resolve("out.json");
    World maze = Worlds.named("maze");
    assertEquals(
        List.of(
            new Replay.Deviation(1, 0, 0, 0),
            new Replay.Deviation(10, 0, 0, 0),
            new Replay.Deviation(12, 0, 0, 0)),
        Replay.run(maze, write(Json.line(again)), out).deviations());

    // A difference counts from its step on, until a larger one.
    ArrayNode positions = (ArrayNode) again.at("/frames/5/qpos");
    double x = positions.get(0).doubleValue();
    positions.set(0, Json.object().numberNode(x + 0.25));
    List<Replay.Deviation> deviations = Replay.run(maze, write(Json.line(again)), out).deviations();
    assertEquals(0, deviations.get(0).positions());
    assertEquals(0.25, deviations.get(1).positions(), 1e-15);
    assertEquals(0.25, deviations.get(2).positions(), 1e-15);
    assertEquals(0, deviations.get(2).velocities() + deviations.get(2).observation());

    positions.removeAll();
    Files.delete(out);
    String message = refusal("maze", Json.line(again));
    assertTrue(message.contains("frames[5].qpos"), message);
    assertEquals(
        List.of(),
        Replay.run(maze, write(MAZE + ", \"controls\": []}"), folder.resolve("out")).deviations());
  }

  @Test
  void theArmTakesNumberedActionsAndVectorsForTheSame() throws IOException {
    String initial;
    try (Domain arm = ((RobotWorld) Worlds.named("fetchreach")).openDomain()) {
      initial = json("fetchreach", arm.physics(), 15, "").replace("\"controls\": }", "");
    }
    JsonNode numbered = replay("fetchreach", initial + "\"actions\": [0, 5, 4]}");
    JsonNode vectors =
        replay(
            "fetchreach", initial + "\"actions\": [[1, 0, 0, 0], [0, 0, -1, 0], [0, -1, 0, 0.0]]}");
    assertEquals(4, numbered.get("frames").size());
    assertEquals(vectors, numbered);
    Files.delete(folder.resolve("out.json"));
    String message = refusal("fetchreach", initial + "\"actions\": [0, 6]}");
    assertTrue(
        message.endsWith("field actions[1]: expected a whole number from 0 to 5, found 6"),
        message);
    assertArrayEquals(new double[] {1, 0, 0, 0}, FetchReach.direction(0));
  }

  @Test
  void aTrajectoryOfTheArmWithoutItsMeshesIsReplayedOnThatOne() throws IOException {
    double[] standing;
    double[] floating;
    try (FetchReach with = (FetchReach) ((RobotWorld) Worlds.named("fetchreach")).openDomain();
        FetchReach without = FetchReach.withoutBaseContacts()) {
      standing = with.home();
      floating = without.home();
      String start = json("fetchreach", with.physics(), 15, "[[0, 0, 0, 0]]").replace("]]}", "]]");
      String told = start + ", \"initial_gripper_xpos\": %s}";
      JsonNode first = replay("fetchreach", told.formatted(Arrays.toString(standing)));
      JsonNode second = replay("fetchreach", told.formatted(Arrays.toString(floating)));
      assertEquals(3, first.get("frames").get(1).get("ncon").intValue());
      assertEquals(0, second.get("frames").get(1).get("ncon").intValue());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{}|key 'initial' is missing",
        "[]|expected an object with the keys [initial, controls",
        "{\"initial\": {\"qpos\": [0, 0], \"qvel\": [0, 0]}, \"controls\": [], \"action\": []}|unknown key 'action'; did you mean 'actions'?",
        "{\"initial\": {\"qpos\": [0, 0], \"qvel\": [0, 0], \"tme\": 1}, \"controls\": []}|field initial: unknown key 'tme'; did you mean 'time'?",
        "{\"initial\": {\"qvel\": [0, 0]}, \"controls\": []}|field initial: key 'qpos' is missing",
        "{\"initial\": {\"qpos\": [0, 0]}, \"controls\": []}|field initial: key 'qvel' is missing",
        "{\"initial\": {\"qpos\": [0, 0], \"qvel\": [0, 0]}}|key 'controls' is missing",
        "{\"initial\": {\"qpos\": [0], \"qvel\": [0, 0]}, \"controls\": []}|field initial.qpos: expected 2 numbers, found 1",
        "{\"initial\": {\"qpos\": [0, 0], \"qvel\": [0, 0, 0]}, \"controls\": []}|field initial.qvel: expected 2 numbers, found 3",
        "{\"initial\": {\"qpos\": [0, 0], \"qvel\": [0, 0], \"act\": [1]}, \"controls\": []}|field initial.act: expected 0 numbers, found 1",
        "{\"initial\": {\"qpos\": 3, \"qvel\": [0, 0]}, \"controls\": []}|field initial.qpos: expected a list, found 3",
        "{\"initial\": {\"qpos\": [0, \"NaN\"], \"qvel\": [0, 0]}, \"controls\": []}|field initial.qpos[1]: expected a finite number, found \"NaN\"",
        "{\"initial\": {\"qpos\": [0, null], \"qvel\": [0, 0]}, \"controls\": []}|field initial.qpos[1]: expected a finite number, found null",
        "{\"initial\": {\"qpos\": [0, 1e999], \"qvel\": [0, 0]}, \"controls\": []}|field initial.qpos[1]: expected a finite number",
        "{\"initial\": {\"qpos\": [0, NaN], \"qvel\": [0, 0]}, \"controls\": []}|line 1, column",
        "{\"initial\": {\"qpos\": [0, 0], \"qvel\": [0, 0]}, \"controls\": [[1, 1], [1]]}|field controls[1]: expected 2 numbers, found 1",
        "{\"initial\": {\"qpos\": [0, 0], \"qvel\": [0, 0]}, \"controls\": [[1, \"1\"]]}|field controls[0][1]: expected a finite number",
        "{\"initial\": {\"qpos\": [0, 0], \"qvel\": [0, 0]}, \"controls\": [0, 1]}|field controls[0]: expected a list, found 0",
        "{\"initial\": {\"qpos\": [0, 0], \"qvel\": [0, 0]}, \"controls\": 7}|field controls: expected a list, found 7",
        "{\"initial\": {\"qpos\": [0, 0], \"qvel\": [0, 0], \"time\": \"now\"}, \"controls\": []}|field initial.time: expected a finite number",
        "{\"initial\": {\"qpos\": [1e300, 0], \"qvel\": [0, 0]}, \"controls\": []}|field initial: the simulation cannot start there, its numbers are too large",
        "{\"initial\": |line 1, column",
        "controls|line 1, column"
      })
  void aWrongFileIsRefusedAtItsPlace(String text, String expected) throws IOException {
    String message = refusal("maze", text);
    assertTrue(message.contains(expected), message);
    assertTrue(message.contains(folder.resolve("in.json").toString()), message);
  }

  @Test
  void whereActuatorsHaveAStateItMustBeTold() throws IOException {
    String text = json("quadruped", new double[57], 23, "[]").replaceAll(", \"act\": [^]]*]", "");
    String message = refusal("quadruped", text);
    assertTrue(message.endsWith("field initial: key 'act' is missing"), message);
  }

  @Test
  void aMissingFileAFolderAndAnUnknownEnvironmentAreWrongUse() throws IOException {
    World maze = Worlds.named("maze");
    Path out = folder.resolve("out.json");
    UserError missing =
        assertThrows(UserError.class, () -> Replay.run(maze, folder.resolve("none.json"), out));
    assertTrue(missing.getMessage().contains("none.json"), missing.getMessage());
    assertEquals(UserError.Kind.INVALID, missing.kind());
    Path in = write(MAZE + ", \"controls\": [[0, 0]]}");
    UserError directory = assertThrows(UserError.class, () -> Replay.run(maze, in, folder));
    assertTrue(directory.getMessage().contains("it is a directory"), directory.getMessage());
    assertEquals(UserError.Kind.INVALID, directory.kind());
    UserError unknown = assertThrows(UserError.class, () -> Worlds.named("quadrupet"));
    assertTrue(unknown.getMessage().contains("did you mean 'quadruped'"), unknown.getMessage());
    assertOnlyTheInputIsLeft();
  }

  @Test
  void aRefusedReplayLeavesAnEarlierResultAlone() throws IOException {
    replay("maze", MAZE + ", \"controls\": [[0, 0]]}");
    String before = Files.readString(folder.resolve("out.json"));
    assertThrows(
        UserError.class,
        () ->
            replay(
                "maze",
                "{\"initial\": {\"qpos\": [1e300, 0], \"qvel\": [0, 0]}, \"controls\": []}"));
    assertEquals(before, Files.readString(folder.resolve("out.json")));
  }

  @ParameterizedTest
  @CsvSource({"walker, 9, 1e9", "quadruped, 23, 1e9", "fetchreach, 15, 1e9"})
  void aBlowUpIsAFailureThatKeepsTheFramesBeforeIt(String name, int positions, double speed)
      throws IOException {
    World world = Worlds.named(name);
    String controls = Arrays.deepToString(new double[5][world.actionSize()]);
    double[] physics = new double[world.stateSize()];
    if (name.equals("quadruped")) {
      physics[3] = 1;
    }
    for (int i = 0; i < 6; i++) {
      physics[positions + i] = i % 2 == 0 ? speed : -speed;
    }
    Path in = write(json(name, physics, positions, controls));
    Path out = folder.resolve("out.json");
    UserError error = assertThrows(UserError.class, () -> Replay.run(world, in, out));
    assertEquals(UserError.Kind.FAILED, error.kind());
    JsonNode file = Json.read(out);
    int step = file.get("diverged_at_step").intValue();
    assertTrue(step >= 1 && step <= 5);
    assertEquals(step, file.get("frames").size());
    assertEquals(
        "the simulation blew up in control step %d; the frames before it are in %s"
            .formatted(step, out),
        error.getMessage());
  }
}
