package dev.psm.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import dev.psm.core.env.Worlds;
import dev.psm.core.io.Json;
import dev.psm.core.reward.Task;
import dev.psm.lab.run.TaskList;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page on the walker shows what the stored results say, of the formulas in its examples. */
class WalkerPageTest {
  private static final Path DOCS = Path.of("../docs");
  private static final JsonNode ZERO_SHOT = Json.read(DOCS.resolve("results/walker-formulas.json"));
  private static final JsonNode ALONE = Json.read(DOCS.resolve("results/walker-single.json"));

  /** Name, formula, largest return, zero-shot, random, trained alone. */
  private static final Pattern ROW =
      Pattern.compile(
          "(?m)^\\| ([a-z-]+) \\| `([^`]+)` \\| \\S+ \\| (\\S+) \\| (\\S+) \\| (\\S*) ?\\|$");

  private static List<String> rows() throws IOException {
    List<String> rows = new ArrayList<>();
    Matcher row = ROW.matcher(Files.readString(DOCS.resolve("walker.md")));
    while (row.find()) {
      rows.add(
          String.join(" | ", row.group(1), row.group(2), row.group(3), row.group(4), row.group(5)));
    }
    return rows;
  }

  private static String rounded(JsonNode number) {
    return number.isMissingNode() ? "" : Long.toString(Math.round(number.asDouble()));
  }

  private static List<Task> tasks() {
    return TaskList.of("all", DOCS.resolve("examples/walker-formulas.txt"), Worlds.named("walker"));
  }

  @Test
  void theTableHoldsTheStoredReturnsOfEveryFormula() throws IOException {
    List<String> expected =
        tasks().stream()
            .map(
                task -> {
                  JsonNode zeroShot = ZERO_SHOT.path("tasks").path(task.name());
                  JsonNode alone = ALONE.path("tasks").path(task.name());
                  return String.join(
                      " | ",
                      task.name(),
                      task.formula(),
                      rounded(zeroShot.path("mean")),
                      rounded(zeroShot.path("random")),
                      rounded(alone.path("mean")));
                })
            .toList();
    assertEquals(String.join("\n", expected), String.join("\n", rows()));
  }

  @Test
  void theStoredReturnsAreOfTheFormulasInTheFile() {
    assertEquals(20, tasks().size());
    assertEquals(20, ZERO_SHOT.path("tasks").size());
    for (Task task : tasks()) {
      JsonNode stored = ZERO_SHOT.path("tasks").path(task.name());
      assertEquals(task.formula(), stored.path("formula").asText());
    }
    assertFalse(ALONE.path("tasks").isEmpty());
    ALONE
        .path("tasks")
        .fields()
        .forEachRemaining(
            each ->
                assertEquals(
                    ZERO_SHOT.path("tasks").path(each.getKey()).path("formula"),
                    each.getValue().path("formula"),
                    each.getKey()));
  }

  @Test
  void allWerePlayedFromTheSameStarts() {
    assertEquals(10, ZERO_SHOT.path("episodes").asInt());
    assertEquals(ZERO_SHOT.path("startSeed"), ALONE.path("startSeed"));
    assertEquals(ZERO_SHOT.path("episodes"), ALONE.path("episodes"));
    ALONE
        .path("tasks")
        .fields()
        .forEachRemaining(
            each ->
                assertEquals(
                    ZERO_SHOT.path("tasks").path(each.getKey()).path("random").asDouble(),
                    each.getValue().path("random").asDouble(),
                    1e-9,
                    each.getKey()));
  }
}
