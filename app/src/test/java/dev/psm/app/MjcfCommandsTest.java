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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A model file of the user's in every command, from a folder whose name has spaces. */
final class MjcfCommandsTest {
  private static final String ARM =
      """
      <mujoco>
        <worldbody>
          <body>
            <joint name="base" axis="0 1 0" damping="0.1"/>
            <geom type="capsule" fromto="0 0 0 0 0 -0.5" size="0.03"/>
            <site name="tip" pos="0 0 -0.5"/>
          </body>
        </worldbody>
        <actuator><motor joint="base" ctrllimited="true" ctrlrange="-1 1"/></actuator>
        <sensor>
          <framepos name="tip" objtype="site" objname="tip"/>
          <jointvel name="rate" joint="base"/>
          <accelerometer name="felt" site="tip"/>
        </sensor>
      </mujoco>
      """;

  @TempDir private Path root;
  private Path arm;

  @BeforeEach
  void write() throws IOException {
    Path folder = Files.createDirectory(root.resolve("my robots"));
    arm = Files.writeString(folder.resolve("arm.xml"), ARM);
    Files.writeString(
        folder.resolve("arm.psm.json"),
        """
        {"episodeSteps": 100, "tasks": {"up": {"formula": "tip_2", "meaning": "hold the tip high"}}}
        """);
  }

  @Test
  void itIsListedPlayedFilmedAndReplayed() throws IOException {
    JsonNode listed = Cli.run("env", "list", arm, "--json").json().at("/environments/0");
    assertEquals("arm", listed.get("name").textValue());
    assertEquals(7, listed.get("observationSize").intValue());
    assertEquals(
        100,
        Cli.run("env", "list", arm, "--json").json().at("/environments/0/episodeSteps").asInt());
    JsonNode random = Cli.run("env", "random", arm, "--episodes", 2, "--json").json();
    assertEquals(2, random.at("/returns/up/episodes").size());
    assertTrue(Cli.run("reward", "list", arm).succeeded().out().contains("tip_2"));
    Cli.run("reward", "check", arm, "exp(-abs(rate))").succeeded();
    Path film = root.resolve("film.gif");
    Object[] size = {"--seconds", 0.4, "--width", 96, "--height", 64, "--json"};
    List<Object> line = new ArrayList<>(List.of("env", "film", arm, "--out", film));
    line.addAll(List.of(size));
    assertTrue(Cli.run(line.toArray()).json().get("frames").intValue() >= 8);
    Path controls = root.resolve("controls.json");
    Path trajectory = root.resolve("trajectory.json");
    Files.writeString(
        controls, "{\"initial\": {\"qpos\": [1], \"qvel\": [0]}, \"controls\": [[0], [1]]}");
    Cli.run("env", "replay", "--env", arm, "--in", controls, "--out", trajectory).succeeded();
    JsonNode frames = Json.read(trajectory).get("frames");
    assertEquals(3, frames.size());
    assertEquals(-0.5 * Math.cos(1), frames.at("/0/quantities/tip_2").doubleValue(), 1e-12);
  }

  private Cli.Result collect(int steps) {
    return Cli.run(
        "collect",
        "--env",
        arm,
        "--policy",
        "wander",
        "--environments",
        2,
        "--steps",
        steps,
        "--out",
        root.resolve("data"),
        "--json");
  }

  @Test
  void dataGrowsAsLongAsTheRobotIsTheSame() throws IOException {
    assertEquals(400, collect(400).json().get("steps").intValue());
    assertEquals(200, collect(600).json().get("added").intValue());
    JsonNode checked = Cli.run("dataset", "check", root.resolve("data"), "--json").json();
    assertTrue(checked.path("problems").isEmpty(), checked.toString());
    Files.writeString(arm, ARM.replace("damping=\"0.1\"", "damping=\"0.2\""));
    collect(800).refused("engine", "choose another folder");
  }

  @Test
  void anAgentLearnsItAndTakesRewardsOverItsSensors() {
    JsonNode graded = Cli.run("evaluate", learned(), "--episodes", 1, "--json").json();
    assertTrue(graded.toString().contains("\"up\""), graded.toString());
  }

  @Test
  void aRobotNeedsNoTasks() throws IOException {
    Files.writeString(arm.resolveSibling("arm.psm.json"), "{\"episodeSteps\": 100}");
    Cli.run("evaluate", learned(), "--episodes", 1).refused("arm has no tasks", "formulas");
  }

  private Path learned() {
    collect(600).succeeded();
    Path run = root.resolve("run");
    List<Object> line =
        new ArrayList<>(List.of("pretrain", "--data", root.resolve("data"), "--out", run));
    line.addAll(List.of("--steps", 6, "--episodes", 1));
    line.addAll(PretrainDataTest.TINY);
    Cli.run(line.toArray()).succeeded();
    assertTrue(Files.exists(run.resolve("seed-0/metrics.jsonl")));
    Cli.run("solve", run, "--reward", "tip_2 - 0.1 * abs(rate)").succeeded();
    return run;
  }

  @Test
  void whatIsWrongWithTheFilesIsToldInWords() throws IOException {
    Cli.run("env", "list", root.resolve("gone.xml")).refused("gone.xml", "nor a file");
    Files.writeString(arm, ARM.replace("capsule", "sausage"));
    Cli.run("env", "random", arm).refused(arm.toString(), "sausage", "line 5");
    Files.writeString(arm, ARM);
    Files.writeString(arm.resolveSibling("arm.psm.json"), "{\"taks\": {}}");
    Path out = root.resolve("data");
    Cli.run("collect", "--env", arm, "--steps", 100, "--out", out)
        .refused("arm.psm.json", "'taks'", "'tasks'");
    assertFalse(Files.exists(out));
  }

  /** What the engine cannot do shows only as the robot moves. */
  @Test
  void whatTheEngineGivesUpOnIsToldInItsWords() throws IOException {
    String balls =
        """
          <geom type="plane" size="1 1 1" pos="0 0 -1"/>
          <body pos="2 0 1"><freejoint/><geom size="0.1"/></body>
          <body pos="1 0 1"><freejoint/><geom size="0.1"/></body>
          <body>
        """;
    Files.writeString(
        arm,
        ARM.replaceFirst("<body>", balls).replace("<mujoco>", "<mujoco><size nconmax=\"1\"/>"));
    Cli.Result result = Cli.run("env", "random", arm, "--episodes", 1);
    assertEquals(1, result.code(), result.err());
    assertTrue(result.err().contains("nconmax"), result.err());
    assertFalse(result.err().contains("\tat "), result.err());
  }
}
