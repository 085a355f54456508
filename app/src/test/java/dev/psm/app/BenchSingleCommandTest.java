package dev.psm.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.psm.core.io.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BenchSingleCommandTest {
  @TempDir private Path folder;

  /** Two tasks of the maze, 2,200 steps each, the first 1,000 of them random. */
  private Cli.Result tiny(Object... more) throws IOException {
    Path file = Files.writeString(folder.resolve("tasks.txt"), "right: x\nup: y\nleft: -x\n");
    List<Object> line = new ArrayList<>();
    line.addAll(List.of("bench", "single", "--env", "maze", "--tasks-file", file));
    line.addAll(List.of("--tasks", "right,up", "--steps", 2200, "--evaluate-every", 1500));
    line.addAll(List.of("--episodes", 2, "seedSteps=1000", "width=8", "batchSize=8"));
    line.addAll(List.of("stepsPerUpdate=100"));
    line.addAll(List.of(more));
    return Cli.run(line.toArray());
  }

  @Test
  void everyTaskHasItsCurveAndItsLastReturns() throws IOException {
    Path out = folder.resolve("out.json");
    JsonNode document = tiny("--out", out, "--json").json();
    assertEquals(document, Json.read(out));
    assertEquals("point_mass_maze", document.path("environment").asText());
    assertEquals(100, document.at("/settings/stepsPerUpdate").asInt());
    assertFalse(document.path("settings").has("representation"));
    assertEquals(2, document.path("tasks").size());
    JsonNode right = document.at("/tasks/right");
    assertEquals("x", right.path("formula").asText());
    assertEquals(2, right.path("returns").size());
    assertEquals(2200, right.path("steps").asInt());
    // The step that is being taken is not counted yet when updates are made.
    assertEquals(11, right.path("updates").asInt());
    assertTrue(right.path("seconds").asDouble() > 0);
    JsonNode curve = right.path("curve");
    assertEquals(2, curve.size());
    assertEquals(1500, curve.at("/0/steps").asInt());
    assertEquals(right.path("mean"), curve.at("/1/mean"));
  }

  @Test
  void theSameSeedGivesTheSameReturnsAndStartsAreThoseOfRandomActions() throws IOException {
    JsonNode first = tiny("--json").json();
    JsonNode again = tiny("--json").json();
    assertEquals(first.at("/tasks/up/returns"), again.at("/tasks/up/returns"));
    JsonNode other = tiny("--json", "--seed", 1).json();
    assertFalse(first.at("/tasks/up/returns").equals(other.at("/tasks/up/returns")));
    assertEquals(first.at("/tasks/up/random"), other.at("/tasks/up/random"));
    JsonNode elsewhere = tiny("--json", "--start-seed", 1).json();
    assertFalse(first.at("/tasks/up/random").equals(elsewhere.at("/tasks/up/random")));
  }

  @Test
  void numberedActionsAreLearnedByDqn() {
    List<Object> line = new ArrayList<>(List.of("bench", "single"));
    line.addAll(List.of("--env", "fetchreach_discrete", "--tasks", "gripper_z > 0.6"));
    line.addAll(List.of("--steps", 400, "--evaluate-every", 300, "--episodes", 2, "--json"));
    line.addAll(List.of("seedSteps=200", "width=8", "batchSize=8", "stepsPerUpdate=10"));
    JsonNode document = Cli.run(line.toArray()).json();
    assertEquals("dqn", document.path("agent").asText());
    assertEquals(0.98, document.at("/settings/discount").asDouble());
    assertFalse(document.path("settings").has("representation"));
    JsonNode task = document.path("tasks").elements().next();
    assertEquals("gripper_z > 0.6", task.path("formula").asText());
    assertEquals(19, task.path("updates").asInt());
    assertEquals(2, task.path("returns").size());
  }

  @Test
  void peopleSeeItLearn() throws IOException {
    String said = tiny().succeeded().out();
    assertTrue(said.contains("right: mean returns of 2 episodes; random actions"), said);
    assertTrue(said.contains("2,200 steps") && said.contains("11 updates"), said);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--env wlaker|did you mean 'walker'",
        "--env fetchreach_discrete noise=1|noise",
        "--env walker --tasks wlak|did you mean 'walk'",
        "--env walker --steps 0|--steps",
        "--env walker --evaluate-every 0|--evaluate-every",
        "--env walker --episodes 0|--episodes",
        "--env walker widht=3|widht",
        "--env walker nStep=1001|nStep",
        "--env walker --tasks-file nowhere.txt|nowhere.txt",
        "--tasks walk|--env"
      })
  void aBadArgumentIsRefused(String options, String word) {
    Object[] line = ("bench single " + options).split(" ");
    Cli.run(line).refused(word);
  }
}
