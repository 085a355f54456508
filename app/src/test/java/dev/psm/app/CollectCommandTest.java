package dev.psm.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.psm.core.io.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CollectCommandTest {
  private static final List<String> TINY_RND =
      List.of(
          "width=16",
          "representation=8",
          "batchSize=16",
          "stepsPerUpdate=40",
          "seedSteps=500",
          "replayCapacity=5000");

  @TempDir Path root;

  private Cli.Result collect(String policy, Object... more) {
    List<Object> line = new ArrayList<>(List.of("collect", "--env", "maze", "--policy", policy));
    line.addAll(List.of("--out", root.resolve("data"), "--environments", 2, "--threads", 1));
    line.addAll(List.of(more));
    if (policy.equals("rnd")) {
      line.addAll(TINY_RND);
    }
    return Cli.run(line.toArray());
  }

  @Test
  void oneDocumentTellsHowItWent() {
    JsonNode document = collect("rnd", "--steps", 3000, "--seed", 3, "--json").json();
    assertEquals("point_mass_maze", document.path("env").asText());
    assertEquals("rnd", document.path("policy").asText());
    assertEquals(3, document.path("seed").asInt());
    assertEquals(3000, document.path("steps").asInt());
    assertEquals(3000, document.path("added").asInt());
    assertEquals(0, document.path("divergences").asInt());
    assertTrue(document.path("stepsPerSecond").asDouble() > 0);
    assertTrue(document.path("metrics").path("rnd_loss").asDouble() > 0);
    assertTrue(document.path("coverage").path("rooms").path("top_left").asDouble() > 0.9);
    assertEquals(3003, document.path("coverage").path("statesMeasured").asInt());
  }

  @Test
  void theSameCommandAgainHasNothingToDoAndALargerOneAdds() throws IOException {
    String said = collect("random", "--steps", 2000).succeeded().out();
    assertTrue(said.contains("2,000 steps in"), said);
    assertTrue(said.contains("0 episodes blew up"), said);
    assertTrue(Files.readString(root.resolve("data/report.html")).contains("point_mass_maze"));
    said = collect("random", "--steps", 2000).succeeded().out();
    assertTrue(said.contains("all 2,000 steps were there already"), said);
    JsonNode more = collect("random", "--steps", 3000, "--json").json();
    assertEquals(1000, more.path("added").asInt());
    assertEquals(3000, more.path("steps").asInt());
    assertFalse(collect("random", "--steps", 1, "--json").json().has("stepsPerSecond"));
  }

  @Test
  void whatWasFoundIsFilmed() throws IOException {
    Path film = root.resolve("reach.gif");
    Path out = root.resolve("data");
    Cli.run(
            "collect",
            "--env",
            "fetchreach",
            "--policy",
            "random",
            "--environments",
            1,
            "--steps",
            50,
            "--out",
            out,
            "--film",
            film)
        .succeeded();
    assertNotNull(ImageIO.read(film.toFile()));
  }

  @Test
  void mistakesAreWrongUse() {
    Object[] steps = {"--steps", 1000};
    collect("rand", steps)
        .refused(
            "--policy: expected one of [random, wander, rnd, dqn-rnd], found 'rand'; did you mean");
    collect("random", "--steps", 0).refused("--steps: must be at least 1, found 0");
    collect("random").refused("--steps");
    collect("random", "--steps", 1000, "width=3").refused("random has no settings", "width=3");
    collect("wander", "--steps", 1000, "width=3").refused("width", "memory");
    collect("wander", "--steps", 1000, "memory=0").refused("memory must be a positive number", "0");
    collect("wander", "--steps", 1000, "--preset", "small").refused("wander has no presets");
    collect("wander", "--steps", 1000, "--device", "cpu").refused("wander has no networks");
    collect("rnd", "--steps", 1000, "wdth=3").refused("wdth", "width");
    collect("rnd", "--steps", 1000, "noise=-1").refused("noise");
    collect("rnd", "--steps", 1000, "--preset", "big").refused("--preset", "small", "'big'");
    Cli.run("collect", "--env", "wlker", "--steps", 1, "--out", root.resolve("x"))
        .refused("did you mean 'walker'?");
    Cli.run("collect", "--env", "walker", "--steps", 1, "--out", root.resolve("x"), "--threads", 0)
        .refused("--threads: must be at least 1");
    numbered("rnd", 1).refused("fetchreach_discrete has numbered ones: collect with dqn-rnd");
    numbered("wander", 1).refused("has numbered ones: collect with random or dqn-rnd");
    numbered("dqn-rnd", 1, "epsilon=2").refused("epsilon must be from 0 to 1, found 2");
    numbered("dqn-rnd", 1, "--preset", "urlb").refused("--preset", "small", "'urlb'");
    collect("dqn-rnd", "--steps", 1000).refused("point_mass_maze has vectors: collect with rnd");
    assertFalse(Files.exists(root.resolve("x")));
    assertFalse(Files.exists(root.resolve("data")));
  }

  private Cli.Result numbered(String policy, int steps, Object... more) {
    List<Object> line = new ArrayList<>(List.of("collect", "--env", "fetchreach_discrete"));
    line.addAll(List.of("--policy", policy, "--steps", steps, "--out", root.resolve("x")));
    line.addAll(List.of(more));
    return Cli.run(line.toArray());
  }

  @Test
  void numberedActionsAreExploredByDqnOnItsOwn() throws IOException {
    Path out = root.resolve("arm");
    Object[] line = {
      "collect", "--env", "fetchreach_discrete", "--steps", 3300, "--out", out, "--json", "width=8"
    };
    JsonNode document = Cli.run(line).json();
    assertEquals("dqn-rnd", document.path("policy").asText());
    assertTrue(document.at("/metrics/q_loss").asDouble() > 0);
    assertEquals(216, document.at("/coverage/volume/cells").asInt());
    assertTrue(document.at("/coverage/volume/visited").asInt() > 20);
    JsonNode settings = Json.read(out.resolve("dataset.json")).at("/collector/settings");
    assertEquals(64, settings.path("environments").asInt());
    String page = Files.readString(out.resolve("report.html"));
    assertTrue(page.contains("the cube of goals of fetchreach_discrete"));
    String said = Cli.run("dataset", "info", out, "--coverage").succeeded().out();
    assertTrue(said.contains("the cube of goals: "), said);
  }

  @Test
  void theDeviceIsChosenToldAndStored() throws IOException {
    Cli.Result done = collect("rnd", "--steps", 1000, "--device", "cpu").succeeded();
    assertTrue(done.err().contains("psm: networks on cpu: as --device says"), done.err());
    String manifest = Files.readString(root.resolve("data/dataset.json"));
    assertTrue(manifest.matches("(?s).*\"device\" *: *\"cpu\".*"), manifest);
    collect("rnd", "--steps", 2000, "--device", "gpu").refused("auto, cpu or cuda", "'gpu'");
    collect("rnd", "--steps", 2000, "--device", "cpu", "--precision", "tf32")
        .refused("--precision tf32 is for a GPU");
    collect("rnd", "--steps", 2000, "--precision", "bfloat16")
        .refused("--precision bfloat16: exploration is computed in tf32 or float32");
    collect("random", "--steps", 1000, "--device", "cpu")
        .refused("random has no networks, but --device was given");
  }

  @Test
  void anotherCollectionsFolderIsRefused() {
    collect("random", "--steps", 1000).succeeded();
    collect("random", "--steps", 2000, "--seed", 1).refused("seed 0, not 1");
    collect("rnd", "--steps", 2000).refused("policy random, not rnd");
  }

  @Test
  void aFinishedDatasetKeepsItsReportAndPoliciesWithoutNetworksNameNone() throws IOException {
    Cli.Result first = collect("random", "--steps", 2000).succeeded();
    assertTrue(first.out().contains("actions "), first.out());
    assertFalse(first.out().contains("networks"), first.out());
    Path report = Files.writeString(root.resolve("data/report.html"), "as it was");
    Cli.Result again = collect("random", "--steps", 2000).succeeded();
    assertTrue(again.out().contains("all 2,000 steps were there already"), again.out());
    assertEquals("as it was", Files.readString(report));
  }

  @Test
  void aFileInTheWayIsWrongUse() throws IOException {
    Path file = Files.writeString(root.resolve("data"), "mine");
    collect("random", "--steps", 1000).refused(file + " is a file, not a folder");
    assertEquals("mine", Files.readString(file));
  }
}
