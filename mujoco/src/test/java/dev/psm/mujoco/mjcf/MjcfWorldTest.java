package dev.psm.mujoco.mjcf;

import static dev.psm.mujoco.mjcf.Models.SENSORS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.env.Space;
import dev.psm.core.env.World;
import dev.psm.core.env.Worlds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a model file says of itself: names, sizes, defaults. */
class MjcfWorldTest {
  private static final List<String> STATE =
      List.of(
          "rail_position",
          "pole_position",
          "ball_x",
          "ball_y",
          "ball_z",
          "ball_qw",
          "ball_qx",
          "ball_qy",
          "ball_qz",
          "rail_velocity",
          "pole_velocity",
          "ball_velocity_x",
          "ball_velocity_y",
          "ball_velocity_z",
          "ball_angular_velocity_x",
          "ball_angular_velocity_y",
          "ball_angular_velocity_z",
          "activation_0");

  @TempDir Path folder;

  @Test
  void withoutSensorsTheStateIsMeasuredAndObserved() {
    World cart = Models.cart(folder, "");
    assertEquals(STATE, Models.names(cart));
    assertEquals(STATE.size(), cart.observationSize());
    assertEquals(STATE.size(), cart.stateSize());
    assertEquals("m", cart.quantity("rail_position").unit());
    assertEquals("rad/s", cart.quantity("pole_velocity").unit());
  }

  @Test
  void sensorsComeFirstUnderNamesThatAFormulaCanTake() {
    World cart = Models.cart(folder, SENSORS);
    assertEquals(
        List.of(
            "pole_angle",
            "sensor1",
            "felt_0",
            "felt_1",
            "felt_2",
            "_2nd_touch",
            "time",
            "exp_0",
            "exp_1",
            "exp_2",
            "rail_position",
            "effort",
            "rail_position_2"),
        Models.names(cart).subList(0, 13));
    assertEquals(12, cart.observationSize());
    // Accelerations and forces, and the time, do not follow from the state.
    assertEquals(STATE.size() + 3 + 1 + 1 + 1, cart.stateSize());
    assertEquals("jointpos; 'pole angle' in the file", cart.quantity("pole_angle").meaning());
    assertEquals("accelerometer, number 2 of 3", cart.quantity("felt_1").meaning());
    assertEquals("m/s", cart.quantity("sensor1").unit());
    assertTrue(cart.quantity("rail_position_2").meaning().contains("'rail_position' in the file"));
    cart.taskOrFormula("pole_angle * felt_1 + _2nd_touch");
  }

  @Test
  void aWordOfTheLanguageIsNoName() {
    String words =
        "<sensor><clock name=\"exp\"/><clock name=\"pi\"/><clock name=\"distance\"/></sensor>";
    assertEquals(
        List.of("exp_2", "pi_2", "distance_2"),
        Models.names(Models.cart(folder, words)).subList(0, 3));
  }

  @Test
  void defaultsAreThoseOfTheDocumentation() {
    World cart = Models.cart(folder, "");
    assertEquals(0.02, cart.stepSeconds());
    assertEquals(1000, cart.episodeSteps());
    assertEquals(0.98, cart.discount());
    assertEquals(List.of(), cart.tasks());
    assertTrue(cart.plane().isEmpty());
    assertEquals(2, ((Space.Box) cart.actionSpace()).size());
    cart.taskOrFormula(cart.examples().get(0));
  }

  @Test
  void aCoarseOrOddTimestepIsRoundedUp() {
    for (String[] pair : new String[][] {{"0.05", "0.05"}, {"0.003", "0.021"}, {"0.002", "0.02"}}) {
      String text = Models.CART.formatted("").replace("0.005", pair[0]);
      World cart = Models.read(Models.write(folder, "cart.xml", text));
      assertEquals(pair[1], Double.toString(cart.stepSeconds()));
    }
  }

  @Test
  void itIsCalledAsItsFileAndFoundByItsPath() {
    Path file = Models.write(folder, "my robot.v2.XML", Models.CART.formatted(""));
    World robot = Models.read(file);
    assertEquals("my-robot-v2", robot.name());
    assertEquals(file.toAbsolutePath().toString(), robot.reference());
    assertEquals(robot.engine(), Worlds.named(robot.reference()).engine());
    World walker = Models.read(Models.write(folder, "walker.xml", Models.CART.formatted("")));
    assertEquals("walker-xml", walker.name(), "the suite's walker is another");
  }

  @Test
  void anotherModelOrAnotherStartIsAnotherWorld() {
    String before = Models.cart(folder, "").engine();
    assertEquals(before, Models.cart(folder, "").engine());
    assertNotEquals(before, Models.cart(folder, "<option gravity=\"0 0 -1\"/>").engine());
    assertNotEquals(before, Models.cart(folder, "", "{\"resetNoise\": 0.5}").engine());
  }

  @Test
  void includesAndMeshesAreFoundBesideTheFile() throws IOException {
    Files.createDirectory(folder.resolve("parts"));
    Models.write(folder, "parts/sensors.xml", "<mujoco>" + SENSORS + "</mujoco>");
    World cart = Models.cart(folder, "<include file=\"parts/sensors.xml\"/>");
    assertEquals(12, cart.observationSize());
  }

  @Test
  void aThousandSensorsAreAThousandQuantities() {
    String sensors =
        IntStream.range(0, 1000)
            .mapToObj(i -> "<jointpos name=\"s%d\" joint=\"rail\"/>".formatted(i))
            .collect(Collectors.joining("", "<sensor>", "</sensor>"));
    World cart = Models.cart(folder, sensors);
    assertEquals(1000, cart.observationSize());
    assertFalse(cart.taskOrFormula("s999 + s0").formula().isEmpty());
  }
}
