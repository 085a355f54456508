package dev.psm.studio.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.zeroshot.Prompt;
import dev.psm.zeroshot.ZeroShotAgent;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Policies are kept as long as there is room, and their ids a little longer. */
final class PolicyCacheTest {
  @Test
  void thePolicyNotAskedForLongestIsDropped() {
    try (TestService service =
        TestService.with(
            TestService.limits(
                usual ->
                    new ServiceLimits(
                        usual.maxBody(),
                        usual.maxBatch(),
                        usual.maxStates(),
                        usual.maxFormula(),
                        usual.maxFormulaCost(),
                        3,
                        usual.maxRequests(),
                        usual.maxSolves(),
                        usual.maxSockets(),
                        usual.requestTime())),
            TestService.WALKER)) {
      String stand = service.solve("{\"task\": \"stand\"}");
      String walk = service.solve("{\"task\": \"walk\"}");
      String run = service.solve("{\"task\": \"run\"}");
      told(service, stand).ok();
      String flip = service.solve("{\"task\": \"flip\"}");
      String gone = told(service, walk).refused(410);
      assertTrue(gone.contains("was dropped to make room"), gone);
      service
          .post(TestService.ACT, "{\"policy\": \"%s\", \"observation\": []}".formatted(walk))
          .refused(410);
      told(service, stand).ok();
      told(service, run).ok();
      told(service, flip).ok();
      told(service, "0".repeat(32)).refused(404);
      assertEquals(walk, service.solve("{\"task\": \"walk\"}"), "the same id again");
      told(service, walk).ok();
      told(service, stand).refused(410);
      assertTrue(service.get("/metrics").ok().text().contains("psm_policies 3.0"));
    }
  }

  private static TestService.Answer told(TestService service, String policy) {
    return service.get("/v1/models/walker-psm/policies/" + policy);
  }

  @Test
  void whatIsBeingSolvedDropsNothing() {
    try (ZeroShotAgent walker = ZeroShotAgent.load(TestService.WALKER)) {
      PolicyCache cache = new PolicyCache(2);
      Map<String, CompletableFuture<ServedPolicy>> solving = new TreeMap<>();
      for (String id : List.of("a", "b", "c", "d")) {
        solving.put(id, new CompletableFuture<>());
        cache.solved(id, () -> solving.get(id));
      }
      Prompt prompt = new Prompt.Reward(walker.environment().task("run"));
      for (String id : List.of("a", "b")) {
        solving.get(id).complete(ServedPolicy.solve(id, null, walker, prompt));
      }
      assertEquals(0, cache.droppedCount());
      assertEquals("a", cache.find("a", null).id());
      solving.get("c").complete(ServedPolicy.solve("c", null, walker, prompt));
      assertEquals(1, cache.droppedCount());
    }
  }

  @Test
  void aPromptThatFailsIsForgotten() {
    try (TestService service = TestService.of(TestService.WALKER)) {
      String wrong = "{\"formula\": \"1 / (upright - upright)\"}";
      String first = service.post(TestService.SOLVE, wrong).refused(400);
      assertEquals(first, service.post(TestService.SOLVE, wrong).refused(400));
      assertTrue(service.get("/metrics").ok().text().contains("psm_policies 0.0"));
    }
  }
}
