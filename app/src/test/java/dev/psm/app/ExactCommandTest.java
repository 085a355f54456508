package dev.psm.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExactCommandTest {
  private static final String MDP =
      """
      {"states": 2, "actions": 2, "discount": 0.5, "initial": [1, 0],
       "transitions": [
         {"state": 0, "action": 0, "next": [[0, 1.0]]},
         {"state": 0, "action": 1, "next": [[1, 1.0]]},
         {"state": 1, "action": 0, "next": [[1, 1.0]]},
         {"state": 1, "action": 1, "next": [[0, 1.0]]}]}
      """;

  @TempDir private Path folder;
  private Path map;
  private Path mdp;
  private Path reward;

  @BeforeEach
  void files() throws IOException {
    map = Files.writeString(folder.resolve("map.txt"), "....\n.#..\n....\n");
    mdp = Files.writeString(folder.resolve("mdp.json"), MDP);
    reward = Files.writeString(folder.resolve("reward.json"), "{\"leaving\": [0, 1]}");
  }

  @Test
  void bothProgrammesFindTheSameOptimumOnAMap() {
    double inW = optimum("w");
    assertEquals(inW, optimum("d"), 1e-9);
    assertEquals(inW, optimum("auto"), 1e-9);
    String drawn = Cli.run("exact", "--map", map, "--goal", "0,3").succeeded().out();
    assertTrue(drawn.contains("11 states × 5 actions"), drawn);
    assertTrue(drawn.contains("G"), drawn);
  }

  private double optimum(String programme) {
    JsonNode solved =
        Cli.run("exact", "--map", map, "--goal", "0,3", "--programme", programme, "--json").json();
    assertEquals(55, solved.path("visitation").size());
    return solved.path("optimum").asDouble();
  }

  @Test
  void aDiscountBeyondDoublePrecisionIsRefused() {
    Cli.run("exact", "--map", map, "--goal", "0,3", "--discount", "0.9999999999999")
        .refused("discount 0.9999999999999", "double precision", "choose a discount of at most");
    assertTrue(
        Cli.run("exact", "--map", map, "--goal", "0,3", "--discount", "0.999999", "--json")
                .json()
                .path("optimumError")
                .asDouble()
            < 1e-6);
  }

  @Test
  void anMdpFileIsSolved() {
    // From state 0 step to state 1 and stay: half of the discounted time is spent there.
    JsonNode solved = Cli.run("exact", "--mdp", mdp, "--reward", reward, "--json").json();
    assertEquals(0.5, solved.path("optimum").asDouble(), 1e-9);
    assertEquals("[1,0]", solved.path("policy").toString());
    String said = Cli.run("exact", "--mdp", mdp, "--reward", reward).succeeded().out();
    assertTrue(said.contains("state 0: action 1"), said);
  }

  @Test
  void theToyFigureIsDrawn() throws IOException {
    Path figure = folder.resolve("new/toy.svg");
    assertEquals(
        figure.toString(),
        Cli.run("exact", "--figure", figure, "--json").json().path("figure").asText());
    assertTrue(Files.readString(figure).contains("<svg"));
  }

  @Test
  void aProblemTooLargeIsToldWithItsSizeAndTheLimit() throws IOException {
    Path large = Files.writeString(folder.resolve("large.txt"), (".".repeat(25) + "\n").repeat(25));
    Cli.run("exact", "--map", large, "--goal", "1,1", "--programme", "w")
        .refused("625 states × 5 actions", "entries; the limit is 1000000");
  }

  @Test
  void whatDoesNotFitTogetherIsRefused() throws IOException {
    Cli.run("exact").refused("give one problem");
    Cli.run("exact", "--map", map, "--mdp", mdp).refused("give one problem");
    Cli.run("exact", "--map", map).refused("give one reward");
    Cli.run("exact", "--mdp", mdp, "--goal", "0,0").refused("--goal is for worlds");
    Cli.run("exact", "--mdp", mdp, "--reward", reward, "--discount", "0.5")
        .refused("--discount is for worlds");
    Cli.run("exact", "--map", map, "--goal", "1,1").refused("in a wall");
    Cli.run("exact", "--map", map, "--goal", "0,0", "--discount", "1").refused("discount");
    Cli.run("exact", "--map", map, "--goal", "0,0", "--programme", "x").refused("w, d or auto");
    Cli.run("exact", "--mdp", folder.resolve("no.json"), "--reward", reward)
        .refused("no such file");
    Cli.run("exact", "--mdp", mdp, "--reward", folder.resolve("no.json")).refused("no such file");
    Path wrong =
        Files.writeString(folder.resolve("wrong.json"), MDP.replace("[[0, 1.0]]", "[[0, 0.5]]"));
    Cli.run("exact", "--mdp", wrong, "--reward", reward).refused("wrong.json", "transitions[0]");
    Path nan = Files.writeString(folder.resolve("nan.json"), "{\"leaving\": [0, NaN]}");
    Cli.run("exact", "--mdp", mdp, "--reward", nan).refused("nan.json, line 1, column");
  }
}
