package dev.psm.studio.grid;

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
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the page asks of grids, without the page. The room has 8 free cells around a pillar. */
@Tag("slow")
class GridApiTest {
  private static StudioClient studio;

  @BeforeAll
  static void start(@TempDir Path runs) {
    SmallRuns.train(runs.resolve("psm"), SmallRuns.ROOM, "psm", null);
    SmallRuns.train(runs.resolve("fb"), SmallRuns.ROOM, "fb", 50);
    ModelShelf shelf = new ModelShelf();
    shelf.add(runs.resolve("psm"));
    shelf.add(runs.resolve("fb"));
    studio = new StudioClient(shelf, runs);
  }

  @AfterAll
  static void stop() {
    studio.close();
  }

  private static ObjectNode question(String solver, double... reward) {
    ObjectNode question = Json.object().put("solver", solver);
    question.set("map", GridApi.map(SmallRuns.ROOM.map()));
    GridSolver.numbers(question.putArray("reward"), reward);
    return question;
  }

  private static Answer post(String name, ObjectNode question) {
    return studio.post("/api/grids/" + name, Json.line(question));
  }

  private static JsonNode good(Answer answer) {
    assertEquals(200, answer.status(), answer::error);
    return answer.body();
  }

  @Test
  void exactSolutionWalksToTheGoalAndStays() {
    JsonNode answer =
        good(post("solve", question("exact", 0, 0, 1, 0, 0, 0, 0, 0).put("start", 5)));
    assertEquals("[5,3,0,1,2]", answer.get("path").toString());
    assertTrue(answer.get("stays").asBoolean());
    assertEquals(0, answer.get("wrongShare").asDouble());
    assertEquals(0, answer.get("loss").asDouble(), 1e-12);
  }

  @Test
  void agentIsJudgedByTheExactSolution() {
    for (String method : List.of("gpi", "best", "dual")) {
      JsonNode answer =
          good(post("solve", question("psm", 0, 0, 1, 0, 0, 0, 0, 0).put("method", method)));
      int wrong = 0;
      for (JsonNode each : answer.get("wrong")) {
        wrong += each.asInt();
      }
      assertEquals(wrong / 8.0, answer.get("wrongShare").asDouble(), 1e-12);
      assertEquals("[\"gpi\",\"best\",\"dual\"]", answer.get("methods").toString());
      assertEquals(method, answer.get("method").asText());
    }
    JsonNode trained = good(post("solve", question("psm", 0, 0, 1, 0, 0, 0, 0, 0)));
    JsonNode hardly = good(post("solve", question("fb", 0, 0, 1, 0, -1, 0, 0, 0)));
    assertEquals(0, trained.get("wrongShare").asDouble(), "PSM learns a room of 8 cells");
    assertTrue(hardly.get("loss").asDouble() >= 0);
    assertFalse(hardly.has("method"));
  }

  @Test
  void rewardThatPrefersNothingHasNoWrongActions() {
    JsonNode answer = good(post("solve", question("psm", new double[8])));
    assertEquals(0, answer.get("wrongShare").asDouble());
    assertEquals(0, answer.get("loss").asDouble());
  }

  @Test
  void learnedMeasureComesNearTheExactOne() {
    ObjectNode question = question("psm", 0, 0, 1, 0, 0, 0, 0, 0).put("state", 5).put("action", 0);
    JsonNode answer = good(post("measure", question));
    double sum = 0;
    double difference = 0;
    for (int state = 0; state < 8; state++) {
      sum += answer.get("exact").get(state).asDouble();
      difference +=
          Math.abs(
                  answer.get("exact").get(state).asDouble()
                      - answer.get("learned").get(state).asDouble())
              / 2;
    }
    assertEquals(1, sum, 1e-9);
    assertEquals(difference, answer.get("distance").asDouble(), 1e-12);
    assertTrue(difference < 0.1, "half of all differences is " + difference);
    JsonNode exact = good(post("measure", question.put("solver", "exact")));
    assertFalse(exact.has("learned"));
    JsonNode basis = good(post("basis", question.put("solver", "psm")));
    assertEquals(8, basis.get("functions").get(0).size());
  }

  @Test
  void formulaPaysWhatItSays() {
    ObjectNode question = question("exact").put("formula", "row == 1 && col == 3");
    assertEquals(
        "[0.0,0.0,1.0,0.0,0.0,0.0,0.0,0.0]",
        good(post("formula", question)).get("reward").toString());
    Answer wrong = post("formula", question.put("formula", "rwo == 1"));
    assertEquals(400, wrong.status());
    assertTrue(wrong.error().contains("rwo"), wrong::error);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"solver":"exact","reward":[1,2]}                       | reward    | expected 8 numbers, found 2
          {"solver":"exact","reward":[1,2,3,4,5,6,7,"x"]}         | reward    | expected a finite number
          {"solver":"exact","reward":[1,2,3,4,5,6,7,1e305]}       | reward    | at most
          {"solver":"exact"}                                      | reward    | missing
          {"reward":[0,0,0,0,0,0,0,0]}                            | solver    | missing
          {"solver":"exact","reward":[0,0,0,0,0,0,0,0],"start":8} | start     | from 0 to 7
          {"solver":"psm","reward":[0,0,0,0,0,0,0,0],"method":"lp"} | method  | gpi, best, dual
          """)
  void wrongQuestionIsRefusedInWords(String part, String field, String words) {
    ObjectNode question = (ObjectNode) Json.parse(part, "test");
    question.set("map", GridApi.map(SmallRuns.ROOM.map()));
    Answer answer = post("solve", question);
    assertEquals(400, answer.status());
    assertTrue(
        answer.error().contains("'" + field + "'") || answer.error().contains(field),
        answer::error);
    assertTrue(answer.error().contains(words), answer::error);
  }

  @Test
  void methodOfAnAgentThatHasNoneIsRefused() {
    Answer answer = post("solve", question("fb", new double[8]).put("method", "best"));
    assertEquals(400, answer.status());
    assertTrue(answer.error().contains("only one way"), answer::error);
  }

  @Test
  void notANumberIsNoJson() {
    Answer answer = studio.post("/api/grids/solve", "{\"solver\":\"exact\",\"reward\":[NaN]}");
    assertEquals(400, answer.status());
    assertTrue(answer.error().contains("not valid JSON"), answer::error);
    assertEquals(400, studio.post("/api/grids/solve", "[]").status());
    assertEquals(400, studio.post("/api/grids/solve", "").status());
  }

  @Test
  void unknownAgentIsNotFound() {
    Answer answer = post("solve", question("nobody", new double[8]));
    assertEquals(404, answer.status());
    assertTrue(answer.error().contains("psm, fb"), answer::error);
  }

  @Test
  void agentOfAnotherMapIsRefused() {
    ObjectNode question = question("psm", 0, 0);
    question.putObject("map").put("name", "room").putArray("lines").add("..");
    Answer answer = post("solve", question);
    assertEquals(400, answer.status());
    assertTrue(answer.error().contains("not this map"), answer::error);
  }

  @Test
  void mapThatIsNoneIsToldWithItsPlace() {
    Answer cut = post("check", Json.object().put("name", "cut").put("text", ".#.\n"));
    assertEquals(400, cut.status());
    assertTrue(cut.error().contains("cut, line 1, column 3"), cut::error);
    Answer large =
        post(
            "check",
            Json.object().put("name", "large").put("text", (".".repeat(60) + "\n").repeat(60)));
    assertEquals(400, large.status());
    assertTrue(large.error().contains("too large"), large::error);
    JsonNode fine = good(post("check", Json.object().put("name", "ok").put("text", "...\n.#.\n")));
    assertEquals(5, fine.get("states").asInt());
  }

  @Test
  void agentsAreListedWithTheirMaps() {
    JsonNode answer = good(studio.get("/api/grids"));
    assertEquals("psm", answer.get("agents").get(0).get("id").asText());
    assertEquals("#...#", answer.get("agents").get(0).get("map").get("lines").get(1).asText());
    assertEquals(5, answer.get("maps").size());
  }

  @Test
  void whatIsNotUnderWayCannotBeStopped() {
    assertEquals(404, studio.post("/api/grids/stop", "{\"job\":99}").status());
    assertEquals(400, studio.post("/api/grids/stop", "{\"job\":0}").status());
    Answer answer = post("pretrain", question("exact").put("agent", "hilp"));
    assertEquals(400, answer.status());
  }
}
