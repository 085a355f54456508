package dev.psm.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BenchTrainingCommandTest {
  @ParameterizedTest
  @CsvSource({"--rounds,0", "--rounds,many", "--memory-steps,-1", "--agents,fbb", "--sizes,huge"})
  void aBadArgumentIsRefused(String option, String value) {
    Cli.Result result = Cli.run("bench", "training", option, value);
    assertTrue(result.code() != 0, result.out());
    assertEquals("", result.out());
    assertTrue(result.err().contains(value), result.err());
  }

  @Test
  void everyAgentTakesSteps() {
    JsonNode document =
        Cli.run(
                "bench",
                "training",
                "--json",
                "--sizes",
                "tiny",
                "--rounds",
                "1",
                "--memory-steps",
                "0")
            .json();
    assertEquals(6, document.path("steps").size());
    for (JsonNode subject : document.path("steps")) {
      assertTrue(subject.path("millisecondsPerStep").asDouble() > 0, subject::toString);
      assertTrue(subject.path("drawShare").asDouble() > 0, subject::toString);
    }
  }
}
