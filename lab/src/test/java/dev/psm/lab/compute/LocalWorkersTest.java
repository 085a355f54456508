package dev.psm.lab.compute;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.io.Json;
import dev.psm.lab.Progress;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LocalWorkersTest {
  private static final int TASKS = 12;

  /** The first task lasts until others have ended. */
  private static CountDownLatch others;

  private static final Set<Integer> BEGUN = new ConcurrentSkipListSet<>();

  /** Tells how far the others have come when its first task ends. */
  private abstract static class Held implements Work {
    @Override
    public Optional<ObjectNode> perform(ObjectNode task, WorkContext context) {
      BEGUN.add(task.path("number").asInt());
      if (task.path("number").asInt() == 0) {
        try {
          assertTrue(others.await(1, TimeUnit.MINUTES));
          // A task too many would begin about now.
          Thread.sleep(50);
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
        return Optional.of(Json.object().put("last", Collections.max(BEGUN)));
      }
      return Optional.of(Json.object());
    }
  }

  /** Answers in any order will do. */
  public static final class AnyOrder extends Held {}

  /** Answers are used in the order of the tasks. */
  public static final class InOrder extends Held {
    @Override
    public boolean isInOrder() {
      return true;
    }
  }

  /** How far the others came while the first task was held up until so many of them had ended. */
  private static int lastBegun(Class<? extends Work> work, int ended) {
    others = new CountDownLatch(ended);
    BEGUN.clear();
    List<ObjectNode> tasks =
        IntStream.range(0, TASKS).mapToObj(i -> Json.object().put("number", i)).toList();
    Set<Integer> told = new TreeSet<>();
    int[] last = new int[1];
    boolean all =
        new LocalWorkers(2, 2, Long.MAX_VALUE)
            .perform(
                work,
                "tasks",
                tasks,
                WorkContext.of(Progress.SILENT),
                result -> {
                  assertTrue(told.add(result.index()));
                  assertFalse(result.failure().isPresent(), result.failure().toString());
                  result
                      .answer()
                      .filter(each -> each.has("last"))
                      .ifPresent(each -> last[0] = each.path("last").asInt());
                  others.countDown();
                });
    assertTrue(all);
    assertEquals(TASKS, told.size());
    return last[0];
  }

  @Test
  void fewAnswersWaitForTheFirstThatIsMissing() {
    assertEquals(3, lastBegun(InOrder.class, 3));
  }

  @Test
  void whereTheOrderDoesNotMatterNobodyWaits() {
    assertEquals(TASKS - 1, lastBegun(AnyOrder.class, TASKS - 1));
  }
}
