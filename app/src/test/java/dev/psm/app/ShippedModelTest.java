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

/** The trained walker that comes with psm. */
class ShippedModelTest {
  static final Path WALKER = Path.of("../models/walker-psm");

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

  @Test
  void itIsSmall() throws IOException {
    try (Stream<Path> files = Files.list(WALKER)) {
      long bytes = files.mapToLong(file -> file.toFile().length()).sum();
      assertTrue(bytes > 1_000_000 && bytes < 8_000_000, bytes + " bytes");
    }
  }
}
