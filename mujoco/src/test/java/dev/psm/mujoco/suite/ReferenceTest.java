package dev.psm.mujoco.suite;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.psm.core.io.Json;
import dev.psm.core.reward.Task;
import dev.psm.mujoco.Simulation;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Trajectories recorded with MuJoCo 2.2.2 on the original model files, replayed on ours. Where a
 * file says {@code nomesh}, the original's meshes were made non-colliding.
 */
class ReferenceTest {
  /** Ours agree far better; chaos would make even a wrong digit show within a few steps. */
  private static final double EXACT = 1e-12;

  private static final Map<String, String> QUANTITIES =
      Map.of(
          "torso_height", "torso_height",
          "torso_upright", "upright",
          "com_vx", "velocity_x",
          "angmom_y", "angular_momentum",
          "upright", "upright",
          "vx_local", "velocity_x",
          "com_height", "com_height");

  @ParameterizedTest
  @CsvSource({
    "walker, 30",
    "cheetah, 30",
    "quadruped, 30",
    "point_mass_maze, 30",
    "point_mass_maze_wall, 30"
  })
  void everyFrameIsTheOriginals(String name, int frames) {
    JsonNode file = read(name);
    try (Domain domain = Robots.named(file.get("env").textValue()).openDomain()) {
      domain.start(physics(file, domain));
      assertEquals(frames, replay(file, domain, "controls", EXACT));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "fetchreach, 30, 1e-9",
    "fetchreach_discrete, 15, 1e-9",
    "fetchreach_nomesh, 30, 1e-12",
    "fetchreach_nomesh_discrete, 15, 1e-12"
  })
  void theArmMovesAsTheOriginals(String name, int frames, double tolerance) {
    JsonNode file = read(name);
    try (FetchReach arm =
        name.contains("nomesh")
            ? FetchReach.withoutBaseContacts()
            : (FetchReach) FetchReach.WORLD.openDomain()) {
      assertArrayEquals(
          numbers(file.get("initial_gripper_xpos")), arm.home(), tolerance, "set-up position");
      arm.start(() -> 0L);
      double[] own = arm.physics();
      arm.start(physics(file, arm));
      arm.simulation().setTime(file.get("initial").get("time").doubleValue());
      double[] told = arm.physics();
      for (int i = 0; i < 30; i++) {
        assertEquals(told[i], own[i], tolerance, "our own set-up ends in the file's state: " + i);
      }
      assertEquals(frames, replay(file, arm, "actions", tolerance));
    }
  }

  private static int replay(JsonNode file, Domain domain, String controls, double tolerance) {
    JsonNode frames = file.get("frames");
    assertEquals(0, frames.get(0).get("step").intValue());
    compare(frames.get(0), domain, tolerance);
    int next = 1;
    for (int step = 1; next < frames.size(); step++) {
      assertTrue(domain.advance(numbers(file.get(controls).get(step - 1))), "step " + step);
      if (frames.get(next).get("step").intValue() == step) {
        compare(frames.get(next++), domain, tolerance);
      }
    }
    assertEquals(file.get(controls).size(), frames.get(next - 1).get("step").intValue());
    return next;
  }

  private static void compare(JsonNode frame, Domain domain, double tolerance) {
    Simulation simulation = domain.simulation();
    String at = "step " + frame.get("step") + ", ";
    assertEquals(frame.get("time").doubleValue(), simulation.time(), EXACT, at + "time");
    assertEquals(frame.get("ncon").intValue(), simulation.contacts(), at + "contacts");
    double[] observation = new double[domain.world().observationSize()];
    domain.observe(observation);
    compare(frame, "qpos", simulation.qpos().toArray(), tolerance);
    compare(frame, "qvel", simulation.qvel().toArray(), tolerance);
    compare(frame, "observation", observation, tolerance);
    if (frame.has("mocap_pos")) {
      compare(frame, "mocap_pos", simulation.mocapPosition().toArray(), tolerance);
      // Our steps leave the sum that the engine then normalises; so does the recording.
      compare(frame, "mocap_quat", simulation.mocapQuaternion().toArray(), tolerance);
      return;
    }
    compare(frame, "ctrl", simulation.ctrl().toArray(), 0);
    compare(frame, "act", simulation.act().toArray(), tolerance);
    compare(frame, "sensordata", simulation.sensors().toArray(), tolerance);
    JsonNode rewards = frame.get("reward");
    assertEquals(domain.world().tasks().size(), rewards.size());
    for (Task task : domain.world().tasks()) {
      double told = rewards.get(task.name()).doubleValue();
      assertEquals(told, task.reward(domain), tolerance, at + task.name());
    }
    Iterator<Map.Entry<String, JsonNode>> quantities = frame.get("quantities").fields();
    while (quantities.hasNext()) {
      Map.Entry<String, JsonNode> entry = quantities.next();
      // The maze's control factor has no quantity of its own; it shows in the rewards.
      if (!entry.getKey().equals("small_control")) {
        String ours = QUANTITIES.get(entry.getKey());
        double measured = domain.get(domain.world().quantity(ours));
        assertEquals(entry.getValue().doubleValue(), measured, tolerance, at + ours);
      }
    }
  }

  private static void compare(JsonNode frame, String field, double[] found, double tolerance) {
    assertArrayEquals(
        numbers(frame.get(field)), found, tolerance, "step " + frame.get("step") + ", " + field);
  }

  private static double[] physics(JsonNode file, Domain domain) {
    double[] physics = domain.physics();
    int at = 0;
    for (String part : new String[] {"qpos", "qvel", "act"}) {
      JsonNode values = file.get("initial").get(part);
      if (values != null) {
        System.arraycopy(numbers(values), 0, physics, at, values.size());
        at += values.size();
      }
    }
    return physics;
  }

  private static JsonNode read(String name) {
    try {
      return Json.read(
          Path.of(Simulation.class.getResource("reference/" + name + ".json").toURI()));
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static double[] numbers(JsonNode list) {
    double[] numbers = new double[list.size()];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = list.get(i).doubleValue();
    }
    return numbers;
  }
}
