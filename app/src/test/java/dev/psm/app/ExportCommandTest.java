package dev.psm.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.psm.core.io.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code export}, and what it wrote in place of a run, here of the walker. */
class ExportCommandTest {
  @TempDir private static Path shared;
  @TempDir private Path fresh;
  private static Path run;
  private static Path data;

  @BeforeAll
  static void train() {
    run = shared.resolve("run");
    data = shared.resolve("data");
    TinyRun.make("walker", data, run, List.of(0L, 3L));
  }

  private Cli.Result export(Object... options) {
    Object[] line = new Object[options.length + 4];
    line[0] = "export";
    line[1] = run;
    line[2] = "--out";
    line[3] = fresh.resolve("walker");
    System.arraycopy(options, 0, line, 4, options.length);
    return Cli.run(line);
  }

  @Test
  void peopleAreToldSizesAndDifferences() {
    String said = export("--float16").succeeded().out();
    assertTrue(said.contains("psm on walker"), said);
    assertTrue(said.contains(" KB in 2 files, the original has"), said);
    assertTrue(said.contains("weights float16, 200 of 200 states"), said);
    assertTrue(said.contains("quantities float32"), said);
    assertTrue(said.lines().anyMatch(line -> line.matches("walk +[01]\\.\\d+ +0\\.\\d+ .*")), said);
    assertTrue(said.lines().anyMatch(line -> line.startsWith("goals ")), said);
  }

  @Test
  void theDocumentHasEveryFileAndDifference() throws IOException {
    JsonNode exported =
        export("--float16", "--shard", "4K", "--sample", 100, "--seed", 3, "--json").json();
    assertEquals("run/seed-3", exported.at("/export/from").asText());
    assertEquals(100, exported.at("/export/sampleStates").asInt());
    assertTrue(exported.at("/export/agreement/tasks/walk/cosine").asDouble() > 0.5);
    assertTrue(exported.at("/export/agreement/maxActionDifference").isNumber());
    JsonNode files = exported.path("files");
    assertTrue(files.size() > 4, files.toString());
    long bytes = 0;
    for (var file : files.properties()) {
      long size = Files.size(fresh.resolve("walker").resolve(file.getKey()));
      assertEquals(size, file.getValue().asLong());
      assertTrue(size <= 4_000 || file.getKey().equals("model.json"), file.getKey());
      bytes += size;
    }
    assertEquals(bytes, exported.path("bytes").asLong());
    assertFalse(exported.path("export").toString().contains(shared.toString()));
  }

  @ParameterizedTest
  @CsvSource({"--shard 1500K", "--shard 5000B", "--float16 --shard 1M", "--float16 --shard 4K"})
  void whatWasExportedStandsInForTheRun(String options) throws IOException {
    export((Object[]) options.split(" ")).succeeded();
    Path agent = fresh.resolve("walker");
    boolean half = options.contains("float16");
    Path goal = fresh.resolve("goal.csv");
    Files.writeString(goal, "0.1 ".repeat(24));
    for (List<Object> prompt :
        List.<List<Object>>of(
            List.of("--task", "walk"),
            List.of("--reward", "upright * clip(velocity_x / 4, 0, 1)"),
            List.of("--goal", goal),
            List.of("--demo", data, "--episode", 1))) {
      JsonNode before = solve(run, prompt);
      JsonNode after = solve(agent, prompt);
      close(before.path("taskVector"), after.path("taskVector"), half ? 0.05 : 0);
      close(before.path("firstAction"), after.path("firstAction"), half ? 2e-2 : 0);
    }
    JsonNode scores =
        Cli.run("evaluate", agent, "--tasks", "stand", "--episodes", 1, "--json").json();
    assertTrue(scores.at("/tasks/stand/mean").asDouble() > 0);
  }

  private static JsonNode solve(Path agent, List<Object> prompt) {
    Object[] line = new Object[prompt.size() + 5];
    Object[] fixed = {"solve", agent, "--episodes", 0, "--json"};
    System.arraycopy(fixed, 0, line, 0, 5);
    System.arraycopy(prompt.toArray(), 0, line, 5, prompt.size());
    return Cli.run(line).json();
  }

  private static void close(JsonNode before, JsonNode after, double tolerance) {
    assertEquals(before.size(), after.size());
    for (int i = 0; i < before.size(); i++) {
      assertEquals(before.get(i).asDouble(), after.get(i).asDouble(), tolerance);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--seed 1|has no seed 1",
        "--shard big|--shard",
        "--shard 1G|such as 1500K",
        "--shard 3K|at least 4000 bytes",
        "--sample 0|--sample",
        "--sample 201|200 states",
        "--sample few|--sample",
        "--colour red|--colour"
      })
  void whatCannotBeAskedIsRefusedAndNothingIsLeft(String options, String word) throws IOException {
    export((Object[]) options.split(" ")).refused(word);
    try (var files = Files.list(fresh)) {
      assertEquals(0, files.count());
    }
  }

  @Test
  void anAgentIsReplacedOnlyByForce() throws IOException {
    export().succeeded();
    export().refused("already holds an agent", "--force");
    export("--force", "--float16").succeeded();
    JsonNode model = Json.read(fresh.resolve("walker/model.json"));
    assertEquals("float16", model.at("/export/weights").asText());
    Cli.run("export", fresh, "--out", fresh.resolve("x")).refused("holds no agent");
    Cli.run("export", run, "--out", shared).refused("is not an agent");
    Path foreign = Files.createDirectory(fresh.resolve("foreign"));
    Files.writeString(foreign.resolve("model.json"), "{\"architecture\": \"other\"}");
    Cli.run("export", run, "--out", foreign, "--force")
        .refused("is not an agent but holds other files, such as model.json");
  }

  @Test
  void aLostShardIsRefusedByEveryCommand() throws IOException {
    export("--shard", "4K").succeeded();
    Path agent = fresh.resolve("walker");
    Path lost;
    try (var files = Files.list(agent)) {
      lost = files.filter(file -> file.toString().endsWith("ors")).findFirst().orElseThrow();
    }
    Files.delete(lost);
    for (String command : List.of("solve --task walk", "evaluate", "export --out x")) {
      String[] words = command.split(" ");
      Object[] line = new Object[words.length + 1];
      line[0] = words[0];
      line[1] = agent;
      System.arraycopy(words, 1, line, 2, words.length - 1);
      Cli.run(line).refused(lost.getFileName().toString(), "is missing", "export --force");
    }
  }
}
