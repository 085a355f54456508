package dev.psm.app;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.psm.core.data.Dataset;
import dev.psm.core.data.DatasetDescription;
import dev.psm.core.data.DatasetWriter;
import dev.psm.core.data.Episode;
import dev.psm.core.env.Relabelling;
import dev.psm.core.env.World;
import dev.psm.core.env.Worlds;
import dev.psm.core.io.Json;
import dev.psm.core.io.OutputFolder;
import dev.psm.core.io.numpy.Npz;
import dev.psm.core.io.numpy.NpzWriter;
import dev.psm.core.reward.Task;
import dev.psm.mujoco.MujocoLibrary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class DatasetCommandTest {
  private static final World WALKER = Worlds.named("walker");

  @TempDir static Path shared;
  @TempDir Path root;
  private static Path walker;
  private static double[] physics;

  @BeforeAll
  static void collect() {
    walker = shared.resolve("walker");
    Cli.run(
            "collect",
            "--env",
            "walker",
            "--policy",
            "random",
            "--steps",
            2000,
            "--environments",
            2,
            "--out",
            walker)
        .succeeded();
    try (Dataset dataset = Dataset.open(walker)) {
      physics = new double[(int) dataset.rows() * WALKER.stateSize()];
      dataset.physics(0, (int) dataset.rows(), physics, 0);
    }
  }

  private static double[] paid(Task task) {
    return new Relabelling(WALKER, 1, (done, total) -> {}).rewards(List.of(task), physics)[0];
  }

  /** Our own steps as somebody else's file, with rewards. */
  private Path exorl(Task task, int shift) {
    int rows = 101;
    float[] observations = new float[rows * 24];
    float[] actions = new float[rows * 6];
    float[] discounts = new float[rows];
    Arrays.fill(discounts, 1);
    try (Dataset dataset = Dataset.open(walker)) {
      dataset.observations(0, rows, observations, 0);
      dataset.actions(0, rows, actions, 0);
    }
    double[] paid = paid(task);
    float[] rewards = new float[rows];
    for (int row = 1; row < rows; row++) {
      rewards[row] = (float) paid[row - shift];
    }
    Path folder = root.resolve("buffer" + shift);
    NpzWriter.deflated()
        .add("observation", observations, rows, 24)
        .add("action", actions, rows, 6)
        .add("discount", discounts, rows, 1)
        .add("reward", rewards, rows, 1)
        .add("physics", Arrays.copyOf(physics, rows * 18), rows, 18)
        .write(createFolder(folder).resolve("episode_000000_100.npz"));
    return folder;
  }

  private static Path createFolder(Path folder) {
    try {
      return Files.createDirectories(folder);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private Path imported(int shift) {
    Path out = root.resolve("imported" + shift);
    JsonNode document =
        Cli.run(
                "dataset",
                "import",
                exorl(WALKER.task("walk"), shift),
                "--env",
                "walker",
                "--out",
                out,
                "--json")
            .json();
    assertEquals("exorl", document.path("format").asText());
    assertEquals(1, document.path("episodes").asInt());
    assertEquals(100, document.path("transitions").asInt());
    return out;
  }

  @Test
  void infoTellsWhatAndWhereFrom() {
    JsonNode info = Cli.run("dataset", "info", walker, "--coverage", "--json").json();
    assertEquals("walker", info.path("environment").asText());
    assertEquals(2000, info.path("transitions").asInt());
    assertEquals(2, info.path("episodes").asInt());
    assertEquals("random", info.path("collector").asText());
    assertTrue(info.path("engine").asText().startsWith("MuJoCo "));
    assertEquals(2, info.path("settings").path("environments").asInt());
    assertEquals(24, info.path("observation").asInt());
    assertEquals(6, info.path("action").asInt());
    assertEquals(18, info.path("physics").asInt());
    assertTrue(info.path("coverage").path("visitedShare").asDouble() > 0);
    String said = Cli.run("dataset", "info", walker).succeeded().out();
    assertTrue(said.contains("walker: 2,000 transitions in 2 episodes"), said);
    assertFalse(said.contains("coverage"), said);
    assertTrue(Cli.run("dataset", "info", imported(0)).out().contains("also [reward]"));
  }

  @Test
  void ourOwnDataIsSoundAndStraysByRoundingAlone() {
    JsonNode check = Cli.run("dataset", "check", walker, "--replays", 500, "--json").json();
    assertTrue(check.path("sound").asBoolean());
    assertEquals(0, check.path("problems").size());
    JsonNode drift = check.path("drift");
    assertEquals(500, drift.path("transitions").asInt());
    assertEquals(0, drift.path("blownUp").asInt());
    assertTrue(drift.path("largest").asDouble() < 1e-9, drift.toString());
    assertEquals("same_dynamics", drift.path("origin").asText());
    JsonNode observations = check.path("observations");
    assertEquals(2002, observations.path("states").asInt());
    assertTrue(observations.path("largest").asDouble() < 1e-7, observations.toString());
  }

  /** The walker's first episode as if another engine had made it, with its actions scaled. */
  private Path copy(String name, String engine, float scale) {
    Path copy = root.resolve(name);
    try (Dataset dataset = Dataset.open(walker)) {
      DatasetDescription own = dataset.description();
      DatasetDescription other =
          new DatasetDescription(
              own.environment(),
              engine,
              own.collector(),
              own.settings(),
              own.seed(),
              own.columns());
      write(copy, dataset.episode(0), other, scale);
    }
    return copy;
  }

  private static void write(
      Path folder, Episode episode, DatasetDescription description, float scale) {
    try (DatasetWriter writer = DatasetWriter.create(folder, description)) {
      float[] actions = episode.actions().clone();
      for (int i = 6; i < actions.length; i++) {
        actions[i] = scale * actions[i];
      }
      writer.append(
          new Episode(
              episode.observations(),
              actions,
              episode.discounts(),
              episode.physics(),
              episode.extras()));
      writer.flush();
    }
  }

  @Test
  void dataOfAnotherEngineIsNeitherSoundNorUnsoundWithoutSayingSo() {
    String here = MujocoLibrary.load().engine();
    String differ = "the engines differ, collected on MuJoCo 9.9.9, replayed on " + here + ": ";
    Path near = copy("near", "MuJoCo 9.9.9", 1);
    Cli.Result sound = Cli.run("dataset", "check", near, "--replays", 200).succeeded();
    assertTrue(sound.out().contains(differ + "no more than by rounding"), sound.out());
    JsonNode drift =
        Cli.run("dataset", "check", near, "--replays", 200, "--json").json().path("drift");
    assertEquals("MuJoCo 9.9.9", drift.path("collectedOn").asText());
    assertEquals(here, drift.path("replayedOn").asText());
    Cli.Result far = Cli.run("dataset", "check", copy("far", "MuJoCo 9.9.9", -1), "--replays", 200);
    assertEquals(1, far.code(), far.out());
    String problem = far.out().substring(far.out().indexOf("problem: "));
    assertTrue(far.out().contains(differ + "too far to tell this from"), far.out());
    assertTrue(
        problem.contains(
            "or the engines differ by that much: check it with MuJoCo 9.9.9 (MUJOCO_LIBRARY)"),
        problem);
  }

  @Test
  void dataThatDoesNotReplayOrCannotBeDoneIsNotSound() {
    Path wrong = copy("wrong", MujocoLibrary.load().engine(), 7);
    Cli.Result found = Cli.run("dataset", "check", wrong, "--replays", 200, "--json");
    assertEquals(1, found.code(), found.err());
    assertFalse(found.err().contains("sound"), found.err());
    JsonNode document = Json.parse(found.out(), "standard output");
    assertFalse(document.path("sound").asBoolean());
    assertEquals("foreign", document.path("drift").path("origin").asText());
    String range = document.path("problems").get(0).asText();
    assertTrue(range.contains("expected a number from -1.0 to 1.0, the range of walker"), range);
    String replay = document.path("problems").get(1).asText();
    assertTrue(replay.contains("do not lead where the stored actions lead in walker"), replay);
  }

  @ParameterizedTest
  @ValueSource(strings = {"scaled", "of the row before", "one number"})
  void observationsThatTheirPhysicsDoesNotShowAreNotSound(String how) {
    Path wrong = root.resolve("wrong");
    try (Dataset dataset = Dataset.open(walker);
        DatasetWriter writer = DatasetWriter.create(wrong, dataset.description())) {
      Episode episode = dataset.episode(0);
      float[] observations = episode.observations().clone();
      switch (how) {
        case "scaled" -> {
          for (int i = 0; i < observations.length; i++) {
            observations[i] *= 1.001f;
          }
        }
        case "one number" -> observations[100 * 24 + 3] += 0.01f;
        default -> System.arraycopy(observations, 0, observations, 24, observations.length - 24);
      }
      writer.append(
          new Episode(
              observations,
              episode.actions(),
              episode.discounts(),
              episode.physics(),
              episode.extras()));
      writer.flush();
    }
    Cli.Result found = Cli.run("dataset", "check", wrong, "--replays", 200, "--json");
    assertEquals(1, found.code(), found.err());
    JsonNode document = Json.parse(found.out(), "standard output");
    assertEquals(1, document.path("problems").size(), found.out());
    String problem = document.path("problems").get(0).asText();
    assertTrue(problem.contains("of 1,001 compared states are observed otherwise"), problem);
    if (how.equals("one number")) {
      assertTrue(problem.startsWith("1 of"), problem);
      assertTrue(problem.contains("row 100: number 3 holds"), problem);
    }
  }

  @Test
  void aFlippedByteIsFoundByName() throws IOException {
    Path copy = createFolder(root.resolve("copy"));
    for (String name : List.of("dataset.json", "chunk-000000.safetensors")) {
      Files.copy(walker.resolve(name), copy.resolve(name));
    }
    try (var files = Files.list(walker)) {
      for (Path state : files.filter(file -> file.toString().endsWith(".state")).toList()) {
        Files.copy(state, copy.resolve(state.getFileName()));
      }
    }
    Cli.run("dataset", "check", copy).succeeded();
    Path chunk = copy.resolve("chunk-000000.safetensors");
    byte[] bytes = Files.readAllBytes(chunk);
    bytes[bytes.length - 100] ^= 1;
    Files.write(chunk, bytes);
    Cli.Result found = Cli.run("dataset", "check", copy, "--json");
    assertEquals(1, found.code(), found.err());
    JsonNode document = Json.parse(found.out(), "standard output");
    assertFalse(document.path("sound").asBoolean());
    String problem = document.path("problems").get(0).asText();
    assertTrue(problem.contains(chunk + " has the hash"), problem);
    // Every command that reads it all says the same, with the same exit code.
    Path run = root.resolve("run");
    Path rewards = root.resolve("rewards.npz");
    for (List<Object> line :
        List.<List<Object>>of(
            List.of("pretrain", "--data", copy, "--out", run),
            List.of(
                "collect",
                "--env",
                "walker",
                "--policy",
                "random",
                "--steps",
                3000,
                "--environments",
                2,
                "--out",
                copy),
            List.of("dataset", "relabel", copy, "--reward", "walk", "--out", rewards))) {
      Cli.Result refused = Cli.run(line.toArray());
      assertEquals(1, refused.code(), refused.err());
      assertTrue(refused.err().contains(chunk + " has the hash"), refused.err());
    }
    assertFalse(Files.exists(run));
    assertFalse(Files.exists(rewards));
  }

  @Test
  void storedRewardsAreHeldAgainstATasks() {
    JsonNode rewards =
        Cli.run("dataset", "check", imported(0), "--task", "walk", "--json").json().path("rewards");
    assertTrue(rewards.path("largest").asDouble() < 1e-6, rewards.toString());
    assertTrue(rewards.path("meanOneEarlier").asDouble() > 1e-3, rewards.toString());
    Cli.Result late = Cli.run("dataset", "check", imported(1), "--task", "walk", "--json");
    assertEquals(1, late.code());
    assertTrue(late.err().contains("a step late"), late.err());
    JsonNode shifted = Json.parse(late.out(), "standard output").path("rewards");
    assertTrue(shifted.path("mean").asDouble() > 1e-3, shifted.toString());
    assertTrue(shifted.path("meanOneEarlier").asDouble() < 1e-6, shifted.toString());
  }

  @Test
  void checkRefusesWhatItCannotDo() {
    Cli.run("dataset", "check", walker, "--replays", 0).refused("--replays must be at least 1");
    assertEquals(2, Cli.run("dataset", "check", walker, "--task", "walk").code());
    Cli.run("dataset", "check", root.resolve("nowhere")).refused("nowhere");
    Cli.run("dataset").refused("what to do is missing");
  }

  @ParameterizedTest
  @ValueSource(strings = {"run", "upright * clip(velocity_x / 4, 0, 1)", " 2 * torso_height "})
  void relabellingPaysEveryRow(String reward) {
    Path out = root.resolve("rewards.npz");
    JsonNode document =
        Cli.run("dataset", "relabel", walker, "--reward", reward, "--out", out, "--json").json();
    double[] expected = paid(WALKER.taskOrFormula(reward));
    assertEquals(2002, document.path("rows").asInt());
    assertEquals(
        Arrays.stream(expected).average().orElseThrow(), document.path("mean").asDouble(), 1e-9);
    try (Npz npz = Npz.open(out)) {
      float[] found = npz.floats("reward");
      assertEquals(expected.length, found.length);
      for (int row = 0; row < found.length; row++) {
        assertEquals((float) expected[row], found[row]);
      }
      assertArrayEquals(new long[] {0, 1001}, npz.longs("episode_start"));
    }
    Cli.run("dataset", "relabel", walker, "--reward", reward, "--out", out)
        .refused("rewards.npz is there already", "--force");
    Cli.run("dataset", "relabel", walker, "--reward", reward, "--out", out, "--force").succeeded();
  }

  @Test
  void aBadFormulaIsMarked() {
    Path out = root.resolve("rewards.npz");
    String said =
        Cli.run("dataset", "relabel", walker, "--reward", "upright * velocty_x", "--out", out)
            .refused("did you mean 'velocity_x'?")
            .err();
    assertEquals("            ^", said.lines().toList().get(2));
    Cli.run("dataset", "relabel", walker, "--reward", "1e-60 * upright", "--out", out)
        .refused("single precision rounds to 0");
    Cli.run("dataset", "relabel", walker, "--reward", "1 / (upright - upright)", "--out", out)
        .refused("the reward is Infinity in a state with upright = ");
    Cli.run("dataset", "relabel", walker, "--reward", "wlk", "--out", out).refused("'wlk'");
    assertFalse(Files.exists(out));
  }

  @Test
  void aRewardIsCheckedOnStoredStates() {
    JsonNode checked =
        Cli.run("reward", "check", "walker", "torso_height", "--data", walker, "--json").json();
    assertEquals(2002, checked.path("count").asInt());
    assertEquals("walker", checked.path("env").asText());
    double[] heights = paid(WALKER.taskOrFormula("torso_height"));
    assertEquals(
        Arrays.stream(heights).average().orElseThrow(), checked.path("mean").asDouble(), 1e-9);
    String said = Cli.run("reward", "check", "walker", "walk", "--data", walker).succeeded().out();
    assertTrue(said.contains("all 2,002 states of the dataset"), said);
    Cli.run("reward", "check", "cheetah", "1", "--data", walker)
        .refused("holds data of walker, not of cheetah");
    Cli.run("reward", "check", "gridworld", "1", "--data", walker).refused("not of gridworld");
    Cli.run("reward", "check", "walker", "1", "--data", root).refused(root.toString());
  }

  @Test
  void importRefusesWhatItCannotRead() throws IOException {
    Path out = root.resolve("out");
    Cli.run("dataset", "import", root, "--env", "walker", "--out", out)
        .refused("holds no .npz file");
    Path text = Files.writeString(root.resolve("data.hdf5"), "text");
    Cli.run("dataset", "import", text, "--env", "hopper", "--out", out)
        .refused(text.toString(), "cannot be read as HDF5");
    Cli.run("dataset", "import", text, "--env", "hopper", "--out", root)
        .refused("is not a dataset but holds other files, such as data.hdf5");
    Cli.run("dataset", "import", text, "--env", "hopper", "--format", "d5rl", "--out", out)
        .refused("did you mean 'd4rl'?");
    assertFalse(Files.exists(out));
  }

  @Test
  void importedDataIsNotCollectedOn() {
    Cli.run(
            "collect",
            "--env",
            "walker",
            "--policy",
            "random",
            "--steps",
            2000,
            "--out",
            imported(0))
        .refused("policy exorl, not random");
  }

  @Test
  void balancedDataIsSoundAndEvener() {
    Path maze = root.resolve("maze");
    Cli.run(
            "collect",
            "--env",
            "maze",
            "--policy",
            "wander",
            "--steps",
            20_000,
            "--environments",
            20,
            "--out",
            maze)
        .succeeded();
    Path out = root.resolve("balanced");
    JsonNode document =
        Cli.run("dataset", "balance", maze, "--out", out, "--transitions", 10_000, "--json").json();
    assertEquals(10_000, document.path("transitions").asInt());
    assertEquals(200, document.path("episodes").asInt());
    assertTrue(
        document.path("after").path("evenness").asDouble()
            > document.path("before").path("evenness").asDouble(),
        document.toString());
    assertTrue(document.path("after").path("rooms").has("bottom_right"));
    JsonNode check = Cli.run("dataset", "check", out, "--json").json();
    assertTrue(check.path("sound").asBoolean());
    assertEquals("same_dynamics", check.path("drift").path("origin").asText());
    JsonNode info = Cli.run("dataset", "info", out, "--json").json();
    assertEquals("balance", info.path("collector").asText());
    assertEquals(
        "wander", info.path("settings").path("source").path("collector").asText(), info.toString());
    Cli.run("dataset", "balance", maze, "--out", out).refused("--out", "already holds a dataset");
    Cli.run("collect", "--env", "maze", "--policy", "wander", "--steps", 20_000, "--out", out)
        .refused("policy balance");
  }

  @Test
  void balancingRefusesWhatItCannotDo() throws IOException {
    Path out = root.resolve("balanced");
    Cli.run("dataset", "balance", walker, "--out", out, "--power", -1).refused("--power", "-1");
    Cli.run("dataset", "balance", walker, "--out", out, "--segment", 0).refused("--segment");
    Cli.run("dataset", "balance", walker, "--out", out, "--transitions", 0)
        .refused("--transitions");
    Cli.run("dataset", "balance", root.resolve("none"), "--out", out).refused("no dataset");
    Path damaged = createFolder(root.resolve("damaged"));
    for (Path file : OutputFolder.visible(walker)) {
      Files.copy(file, damaged.resolve(file.getFileName()));
    }
    Path chunk = damaged.resolve("chunk-000000.safetensors");
    byte[] bytes = Files.readAllBytes(chunk);
    bytes[bytes.length - 100] ^= 1;
    Files.write(chunk, bytes);
    Cli.Result result = Cli.run("dataset", "balance", damaged, "--out", out);
    assertEquals(1, result.code());
    assertTrue(result.err().contains("chunk-000000.safetensors"), result.err());
    assertFalse(Files.exists(out));
  }
}
