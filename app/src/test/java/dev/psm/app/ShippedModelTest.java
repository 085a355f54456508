package dev.psm.app;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The trained agents that come with psm. */
class ShippedModelTest {
  static final Path WALKER = Path.of("../models/walker-psm");
  private static final Path FETCH = Path.of("../models/fetchreach-psm");

  /** Bounds are far below what it earns, and far above random actions. */
  @ParameterizedTest
  @CsvSource({
    "--task, walk, 600",
    "--task, run, 250",
    "--reward, 'upright * clip(velocity_x / 4, 0, 1)', 500",
    "--reward, 'upright * clip(-velocity_x / 4, 0, 1)', 100"
  })
  void itEarnsWhatItIsAskedFor(String how, String what, double atLeast) {
    JsonNode document = Cli.run("solve", WALKER, how, what, "--json").json();
    double found = document.at("/episodes/agent/0/return").asDouble();
    assertTrue(found >= atLeast, document::toString);
  }

  /** 98 of its 100 goals, of which 90 % are asked for here. */
  @Test
  void theArmReachesItsGoals() {
    JsonNode document = Cli.run("evaluate", FETCH, "--json").json();
    double success = success(document);
    assertTrue(success >= 0.9 * 0.98, document::toString);
  }

  private static double success(JsonNode document) {
    return document.findValue("success").findValue("mean").asDouble();
  }

  @Test
  void theArmGoesToAPlace() {
    JsonNode document = Cli.run("solve", FETCH, "--goal", "1.4,0.8,0.6", "--json").json();
    assertTrue(document.at("/episodes/agent/0/reached").asDouble() == 1, document::toString);
  }

  @Test
  void itIsSmall() throws IOException {
    try (Stream<Path> files = Files.list(WALKER)) {
      long bytes = files.mapToLong(file -> file.toFile().length()).sum();
      assertTrue(bytes > 1_000_000 && bytes < 8_000_000, bytes + " bytes");
    }
  }
}
