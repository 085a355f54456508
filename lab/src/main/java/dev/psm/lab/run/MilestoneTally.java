package dev.psm.lab.run;

import dev.psm.core.reward.Milestone;
import dev.psm.core.reward.Readings;
import java.util.Arrays;
import java.util.BitSet;

/** Counts a milestone while episodes are played; each episode by one thread at a time. */
final class MilestoneTally {
  private final Milestone milestone;
  private final Episode[] episodes;

  private static final class Episode {
    /** Whether it held in the last states, by step modulo their number. */
    private final BitSet last = new BitSet(MilestoneCount.LAST_STEPS);

    private int steps;
    private boolean reached;

    void see(boolean holds) {
      last.set(steps++ % MilestoneCount.LAST_STEPS, holds);
      reached |= holds;
    }

    boolean atEnd() {
      return steps > 0 && last.get((steps - 1) % MilestoneCount.LAST_STEPS);
    }

    double lately() {
      return (double) last.cardinality() / Math.max(1, Math.min(steps, MilestoneCount.LAST_STEPS));
    }
  }

  MilestoneTally(Milestone milestone, int episodes) {
    this.milestone = milestone;
    this.episodes = new Episode[episodes];
    Arrays.setAll(this.episodes, i -> new Episode());
  }

  void see(int episode, Readings state) {
    episodes[episode].see(milestone.holds(state));
  }

  MilestoneCount count() {
    return new MilestoneCount(
        milestone,
        episodes.length,
        (int) Arrays.stream(episodes).filter(each -> each.reached).count(),
        (int) Arrays.stream(episodes).filter(Episode::atEnd).count(),
        Arrays.stream(episodes).mapToDouble(Episode::lately).average().orElse(0));
  }
}
