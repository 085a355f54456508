package dev.psm.studio.runs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.io.Json;
import dev.psm.studio.ModelShelf;
import dev.psm.studio.SmallRuns;
import dev.psm.studio.StudioClient;
import dev.psm.studio.StudioClient.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the page asks of runs, without the page. */
@Tag("slow")
class RunsApiTest {
  private static StudioClient studio;
  private static Path folder;

  @BeforeAll
  static void start(@TempDir Path runs) throws IOException {
    folder = runs;
    SmallRuns.train(runs.resolve("a/one"), SmallRuns.ROOM, "fb", 100);
    Files.createDirectories(runs.resolve("broken"));
    Files.writeString(runs.resolve("broken/run.json"), "{\"format\": 1");
    studio = new StudioClient(new ModelShelf(), runs);
  }

  @AfterAll
  static void stop() {
    studio.close();
  }

  @Test
  void runsAreFoundAndABrokenOneIsTold() {
    JsonNode runs = studio.get("/api/runs").body().get("runs");
    JsonNode one = run(runs, folder.resolve("a/one"));
    assertEquals(folder.resolve("a/one").toString(), one.get("id").asText());
    assertEquals("FB", one.get("title").asText());
    assertEquals("room", one.get("world").asText());
    assertEquals(100, one.get("endedAt").asLong());
    assertTrue(
        run(runs, folder.resolve("broken")).get("error").asText().contains("not valid JSON"));
  }

  @Test
  void settingsAndProvenanceAreThoseOnDisk() {
    Answer answer = ask("about", folder.resolve("a/one"));
    assertEquals(
        100, answer.body().get("description").get("settings").findValue("gradientSteps").asInt());
    assertEquals("test", answer.body().get("description").get("provenance").get("psm").asText());
    assertTrue(answer.body().has("result"));
  }

  @Test
  void logIsReadOnFromWhereItWasRead() throws IOException {
    Path run = folder.resolve("growing");
    SmallRuns.train(run, SmallRuns.ROOM, "fb", 20);
    JsonNode first = ask("curves", run).body().get("seeds").get("0");
    assertTrue(first.get("anew").asBoolean());
    long lines = first.get("lines").size();
    assertTrue(lines > 10);
    assertTrue(first.get("lines").get(0).get("values").has("loss"));

    Path log = run.resolve("seed-0/metrics.jsonl");
    Files.writeString(
        log, "{\"step\":21,\"seconds\":1,\"loss\":7}\n{\"step\":22,", StandardOpenOption.APPEND);
    JsonNode next = goOn(run, first);
    assertFalse(next.get("anew").asBoolean());
    assertEquals("[{\"step\":21,\"values\":{\"loss\":7.0}}]", next.get("lines").toString());

    Files.writeString(
        log, "\"loss\":8}\nnonsense\n{\"step\":23,\"loss\":\"NaN\"}\n", StandardOpenOption.APPEND);
    JsonNode last = goOn(run, next);
    assertEquals(
        "22 23", last.get("lines").get(0).get("step") + " " + last.get("lines").get(1).get("step"));
    assertFalse(last.get("lines").get(1).get("values").has("loss"));
    String problem = last.get("problem").asText();
    assertTrue(problem.contains("metrics.jsonl, line " + (lines + 3)), problem);

    Files.writeString(log, "{\"step\":1,\"loss\":1}\n");
    JsonNode shorter = goOn(run, last);
    assertTrue(shorter.get("anew").asBoolean());
    assertEquals(1, shorter.get("lines").size());
  }

  @Test
  void longLogIsThinned() throws IOException {
    Path run = folder.resolve("long");
    SmallRuns.train(run, SmallRuns.ROOM, "fb", 20);
    StringBuilder text = new StringBuilder();
    for (int step = 1; step <= 100_000; step++) {
      text.append("{\"step\":%d,\"seconds\":1,\"loss\":%d}\n".formatted(step, step % 7));
      if (step % 10_000 == 0) {
        text.append("{\"step\":%d,\"seconds\":1,\"error/goals\":5}\n".formatted(step));
      }
    }
    Files.writeString(run.resolve("seed-0/metrics.jsonl"), text);
    JsonNode seed = ask("curves", run).body().get("seeds").get("0");
    long evaluations = 0;
    for (JsonNode line : seed.get("lines")) {
      evaluations += line.get("values").has("error/goals") ? 1 : 0;
    }
    assertEquals(10, evaluations, "no evaluation is lost");
    assertEquals(64, seed.get("every").asInt());
    assertTrue(seed.get("lines").size() < 2100);
    assertEquals(100_010, seed.get("mark").get("lines").asLong());
  }

  @Test
  void onlyRunsThatWereFoundAreRead() {
    for (String name : new String[] {"about", "curves"}) {
      assertEquals(404, ask(name, Path.of("/etc")).status());
      assertEquals(404, ask(name, folder.resolve("a/one/../one")).status());
      assertEquals(400, studio.post("/api/runs/" + name, "{}").status());
    }
    Answer broken = ask("about", folder.resolve("broken"));
    assertEquals(400, broken.status());
    assertTrue(broken.error().contains("not valid JSON"), broken::error);
  }

  private static JsonNode run(JsonNode runs, Path wanted) {
    for (JsonNode run : runs) {
      if (run.get("id").asText().equals(wanted.toString())) {
        return run;
      }
    }
    throw new AssertionError("no " + wanted + " in " + runs);
  }

  private static Answer ask(String name, Path run) {
    return studio.post("/api/runs/" + name, Json.line(Json.object().put("run", run.toString())));
  }

  private static JsonNode goOn(Path run, JsonNode seed) {
    ObjectNode question = Json.object().put("run", run.toString());
    question.putObject("marks").set("0", seed.get("mark"));
    Answer answer = studio.post("/api/runs/curves", Json.line(question));
    assertEquals(200, answer.status(), answer::error);
    return answer.body().get("seeds").get("0");
  }
}
