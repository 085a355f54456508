package dev.psm.studio.service;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.io.Json;
import dev.psm.zeroshot.ZeroShotAgent;
import dev.psm.zeroshot.ZeroShotPolicy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the service answers is what the library answers. */
final class SolveAndActTest {
  private static final int CLIENTS = 64;
  private static final int EACH = 8;

  @TempDir private static Path folder;
  private static TestService service;
  private static ZeroShotAgent walker;
  private static ZeroShotAgent fetch;
  private static ZeroShotAgent grid;

  @BeforeAll
  static void start() {
    Path map = TestService.grid(folder.resolve("grid"));
    service = TestService.of(TestService.WALKER, TestService.FETCH, map);
    walker = ZeroShotAgent.load(TestService.WALKER);
    fetch = ZeroShotAgent.load(TestService.FETCH);
    grid = ZeroShotAgent.load(map);
  }

  @AfterAll
  static void stop() {
    service.close();
    walker.close();
    fetch.close();
    grid.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"run", "upright * clip(velocity_x / 4, 0, 1)"})
  void rewardsAreSolvedAndObeyed(String reward) {
    ZeroShotPolicy expected = walker.solve(reward);
    JsonNode solved = solve("walker-psm", Json.object().put("formula", reward));
    assertEquals("reward", solved.get("prompt").textValue());
    assertEquals(reward, solved.get("title").textValue());
    assertFalse(solved.get("constant").booleanValue());
    assertArrayEquals(expected.taskVector(), TestService.floats(solved.get("task")));
    for (int row = 0; row < 5; row++) {
      float[] observation = TestService.observation(walker, row);
      assertArrayEquals(
          expected.act(observation), act(solved.get("policy").textValue(), observation));
    }
  }

  @Test
  void aTaskByNameIsItsFormula() {
    JsonNode byName = solve("walker-psm", Json.object().put("task", "walk"));
    JsonNode byFormula = solve("walker-psm", Json.object().put("formula", "walk"));
    assertEquals(byName.get("policy"), byFormula.get("policy"));
    assertTrue(byFormula.get("cached").booleanValue());
  }

  @Test
  void goalsSamplesAndDemonstrationsAreSolvedAndObeyed() {
    float[] goal = TestService.observation(walker, 3);
    ObjectNode prompt = Json.object();
    prompt.set("goal", TestService.array(goal));
    float[] observation = TestService.observation(walker, 8);
    assertArrayEquals(
        walker.solveGoal(goal).act(observation),
        act(solve("walker-psm", prompt).get("policy").textValue(), observation));

    int states = 300;
    float[] observations = new float[states * 24];
    System.arraycopy(walker.sample().observations(), 0, observations, 0, observations.length);
    double[] rewards = new double[states];
    ObjectNode samples = Json.object();
    ArrayNode rows = samples.putObject("samples").putArray("observations");
    ArrayNode paid = ((ObjectNode) samples.get("samples")).putArray("rewards");
    for (int i = 0; i < states; i++) {
      rewards[i] = i % 7 / 3.0;
      paid.add(rewards[i]);
      rows.add(TestService.array(TestService.observation(walker, i)));
    }
    assertArrayEquals(
        walker.solveSamples(observations, rewards).act(observation),
        act(solve("walker-psm", samples).get("policy").textValue(), observation));
  }

  /** As the command warns: what comes of it is no answer to what was asked. */
  @Test
  void aGoalFarOutsideTheDataIsSolvedWithAWarning() {
    float[] goal = TestService.observation(walker, 3);
    ObjectNode prompt = Json.object();
    prompt.set("goal", TestService.array(goal));
    assertFalse(solve("walker-psm", prompt).has("warning"));
    goal[0] = 1e6f;
    prompt.set("goal", TestService.array(goal));
    JsonNode far = solve("walker-psm", prompt);
    assertEquals(walker.outsideData(goal).orElseThrow(), far.path("warning").asText());
  }

  @Test
  void aDemonstrationIsFollowedByItsSteps() {
    ObjectNode prompt = Json.object();
    ArrayNode rows = prompt.putObject("demonstration").put("window", 2).putArray("observations");
    float[] shown = new float[4 * 24];
    for (int i = 0; i < 4; i++) {
      float[] state = TestService.observation(walker, 10 * i);
      rows.add(TestService.array(state));
      System.arraycopy(state, 0, shown, i * 24, 24);
    }
    ZeroShotPolicy expected = walker.track(shown, 2);
    JsonNode solved = solve("walker-psm", prompt);
    assertEquals(3, solved.get("steps").intValue());
    float[] observation = TestService.observation(walker, 1);
    for (int step = 0; step < 5; step++) {
      ObjectNode body = TestService.acting(solved.get("policy").textValue(), observation);
      body.put("step", step);
      assertArrayEquals(
          expected.act(observation),
          TestService.floats(
              service.post(TestService.ACT, Json.line(body)).ok().json().get("action")));
    }
  }

  @Test
  void whereActionsAreNumberedTheyAreNumbers() {
    JsonNode solved =
        Json.parse(
            service
                .post("/v1/models/fetchreach-psm/solve", "{\"goal\": [1.45, 0.65, 0.6]}")
                .ok()
                .text(),
            "solved");
    float[] observation = TestService.observation(fetch, 0);
    JsonNode action =
        service
            .post(
                "/v1/models/fetchreach-psm/act",
                Json.line(TestService.acting(solved.get("policy").textValue(), observation)))
            .ok()
            .json()
            .get("action");
    assertTrue(action.isIntegralNumber());
    float[] goal = {1.45f, 0.65f, 0.6f};
    assertEquals((int) fetch.solveGoal(goal).act(observation)[0], action.intValue());
  }

  @Test
  void aGridIsServedToo() {
    ObjectNode prompt = Json.object().put("formula", "row == 2 && col == 7");
    prompt.put("method", "best");
    JsonNode solved = service.post("/v1/models/grid/solve", Json.line(prompt)).ok().json();
    float[] observation = TestService.observation(grid, 5);
    JsonNode action =
        service
            .post(
                "/v1/models/grid/act",
                Json.line(TestService.acting(solved.get("policy").textValue(), observation)))
            .ok()
            .json()
            .get("action");
    assertEquals(
        (int)
            grid.solvingBy(dev.psm.agents.SolveMethod.BEST)
                .solve("row == 2 && col == 7")
                .act(observation)[0],
        action.intValue());
    String error =
        service
            .post(
                "/v1/models/grid/act",
                Json.line(
                    TestService.acting(
                        solved.get("policy").textValue(), new float[observation.length])))
            .refused(400);
    assertTrue(
        error.startsWith(
            "body, field observation: observation 0 (from 0), [0.0, 0.0], is that of no state;"
                + " expected that of one of the world's "),
        error);
  }

  @Test
  void equalPromptsAreSolvedOnce() {
    String prompt = "{\"formula\": \"exp(-abs(torso_height - 1.01))\"}";
    JsonNode first = service.post(TestService.SOLVE, prompt).ok().json();
    JsonNode second = service.post(TestService.SOLVE, prompt).ok().json();
    assertFalse(first.get("cached").booleanValue());
    assertTrue(second.get("cached").booleanValue());
    assertEquals(first.get("policy"), second.get("policy"));
    assertEquals(first.get("task"), second.get("task"));
    String other = service.solve("{\"formula\": \"exp(-abs(torso_height - 1.02))\"}");
    assertNotEquals(first.get("policy").textValue(), other);
    JsonNode told =
        service
            .get("/v1/models/walker-psm/policies/" + first.get("policy").textValue())
            .ok()
            .json();
    assertEquals(first.get("task"), told.get("task"));
  }

  @Test
  void aConstantRewardIsToldSo() {
    assertTrue(
        solve("walker-psm", Json.object().put("formula", "1")).get("constant").booleanValue());
  }

  /** Whoever asks at the same time, and whatever else is being solved. */
  @Test
  void manyClientsGetTheSerialAnswersToTheBit() throws Exception {
    ZeroShotPolicy expected = walker.solve("stand");
    String policy = service.solve("{\"task\": \"stand\"}");
    List<Callable<Void>> work = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      int client = i;
      work.add(
          () -> {
            for (int k = 0; k < EACH; k++) {
              float[] observation = TestService.observation(walker, client * EACH + k);
              assertArrayEquals(expected.act(observation), act(policy, observation));
            }
            return null;
          });
    }
    work.add(
        () -> {
          for (int k = 0; k < EACH; k++) {
            service.solve("{\"formula\": \"upright + %d * torso_height\"}".formatted(k));
          }
          return null;
        });
    ExecutorService threads = Executors.newFixedThreadPool(work.size());
    try {
      for (Future<Void> done : threads.invokeAll(work)) {
        done.get();
      }
    } finally {
      threads.shutdown();
    }
  }

  /** Products of four rows and more are summed in another order. */
  @Test
  void aBatchDiffersByRoundingAtMost() {
    String policy = service.solve("{\"task\": \"flip\"}");
    ZeroShotPolicy expected = walker.solve("flip");
    ObjectNode body = Json.object().put("policy", policy);
    ArrayNode rows = body.putArray("observations");
    for (int i = 0; i < 64; i++) {
      rows.add(TestService.array(TestService.observation(walker, i)));
    }
    JsonNode actions = service.post(TestService.ACT, Json.line(body)).ok().json().get("actions");
    assertEquals(64, actions.size());
    for (int i = 0; i < 64; i++) {
      assertArrayEquals(
          expected.act(TestService.observation(walker, i)),
          TestService.floats(actions.get(i)),
          1e-3f);
    }
    assertEquals(
        actions, service.post(TestService.ACT, Json.line(body)).ok().json().get("actions"));
  }

  private static JsonNode solve(String model, ObjectNode prompt) {
    return service.post("/v1/models/%s/solve".formatted(model), Json.line(prompt)).ok().json();
  }

  private static float[] act(String policy, float[] observation) {
    return TestService.floats(
        service
            .post(TestService.ACT, Json.line(TestService.acting(policy, observation)))
            .ok()
            .json()
            .get("action"));
  }
}
