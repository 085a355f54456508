package dev.psm.lab.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.psm.core.reward.Milestone;
import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.formula.Formula;
import dev.psm.core.reward.formula.Vocabulary;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MilestoneTallyTest {
  private static final Quantity X = new Quantity("x", "m", "place");
  private static final Milestone NEAR =
      Formula.parse("abs(x) < 1", Vocabulary.of(List.of(X))).milestone("near");

  private static void see(MilestoneTally tally, int episode, int steps, double x) {
    for (int step = 0; step < steps; step++) {
      tally.see(episode, quantity -> x);
    }
  }

  @Test
  void anEpisodeCountsByWhatItReachedWhereItEndedAndWhereItStayed() {
    MilestoneTally tally = new MilestoneTally(NEAR, 4);
    see(tally, 0, 900, 5); // arrives late, and stays
    see(tally, 0, 70, 0);
    see(tally, 1, 1, 0); // passes at the beginning
    see(tally, 1, 300, 5);
    see(tally, 2, 250, Double.NaN); // is never measured
    see(tally, 3, 6, 5); // ends after 8 steps
    see(tally, 3, 2, 0);
    MilestoneCount count = tally.count();
    assertEquals(4, count.episodes());
    assertEquals(3, count.reached());
    assertEquals(2, count.atEnd());
    assertEquals((0.7 + 0 + 0 + 0.25) / 4, count.lately(), 1e-12);
    assertEquals(
        Map.of("reached", 0.75, "at_end", 0.5, "last_100_steps", count.lately()), count.shares());
  }

  @Test
  void anEpisodeThatBlewUpAtOnceReachedNothing() {
    assertEquals(new MilestoneCount(NEAR, 2, 0, 0, 0), new MilestoneTally(NEAR, 2).count());
  }

  @Test
  void seedsAddUpByTheirEpisodes() {
    MilestoneCount sum =
        MilestoneCount.sum(
            List.of(new MilestoneCount(NEAR, 2, 2, 1, 1), new MilestoneCount(NEAR, 6, 3, 0, 0.2)));
    assertEquals(new MilestoneCount(NEAR, 8, 5, 1, 0.4), sum);
  }
}
