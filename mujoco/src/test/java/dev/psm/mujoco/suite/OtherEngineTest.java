package dev.psm.mujoco.suite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.psm.core.io.Json;
import dev.psm.mujoco.MujocoLibrary;
import dev.psm.mujoco.OtherEngine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The robots on MuJoCo 3, in a process of its own beside this one's 2.2.2: PSM_TEST_MUJOCO names
 * its library, or python3 has it (pip install mujoco).
 */
class OtherEngineTest {
  private static JsonNode own;
  private static JsonNode other;

  @BeforeAll
  static void ask() throws IOException, InterruptedException {
    Optional<Path> library = OtherEngine.find();
    assumeTrue(
        library.isPresent(),
        "no MuJoCo 3 to compare with: pip install mujoco, or set " + OtherEngine.VARIABLE);
    own = EngineReport.make();
    ProcessBuilder builder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                EngineReport.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().put(MujocoLibrary.VARIABLE, library.get().toString());
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), said);
    other = Json.parse(said, "what the other engine's process says");
  }

  @Test
  void itIsAnotherEngine() {
    assertEquals("2.2.2", own.get("version").textValue());
    assertTrue(other.get("version").textValue().startsWith("3."), other.get("version").toString());
  }

  /** A wrong offset would show in a size, a name, a mass or a shape. */
  @Test
  void everyFactOfEveryModelIsReadTheSame() {
    assertEquals(6, own.get("facts").size());
    own.get("facts").fields().forEachRemaining(each -> compare(each.getKey(), each.getValue()));
  }

  private static void compare(String robot, JsonNode facts) {
    assertEquals(facts.size(), other.at("/facts/" + robot).size());
    facts
        .fields()
        .forEachRemaining(
            field -> {
              JsonNode expected = field.getValue();
              JsonNode found = other.at("/facts/" + robot + "/" + field.getKey());
              String where = robot + ", " + field.getKey();
              if (!expected.isArray() || field.getKey().equals("names")) {
                assertEquals(expected, found, where);
                return;
              }
              assertEquals(expected.size(), found.size(), where);
              for (int i = 0; i < expected.size(); i++) {
                double number = expected.get(i).doubleValue();
                assertEquals(
                    number, found.get(i).doubleValue(), 1e-12 * (1 + Math.abs(number)), where);
              }
            });
  }

  /** Far above what was seen, far below what a wrong field or order of calls would do. */
  @Test
  void everyRobotMovesNearlyAsRecorded() {
    for (String name : EngineReport.TRAJECTORIES) {
      JsonNode deviations = other.at("/deviations/" + name);
      assertEquals(3, deviations.size(), name);
      boolean changed = name.equals("fetchreach") || name.equals("point_mass_maze_wall");
      double bound = changed ? 0.1 : 1e-9;
      assertTrue(deviations.get("10").doubleValue() < bound, name + ": " + deviations);
      assertTrue(own.at("/deviations/" + name + "/100").doubleValue() < 1e-9, name);
    }
  }

  @Test
  void aPushMovesTheSame() {
    assertTrue(own.get("pushed").doubleValue() > 0.1, own.get("pushed").toString());
    assertEquals(own.get("pushed").doubleValue(), other.get("pushed").doubleValue(), 1e-9);
  }

  @Test
  void statesAreRestoredToTheLastBit() {
    other
        .get("exact")
        .fields()
        .forEachRemaining(each -> assertTrue(each.getValue().booleanValue(), each.getKey()));
  }

  @Test
  void itsComplaintsComeAsExceptions() {
    String warning = other.get("warning").textValue();
    assertTrue(warning.startsWith("MuJoCo warned in the walker simulation: "), warning);
    assertTrue(other.get("divergence").booleanValue());
  }
}
