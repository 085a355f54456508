package dev.psm.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.psm.core.env.GridMap;
import dev.psm.core.env.World;
import dev.psm.core.env.Worlds;
import dev.psm.core.reward.Task;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RewardCommandTest {

  @Test
  void everyEnvironmentListsItsWordsAndTasks() {
    for (World world : Worlds.all()) {
      JsonNode listed = Cli.run("reward", "list", world.name(), "--json").json();
      assertEquals(world.quantities().size(), listed.path("quantities").size());
      assertEquals(
          world.tasks().stream().map(Task::formula).toList(),
          listed.path("tasks").findValuesAsText("formula"));
    }
    for (String grid : GridMap.NAMES) {
      String said = Cli.run("reward", "list", grid).succeeded().out();
      for (String word : List.of("row", "col", "distance(r, c)", "tolerance(x, low", "pi", "||")) {
        assertTrue(said.contains(word), word);
      }
    }
  }

  @Test
  void tasksThatAreInNoAverageAreListedApart() {
    for (String command : List.of("reward", "env")) {
      String said = Cli.run(command, "list", "maze").succeeded().out();
      int further = said.indexOf("further tasks, in no average");
      assertTrue(said.indexOf("reach_bottom_right ") < further, said);
      assertTrue(further < said.indexOf("reach_top_left_wide"), said);
    }
    JsonNode listed = Cli.run("reward", "list", "maze", "--json").json();
    assertEquals(4, listed.path("furtherTasks").size());
    Cli.run("reward", "check", "maze", "reach_top_left_wide").succeeded();
    Cli.run("reward", "check", "maze", "reach_top_left_wid").refused("reach_top_left_wide");
  }

  @Test
  void withoutANameTheEnvironmentsAreListed() {
    JsonNode listed = Cli.run("reward", "list", "--json").json().path("environments");
    assertEquals(Worlds.all().size(), listed.size());
    for (JsonNode each : listed) {
      JsonNode one = Cli.run("reward", "list", each.path("name").asText(), "--json").json();
      assertEquals(one.path("quantities").size(), each.path("quantities").asInt());
      assertEquals(one.path("tasks").size(), each.path("tasks").asInt());
    }
    String said = Cli.run("reward", "list").succeeded().out();
    assertTrue(said.contains("walker"), said);
    assertTrue(said.contains("4 tasks"), said);
  }

  @Test
  void everyExampleCanBeChecked() {
    for (String env : List.of("gridworld", "spiral", "fetchreach", "maze")) {
      JsonNode listed = Cli.run("reward", "list", env, "--json").json();
      assertTrue(listed.path("examples").size() > 0);
      for (JsonNode example : listed.path("examples")) {
        Cli.run("reward", "check", env, example.asText()).succeeded();
      }
    }
  }

  @Test
  void episodesAreCountedAndBounded() {
    String said = Cli.run("reward", "check", "maze", "x", "--episodes", 1).succeeded().out();
    assertTrue(said.contains("1 episode of random actions"), said);
    Cli.run("reward", "check", "maze", "x", "--episodes", 100_000_000)
        .refused("--episodes", "at most 2000", "100000000");
  }

  @Test
  void aGridIsCheckedInAllItsCells(@TempDir Path folder) throws IOException {
    Path map = Files.writeString(folder.resolve("my map.txt"), "..\n..\n");
    JsonNode checked = Cli.run("reward", "check", map, "row * 2 + col", "--json").json();
    assertEquals(4, checked.path("count").asInt());
    assertEquals(1.5, checked.path("mean").asDouble());
    assertEquals(0.25, checked.path("zeros").asDouble());
    assertEquals(3, checked.path("max").asDouble());
    assertEquals(1.5, checked.path("quantiles").path("0.5").asDouble());
    int total = 0;
    for (JsonNode count : checked.path("histogram").path("counts")) {
      total += count.asInt();
    }
    assertEquals(4, total);
  }

  @Test
  void aRobotIsCheckedUnderRandomActions() {
    Object[] line = {"reward", "check", "fetchreach", "reach", "--episodes", 2, "--json"};
    JsonNode checked = Cli.run(line).json();
    assertEquals(100, checked.path("count").asInt());
    assertEquals("distance_to_goal <= 0.05 ? 0 : -1", checked.path("formula").asText());
    assertEquals(checked, Cli.run(line).json());
    JsonNode dense =
        Cli.run("reward", "check", "--json", "fetchreach", "--", "-distance_to_goal").json();
    assertTrue(dense.path("max").asDouble() < 0);
  }

  @Test
  void aStateWithoutAFiniteRewardIsAnError(@TempDir Path folder) throws IOException {
    Path map = Files.writeString(folder.resolve("m.txt"), "...\n");
    Cli.Result result = Cli.run("reward", "check", map, "1 / col");
    assertEquals(1, result.code());
    assertTrue(result.out().contains("mean      0.750000"), result.out());
    assertTrue(result.err().contains("infinite in 1; the first has col = 0.00000"), result.err());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "walker; upright * velocty_x; did you mean 'velocity_x'?",
        "walker; upright * (1; this '(' is never closed",
        "walkr; 1; did you mean 'walker'?",
        "gridworld; distance(0, 99); not a free cell",
        "nowhere.txt; 1; nor a file of that name"
      })
  void mistakesAreWrongUse(String env, String formula, String words) {
    Cli.run("reward", "check", env, formula).refused(words);
  }

  @Test
  void theMarkStandsUnderTheMistake() {
    String said = Cli.run("reward", "check", "walker", "upright * velocty_x").refused().err();
    List<String> lines = said.lines().toList();
    assertEquals("  upright * velocty_x", lines.get(1));
    assertEquals("            ^", lines.get(2));
  }

  @Test
  void episodesAreCounted() {
    Cli.run("reward", "check", "walker", "1", "--episodes", 0).refused("at least 1");
    Cli.run("reward", "check", "walker", "1", "--data", "none", "--seed", 3)
        .refused("--seed is for random actions");
    for (String option : List.of("--seed", "--episodes")) {
      Cli.run("reward", "check", "gridworld", "row", option, 3)
          .refused(option + " is for random actions; a grid shows all its cells");
    }
  }

  @Test
  void aFormulaThatBeginsWithAMinusIsToldApartFromAnOption() {
    for (String formula : List.of("-torso_height", "-x", "-2 * upright")) {
      Cli.run("reward", "check", "walker", formula)
          .refused(
              "a formula that begins with a minus comes after --, at the end: -- \"" + formula);
    }
    String other = Cli.run("reward", "check", "walker", "1", "--sed", 3).refused("--sed").err();
    assertFalse(other.contains("minus"), other);
  }
}
