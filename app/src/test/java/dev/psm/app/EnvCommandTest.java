package dev.psm.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.psm.core.env.Worlds;
import dev.psm.core.io.Json;
import dev.psm.mujoco.MujocoLibrary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EnvCommandTest {
  @TempDir private Path folder;

  @Test
  void listNamesEveryEnvironmentWithItsTasks() {
    JsonNode environments = Cli.run("env", "list", "--json").json().get("environments");
    assertEquals(Worlds.all().size(), environments.size());
    int tasks = 0;
    for (JsonNode environment : environments) {
      assertFalse(environment.get("quantities").isEmpty());
      if (!environment.get("name").textValue().startsWith("fetchreach")) {
        tasks += environment.get("tasks").size();
      }
    }
    assertEquals(16, tasks);
  }

  @Test
  void listTellsTheEngine() {
    MujocoLibrary library = MujocoLibrary.load();
    JsonNode engine = Cli.run("env", "list", "--json").json().get("engine");
    assertEquals(library.version(), engine.get("version").textValue());
    assertEquals(library.file(), engine.get("file").textValue());
    assertEquals(library.source(), engine.get("source").textValue());
    String told = "%s, %s, %s".formatted(library.version(), library.file(), library.source());
    assertTrue(Cli.run("env", "list").succeeded().out().contains("Engine: MuJoCo " + told));
    assertTrue(Cli.run("doctor").out().contains("mujoco    " + told));
  }

  @Test
  void listOfOneExplainsEveryQuantity() {
    String text = Cli.run("env", "list", "walker").succeeded().out();
    assertTrue(text.contains("torso_height"));
    assertTrue(text.contains("kg m^2/s"));
    assertTrue(text.contains("cosine of the torso's tilt"));
  }

  @Test
  void anUnknownEnvironmentIsRefusedWithTheNearestName() {
    Cli.run("env", "list", "wolker").refused("wolker", "walker");
    Cli.run("env", "random", "quadrupled").refused("quadrupled", "quadruped");
    Cli.run("env", "film", "cheeta", "--out", folder.resolve("x.gif")).refused("cheetah");
  }

  @Test
  void randomGivesTheReturnsOfEveryTaskAndEveryEpisode() {
    JsonNode document =
        Cli.run("env", "random", "maze", "--episodes", 3, "--seed", 5, "--json").json();
    assertEquals("point_mass_maze", document.get("env").textValue());
    assertEquals(MujocoLibrary.load().engine(), document.get("engine").textValue());
    assertEquals(4, document.get("returns").size());
    assertEquals(3, document.at("/returns/reach_top_left/episodes").size());
    assertEquals(0, document.get("divergences").intValue());
    JsonNode again =
        Cli.run("env", "random", "maze", "--episodes", 3, "--seed", 5, "--threads", 1, "--json")
            .json();
    assertEquals(document.get("returns"), again.get("returns"), "threads change nothing");
  }

  @Test
  void randomRefusesCountsThatCannotBe() {
    Cli.run("env", "random", "walker", "--episodes", 0).refused("--episodes", "0");
    Cli.run("env", "random", "walker", "--threads", -1).refused("--threads", "-1");
    Cli.run("env", "random", "walker", "--episodes", "many").refused("--episodes", "many");
  }

  @Test
  void replayWritesEveryStep() throws IOException {
    Path in = folder.resolve("in.json");
    Path out = folder.resolve("out.json");
    Files.writeString(
        in,
        "{\"initial\": {\"qpos\": [-0.25, 0.2], \"qvel\": [0, 0], \"act\": []},"
            + " \"controls\": [[1, 0], [1, 0]]}");
    Cli.run("env", "replay", "--env", "maze", "--in", in, "--out", out).succeeded();
    JsonNode frames = Json.read(out).get("frames");
    assertEquals(3, frames.size());
    // The closed form of the ball in free space: v' = 0.9375 v + 0.00625 u, x' = x + 0.02 v'.
    double first = -0.25 + 0.02 * 0.00625;
    assertEquals(first, frames.at("/1/qpos/0").doubleValue(), 1e-16);
    assertEquals(4, frames.at("/2/reward").size());
    assertEquals(frames.at("/2/qpos/0"), frames.at("/2/quantities/x"));
  }

  @Test
  void replayNamesTheFieldThatIsWrong() throws IOException {
    Path in = folder.resolve("in.json");
    Path out = folder.resolve("out.json");
    Files.writeString(
        in, "{\"initial\": {\"qpos\": [0], \"qvel\": [0, 0]}, \"controls\": [[1, 0]]}");
    Cli.run("env", "replay", "--env", "maze", "--in", in, "--out", out)
        .refused("in.json", "initial.qpos", "2 numbers, found 1");
    assertFalse(Files.exists(out));
    Cli.run("env", "replay", "--env", "maze", "--in", folder.resolve("no.json"), "--out", out)
        .refused("no.json");
  }

  @ParameterizedTest
  @ValueSource(strings = {"random", "zero"})
  void aFilmSaysWhoseActionsItShows(String policy) {
    Path film = folder.resolve("film.gif");
    String said =
        Cli.run("env", "film", "maze", "--seconds", 0.1, "--policy", policy, "--out", film)
            .succeeded()
            .out();
    assertTrue(said.contains("filmed " + policy + " actions, "), said);
  }

  @ParameterizedTest
  @ValueSource(strings = {"walker", "cheetah", "quadruped", "maze", "fetchreach"})
  void everyEnvironmentCanBeFilmed(String name) throws IOException {
    Path film = folder.resolve("film.gif");
    JsonNode document =
        Cli.run(
                "env",
                "film",
                name,
                "--out",
                film,
                "--seconds",
                0.4,
                "--width",
                96,
                "--height",
                64,
                "--json")
            .json();
    ImageReader reader = ImageIO.getImageReadersByFormatName("gif").next();
    reader.setInput(ImageIO.createImageInputStream(film.toFile()));
    assertEquals(document.get("frames").intValue(), reader.getNumImages(true));
    assertTrue(document.get("frames").intValue() >= 8);
    assertEquals(96, reader.getWidth(0));
    assertEquals(64, reader.getHeight(0));
  }

  @Test
  void filmRefusesWhatItCannotWriteAndLeavesNothing() throws IOException {
    Cli.run("env", "film", "walker", "--out", folder.resolve("x.mp4")).refused("--out", ".gif");
    Cli.run("env", "film", "walker", "--task", "wlak", "--out", folder.resolve("x.gif"))
        .refused("wlak", "walk");
    Cli.run("env", "film", "walker", "--policy", "best", "--out", folder.resolve("x.gif"))
        .refused("--policy", "best");
    Cli.run("env", "film", "walker", "--seconds", 0, "--out", folder.resolve("x.gif"))
        .refused("--seconds");
    Cli.run("env", "film", "walker", "--width", 0, "--out", folder.resolve("x.gif"))
        .refused("pixels");
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(0, files.count());
    }
  }

  @Test
  void envAloneAsksWhatToDo() {
    Cli.run("env").refused("missing");
  }
}
