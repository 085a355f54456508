package dev.psm.studio.theory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.psm.studio.ModelShelf;
import dev.psm.studio.StudioClient;
import dev.psm.studio.StudioClient.Answer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ToyApiTest {
  private static StudioClient studio;

  @BeforeAll
  static void start(@TempDir Path runs) {
    studio = new StudioClient(new ModelShelf(), runs);
  }

  @AfterAll
  static void stop() {
    studio.close();
  }

  @Test
  void papersRewardIsSolvedAtThePapersCorner() {
    Answer answer = studio.post("/api/toy", "{\"discount\":0.9,\"start\":1,\"reward\":[1,1,0,0]}");
    assertEquals(200, answer.status(), answer::error);
    JsonNode best = answer.body().get("best");
    assertEquals(1, best.get("w").get(0).asDouble(), 1e-9);
    assertEquals(0, best.get("w").get(1).asDouble(), 1e-9);
    assertEquals(1, best.get("d").get(1).asDouble(), 1e-9);
    assertEquals(1, best.get("optimum").asDouble(), 1e-9);
    assertEquals(3, answer.body().get("corners").size(), "started in s0, two policies are one");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"discount":1,"start":1,"reward":[1,1,0,0]}     | discount
          {"discount":-0.1,"start":1,"reward":[1,1,0,0]}  | discount
          {"discount":0.9,"start":2,"reward":[1,1,0,0]}   | start
          {"discount":0.9,"start":1,"reward":[1,1,0]}     | reward
          {"discount":0.9,"start":1,"reward":[1,1,0,1e9]} | reward[3]
          {"discount":0.9,"start":1}                      | is missing
          """)
  void wrongQuestionIsRefusedByItsField(String body, String field) {
    Answer answer = studio.post("/api/toy", body);
    assertEquals(400, answer.status());
    assertTrue(answer.error().contains(field), answer::error);
  }
}
