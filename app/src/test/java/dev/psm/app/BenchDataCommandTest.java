package dev.psm.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BenchDataCommandTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({
    "--transitions,-1",
    "--transitions,many",
    "--gigabytes,-0.5",
    "--gigabytes,NaN",
    "--gigabytes,Infinity",
    "--states,-1",
    "--states,10000001",
    "--folder,nowhere/at/all"
  })
  void aBadArgumentIsRefused(String option, String value) {
    Cli.run("bench", "data", option, value).refused(option, value);
  }

  @Test
  void whatDoesNotFitOnTheDiskIsRefusedBeforeItIsBegun() throws IOException {
    Cli.run("bench", "data", "--transitions", "1000000000000", "--folder", folder)
        .refused("1,000,000,000,000", "GB are free", "--transitions", "--folder");
    assertNothingIsLeft();
  }

  @Test
  void theDocumentHoldsAllThreePartsAndTheFilesAreGone() throws IOException {
    JsonNode document = tiny("--json").json();
    assertFalse(document.path("machine").asText().isEmpty());
    assertEquals(folder.toString(), document.path("folder").asText());
    JsonNode opening = document.path("opening");
    assertFalse(opening.has("skipped"), opening::toString);
    assertPositive(opening, "gigabytes", "firstSeconds", "firstCpuSeconds", "againSeconds", "bar");
    assertEquals(2, opening.path("chunks").asInt());
    assertEquals(500, opening.path("episodes").asInt());
    assertEquals(500_000, opening.path("transitions").asInt());
    assertPositive(opening.path("heap"), "megabytes", "bar");
    JsonNode sampling = document.path("sampling");
    assertEquals(2500, sampling.path("transitions").asInt());
    assertPositive(sampling, "gigabytes", "writeSeconds", "loadSeconds", "bar");
    assertEquals(1024, sampling.path("batchSize").asInt());
    assertPositive(
        sampling,
        "batches",
        "firstMilliseconds",
        "firstCpuMilliseconds",
        "medianMilliseconds",
        "percentile95Milliseconds",
        "meanMilliseconds",
        "medianCpuMilliseconds",
        "meanCpuMilliseconds");
    assertEquals(10_000, sampling.path("inferenceSample").path("states").asInt());
    assertPositive(sampling.path("inferenceSample"), "seconds");
    JsonNode relabelling = document.path("relabelling");
    assertEquals(100, relabelling.path("states").asInt());
    assertEquals(4, relabelling.path("tasks").size());
    assertPositive(relabelling, "statesSeconds", "bar");
    // Processor time of so little work may round to nothing.
    for (String threads : List.of("oneThread", "twoThreads")) {
      assertPositive(relabelling.path(threads), "seconds");
      assertTrue(relabelling.path(threads).path("cpuSeconds").isNumber());
    }
    assertFalse(document.findParents("met").iterator().hasNext(), "so little work meets no bar");
    assertNothingIsLeft();
  }

  @Test
  void whatIsNotWantedIsLeftOut() {
    JsonNode document = Cli.run(arguments("0", "0", "0", "--json")).json();
    for (String part : List.of("opening", "sampling", "relabelling", "met")) {
      assertFalse(document.has(part), part);
    }
  }

  @Test
  void peopleGetATable() {
    String said = tiny().succeeded().out();
    for (String words : List.of("opening 0.1 GB", "sampling 2,500", "relabelling 100", "bar")) {
      assertTrue(said.contains(words), said);
    }
  }

  private Cli.Result tiny(String... more) {
    return Cli.run(arguments("2500", "0.1", "100", more));
  }

  private Object[] arguments(String transitions, String gigabytes, String states, String... more) {
    return Stream.concat(
            Stream.of(
                "bench",
                "data",
                "--transitions",
                transitions,
                "--gigabytes",
                gigabytes,
                "--states",
                states,
                "--folder",
                folder.toString()),
            Stream.of(more))
        .toArray();
  }

  private void assertNothingIsLeft() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(List.of(), files.toList());
    }
  }

  private static void assertPositive(JsonNode node, String... fields) {
    for (String field : fields) {
      assertTrue(node.path(field).asDouble() > 0, () -> field + " in " + node);
    }
  }
}
