package dev.psm.lab.infer;

import dev.psm.core.data.Dataset;
import dev.psm.lab.pass.EpisodeRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

/**
 * The states of a part of a dataset in units that count as independent for the standard errors:
 * states of one episode resemble each other, so a unit is a whole episode, several where they are
 * short, and a piece of one that is very long. As in a model's sample, states are those that
 * transitions led to, so the first of an episode is not among them.
 */
final class Units {
  static final int SHORTEST = 512;
  static final int LONGEST = 4096;

  /** Rows that are read together: enough that opening the engine anew does not show. */
  private static final int BLOCK = 1 << 15;

  private final Dataset dataset;
  private final Predicate<List<long[]>> visitor;
  private List<long[]> block = new ArrayList<>();
  private int blockRows;
  private long[] pending = new long[0];

  private Units(Dataset dataset, Predicate<List<long[]>> visitor) {
    this.dataset = dataset;
    this.visitor = visitor;
  }

  /**
   * Visits blocks of units.
   *
   * @param visitor takes the row numbers of some units, and says whether to go on
   * @return whether all were visited
   */
  static boolean visit(Dataset dataset, EpisodeRange range, Predicate<List<long[]>> visitor) {
    Units units = new Units(dataset, visitor);
    for (int episode = range.first(); episode < range.end(); episode++) {
      if (!units.add(episode)) {
        return false;
      }
    }
    return units.closeUnit() && (units.block.isEmpty() || visitor.test(units.block));
  }

  private boolean add(int episode) {
    long last = dataset.lastRow(episode);
    for (long row = dataset.firstRow(episode) + 1; row <= last; row += LONGEST) {
      int count = (int) Math.min(LONGEST, last - row + 1);
      int before = pending.length;
      pending = Arrays.copyOf(pending, before + count);
      for (int i = 0; i < count; i++) {
        pending[before + i] = row + i;
      }
      if (pending.length >= SHORTEST && !closeUnit()) {
        return false;
      }
    }
    return true;
  }

  private boolean closeUnit() {
    if (pending.length == 0) {
      return true;
    }
    block.add(pending);
    blockRows += pending.length;
    pending = new long[0];
    if (blockRows < BLOCK) {
      return true;
    }
    List<long[]> full = block;
    block = new ArrayList<>();
    blockRows = 0;
    return visitor.test(full);
  }
}
