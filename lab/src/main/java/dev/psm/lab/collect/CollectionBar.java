package dev.psm.lab.collect;

import dev.psm.core.env.World;
import dev.psm.lab.Progress;

/**
 * The progress of a collection. An explorer that learns does not before its first round is over;
 * that round is many times faster than the others, so it has a bar of its own and the time left is
 * never estimated from it.
 */
final class CollectionBar implements AutoCloseable {
  private final Progress progress;
  private final World world;
  private final Collection.Plan plan;
  private Progress.Bar bar;
  private boolean learning;
  private long from;
  private long to;

  CollectionBar(Progress progress, World world, Collection.Plan plan) {
    this.progress = progress;
    this.world = world;
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
    long round = (long) plan.environments() * world.episodeSteps();
    to = isLearning ? plan.steps() : Math.min(plan.steps(), stored + round);
    String label = "collect " + world.name();
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
