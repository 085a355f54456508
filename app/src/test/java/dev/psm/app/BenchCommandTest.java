package dev.psm.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BenchCommandTest {

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "NaN", "Infinity", "soon"})
  void aContestLastsForSomeTime(String seconds) {
    Cli.run("bench", "envs", "--seconds", seconds).refused("--seconds", seconds);
  }

  @Test
  void memoryIsNotWatchedForFewerThanNoSteps() {
    Cli.run("bench", "envs", "--memory-steps", "-1").refused("--memory-steps", "-1");
  }

  @Test
  void anUnknownEnvironmentIsRefused() {
    Cli.run("bench", "envs", "--env", "waker").refused("waker", "walker");
    Cli.run("bench", "envs", "--env", "fetchreach_discrete").refused("fetchreach_discrete");
  }

  @Test
  void everyEnvironmentHasAContestAndTakesTheSameStepsAsItsPeer() {
    JsonNode document =
        Cli.run("bench", "envs", "--json", "--seconds", "0.01", "--memory-steps", "0").json();
    assertEquals(5, document.path("environments").size());
    for (JsonNode each : document.path("environments")) {
      assertPositive(each, "seconds", "rounds", "stepsPerSecond", "stepsPerRound", "substeps");
      if (!document.path("peer").asText().startsWith("none")) {
        assertPositive(each, "peerStepsPerSecond", "ratio", "cpuRatio");
        assertTrue(each.path("sameStates").asBoolean(), each::toString);
      }
    }
    assertFalse(document.has("memory"));
  }

  @Test
  void theDocumentNamesMachineEngineThreadsCrossingAndMemory() {
    JsonNode document =
        Cli.run(
                "bench",
                "envs",
                "--json",
                "--env",
                "maze",
                "--seconds",
                "0.01",
                "--memory-steps",
                "2000")
            .json();
    assertFalse(document.path("machine").asText().isEmpty());
    assertFalse(document.path("java").asText().isEmpty());
    assertFalse(document.path("engine").path("version").asText().isEmpty());
    assertPositive(document, "crossingNanoseconds");
    JsonNode threads = document.path("threads");
    assertPositive(threads, "cores", "bar");
    assertTrue(threads.path("busy").isBoolean());
    assertPositive(
        threads.path("environments").path("point_mass_maze"),
        "oneThreadStepsPerSecond",
        "twoThreadsStepsPerSecond",
        "speedup",
        "shareOfTwoCores");
    assertPositive(
        threads.path("environments").path("point_mass_maze").path("together"),
        "environments",
        "speedup");
    assertEquals(2000, document.path("memory").path("steps").asInt());
    assertEquals(20, document.path("memory").path("resets").asInt());
    assertPositive(
        document.path("memory"),
        "residentMegabytesBefore",
        "residentMegabytesAfter",
        "peakMegabytes");
  }

  @Test
  void peopleGetATable() {
    String said =
        Cli.run("bench", "envs", "--env", "maze", "--seconds", "0.01", "--memory-steps", "0")
            .succeeded()
            .out();
    assertTrue(said.contains("point_mass_maze"), said);
    assertTrue(said.contains("two threads"), said);
  }

  private static void assertPositive(JsonNode node, String... fields) {
    for (String field : fields) {
      assertTrue(node.path(field).asDouble() > 0, () -> field + " in " + node);
    }
  }
}
