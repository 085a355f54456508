package dev.psm.lab;

import dev.psm.core.data.Dataset;
import dev.psm.core.env.Space;
import dev.psm.core.env.World;
import java.util.Optional;

/**
 * The actions that an environment takes. Data that holds others was made for another environment,
 * or in another unit, and what is learned from it could never be done.
 */
public final class ActionRange {
  private static final int BLOCK_ROWS = 1 << 16;

  private final String environment;
  private final Space.Box range;

  public ActionRange(World world) {
    this.environment = world.name();
    this.range =
        world.actionSpace() instanceof Space.Discrete numbered
            ? Space.Box.uniform(0, numbered.count() - 1, 1)
            : (Space.Box) world.actionSpace();
  }

  /** What is wrong with the first action outside of the range; empty where none is. */
  public Optional<String> problem(float[] actions) {
    int at = firstOutside(actions, 0, actions.length);
    return at < 0 ? Optional.empty() : Optional.of(words(at / range.size(), at, actions[at]));
  }

  /** The same for a whole dataset, with the number of further rows. */
  public Optional<String> problem(Dataset dataset) {
    String first = null;
    long more = -1;
    float[] actions = new float[BLOCK_ROWS * range.size()];
    for (long row = 0; row < dataset.rows(); row += BLOCK_ROWS) {
      int count = (int) Math.min(BLOCK_ROWS, dataset.rows() - row);
      dataset.actions(row, count, actions, 0);
      for (int i = 0; i < count; i++) {
        int at = firstOutside(actions, i * range.size(), (i + 1) * range.size());
        if (at >= 0) {
          first = first == null ? words(row + i, at, actions[at]) : first;
          more++;
        }
      }
    }
    return first == null
        ? Optional.empty()
        : Optional.of(more == 0 ? first : first + "; and %,d rows more".formatted(more));
  }

  private int firstOutside(float[] actions, int from, int to) {
    for (int i = from; i < to; i++) {
      int axis = i % range.size();
      if (!(actions[i] >= range.low()[axis] && actions[i] <= range.high()[axis])) {
        return i;
      }
    }
    return -1;
  }

  private String words(long row, int at, float found) {
    int axis = at % range.size();
    return "column 'action', row %d holds %s, expected a number from %s to %s, the range of %s"
        .formatted(row, found, range.low()[axis], range.high()[axis], environment);
  }
}
