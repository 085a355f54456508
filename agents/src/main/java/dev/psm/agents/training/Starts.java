package dev.psm.agents.training;

import dev.psm.core.data.Dataset;
import dev.psm.core.data.Intervals;
import java.util.random.RandomGenerator;

/** The rows of a dataset from which so many environment steps lead on within the episode. */
final class Starts {
  private final Dataset dataset;
  private final long steps;

  /** One start after the other, by episodes. */
  private final Intervals episodes;

  /**
   * @param steps at most those of the longest episode
   */
  Starts(Dataset dataset, long steps) {
    this.dataset = dataset;
    this.steps = steps;
    long[] counts = new long[dataset.episodes() + 1];
    for (int episode = 0; episode < dataset.episodes(); episode++) {
      long length = dataset.lastRow(episode) - dataset.firstRow(episode);
      counts[episode + 1] = counts[episode] + Math.max(0, length - steps + 1);
    }
    this.episodes = new Intervals(counts);
  }

  /** How many there are. */
  long count() {
    return episodes.end();
  }

  /** One of them, all equally likely. */
  long draw(RandomGenerator random) {
    if (count() < dataset.transitions() / 2) {
      return row(random.nextLong(count()));
    }
    // Two draws on average at most; every row that the dataset draws has one step.
    long row;
    do {
      row = dataset.drawRow(random);
    } while (steps > 1 && row + steps > dataset.lastRow(dataset.episodeOf(row)));
    return row;
  }

  private long row(long start) {
    int episode = episodes.of(start);
    return dataset.firstRow(episode) + start - episodes.start(episode);
  }

  /** All of them, ascending. */
  long[] rows() {
    long[] rows = new long[Math.toIntExact(count())];
    int next = 0;
    for (int episode = 0; episode < dataset.episodes(); episode++) {
      for (long row = dataset.firstRow(episode); row + steps <= dataset.lastRow(episode); row++) {
        rows[next++] = row;
      }
    }
    return rows;
  }
}
