package dev.psm.mujoco.mjcf;

import static dev.psm.mujoco.mjcf.Models.SENSORS;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.psm.core.Seeds;
import dev.psm.core.env.Environment;
import dev.psm.core.env.Plane;
import dev.psm.core.env.World;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The settings file beside a model. */
class MjcfSettingsTest {
  @TempDir Path folder;

  @Test
  void everythingItSaysHolds() {
    World cart =
        Models.cart(
            folder,
            SENSORS,
            """
            {
              "observation": ["pole_velocity", "exp_2", "pole_angle"],
              "tasks": {
                "near": {"formula": "exp_2 + distance(0, 0)", "meaning": "be near"},
                "far": {"formula": "-pole_angle"}
              },
              "controlStep": 0.01,
              "episodeSteps": 7,
              "resetNoise": 0,
              "resetRanges": {"pole_position": [0.5, 0.5]},
              "plane": {"pole_angle": [-3, 3], "exp_2": [0, 1]},
              "place": ["exp_0", "exp_1"],
              "discount": 0.9
            }
            """);
    assertEquals(3, cart.observationSize());
    assertEquals(0.01, cart.stepSeconds());
    assertEquals(7, cart.episodeSteps());
    assertEquals(0.9, cart.discount());
    assertEquals(new Plane("pole_angle", -3, 3, "exp_2", 0, 1), cart.plane().orElseThrow());
    assertEquals("be near", cart.task("near").meaning());
    try (Environment environment = cart.open()) {
      assertArrayEquals(new float[] {0, 0.1f, 0.5f}, environment.reset(Seeds.generator(0)));
      assertEquals(0.1 + Math.sqrt(0.5), cart.task("near").reward(environment), 1e-12);
      assertEquals(-0.5, cart.task("far").reward(environment));
      assertEquals(-0.5, cart.taskOrFormula("far").reward(environment));
      for (int step = 1; step < 7; step++) {
        assertEquals(false, environment.step(new float[2]).ended());
      }
      assertEquals(true, environment.step(new float[2]).truncated());
    }
  }

  private void assertRefused(String json, String... words) {
    Models.assertRefused("cart.psm.json", () -> Models.cart(folder, SENSORS, json), words);
  }

  @Test
  void whatIsNoObjectOrHasAnotherKey() {
    assertRefused("{", "line 1");
    assertRefused("[]", "expected an object", "observation");
    assertRefused("{\"observaton\": []}", "'observaton'", "did you mean 'observation'?");
    assertRefused("{\"discount\": 0.9, \"discount\": 0.8}", "discount");
  }

  @Test
  void quantitiesThatTheModelDoesNotHave() {
    assertRefused(
        "{\"observation\": [\"pole_angel\"]}", "observation[0]", "pole_angel", "'pole_angle'");
    assertRefused("{\"observation\": []}", "observation", "at least one");
    assertRefused("{\"observation\": [\"time\", \"time\"]}", "observation[1]", "twice");
    assertRefused("{\"observation\": \"time\"}", "observation", "a list", "\"time\"");
    assertRefused("{\"place\": [\"time\", \"far\"]}", "place[1]", "'far'");
    assertRefused("{\"place\": [\"time\", \"exp_0\", \"exp_1\", \"exp_2\"]}", "1 to 3", "found 4");
    assertRefused("{\"plane\": {\"tim\": [0, 1], \"exp_0\": [0, 1]}}", "plane.tim", "'time'");
    assertRefused("{\"plane\": {\"time\": [0, 1]}}", "plane", "two quantities", "found 1");
    assertRefused("{\"plane\": {\"time\": [1, 1], \"exp_0\": [0, 1]}}", "plane.time", "wider");
  }

  @Test
  void numbersThatCannotBe() {
    assertRefused("{\"controlStep\": 0.012}", "controlStep", "timestep of 0.005 s", "0.012");
    assertRefused("{\"controlStep\": -0.005}", "controlStep");
    assertRefused("{\"controlStep\": 1e9}", "controlStep");
    assertRefused("{\"episodeSteps\": 0}", "episodeSteps", "from 1", "found 0");
    assertRefused("{\"resetNoise\": -1}", "resetNoise", "0 or more", "-1");
    assertRefused("{\"discount\": 1}", "discount", "below 1");
    assertRefused("{\"discount\": \"high\"}", "discount", "\"high\"");
  }

  @Test
  void startsThatCannotBe() {
    assertRefused(
        "{\"resetRanges\": {\"rail_position_2\": [-2, 0]}}", "limits -1.0 to 1.0", "-2.0 to 0.0");
    assertRefused("{\"resetRanges\": {\"pole_position\": [1, 0]}}", "[low, high]", "[1,0]");
    assertRefused("{\"resetRanges\": {\"pole_position\": [1]}}", "2 numbers, found 1");
    // What a sensor shows cannot be set.
    assertRefused("{\"resetRanges\": {\"pole_angle\": [0, 1]}}", "'pole_angle'", "pole_position");
  }

  @Test
  void tasksThatCannotBe() {
    assertRefused("{\"tasks\": {\"up\": {\"formula\": \"tme\"}}}", "tasks.up.formula", "'time'");
    assertRefused("{\"tasks\": {\"up\": {\"meaning\": \"x\"}}}", "tasks.up", "'formula'");
    assertRefused("{\"tasks\": {\"up\": {\"formla\": \"1\"}}}", "tasks.up", "'formula'");
    assertRefused("{\"tasks\": {\"up\": \"time\"}}", "tasks.up", "an object");
    for (String name : new String[] {"time", "exp", "all", "my task", "distance"}) {
      assertRefused(
          "{\"tasks\": {\"%s\": {\"formula\": \"1\"}}}".formatted(name), "tasks", "'" + name + "'");
    }
  }
}
