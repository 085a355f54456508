package dev.psm.lab.collect;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.psm.core.env.Worlds;
import dev.psm.lab.Progress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The fast round before learning never stands for the time that the others take. */
class CollectionBarTest {
  private final List<String> log = new ArrayList<>();

  private final Progress progress =
      (label, total) -> {
        log.add(label + ": " + total);
        return new Progress.Bar() {
          @Override
          public void update(long done, String note) {
            log.add(done + note);
          }

          @Override
          public void close() {
            log.add("closed");
          }
        };
      };

  private CollectionBar bar(long steps) {
    return new CollectionBar(progress, Worlds.named("walker"), new Collection.Plan(steps, 4, 1, 0));
  }

  @Test
  void theRoundBeforeLearningHasABarOfItsOwn() {
    try (CollectionBar bar = bar(10_000)) {
      bar.beginRound(0, false);
      bar.update(4000, "");
      bar.beginRound(4000, true);
      bar.update(4004, "");
      bar.beginRound(8000, true);
      bar.update(12_000, " x");
    }
    assertEquals(
        List.of(
            "collect walker before learning: 4000",
            "4000",
            "closed",
            "collect walker from step 4000: 6000",
            "4",
            "6000 x",
            "closed"),
        log);
  }

  @Test
  void withoutLearningThereIsOneBar() {
    try (CollectionBar bar = bar(6000)) {
      bar.beginRound(0, true);
      bar.beginRound(4000, true);
      bar.update(8000, "");
    }
    assertEquals(List.of("collect walker: 6000", "6000", "closed"), log);
  }
}
