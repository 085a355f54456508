package dev.psm.lab.collect;

import dev.psm.lab.Progress;
import dev.psm.mujoco.suite.DomainFacts;

/**
 * The progress of a collection. An explorer that learns does not before its first round is over;
 * that round is many times faster than the others, so it has a bar of its own and the time left is
 * never estimated from it.
 */
final class CollectionBar implements AutoCloseable {
  private final Progress progress;
  private final DomainFacts facts;
  private final Collection.Plan plan;
  private Progress.Bar bar;
  private boolean learning;
  private long from;
  private long to;

  CollectionBar(Progress progress, DomainFacts facts, Collection.Plan plan) {
    this.progress = progress;
    this.facts = facts;
    this.plan = plan;
  }

  /**
   * Before each round.
   *
   * @param stored transitions so far
   */
  void beginRound(long stored, boolean isLearning) {
    if (bar != null && learning == isLearning) {
      return;
    }
    close();
    learning = isLearning;
    from = stored;
    long round = (long) plan.environments() * facts.episodeSteps();
    to = isLearning ? plan.steps() : Math.min(plan.steps(), stored + round);
    String label = "collect " + facts.name();
    bar =
        progress.start(
            label
                + (isLearning ? "" : " before learning")
                + (stored > 0 ? " from step " + stored : ""),
            to - from);
  }

  void update(long stored, String note) {
    bar.update(Math.min(stored, to) - from, note);
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    }
  }
}
