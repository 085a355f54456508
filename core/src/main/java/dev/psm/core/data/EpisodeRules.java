package dev.psm.core.data;

import dev.psm.core.io.DType;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What makes an episode fit to be learned from. The writer refuses what breaks a rule, and the
 * check looks for what broke one later; both go by this list.
 */
final class EpisodeRules {
  private EpisodeRules() {}

  /**
   * A broken rule.
   *
   * @param row the first place, counted from the start of the episode, or -1 for the whole column
   */
  record Breach(String column, int row, String words) {
    @Override
    public String toString() {
      return row < 0
          ? "column '%s' %s".formatted(column, words)
          : "column '%s', row %d %s".formatted(column, row, words);
    }
  }

  /** At most one breach per column: its first. */
  static List<Breach> breaches(Episode episode, Columns columns) {
    List<Breach> breaches = new ArrayList<>();
    if (episode.rows() < 2) {
      breaches.add(
          new Breach(
              Columns.DISCOUNT,
              -1,
              "has %d rows; an episode of T transitions has T + 1, at least 2"
                  .formatted(episode.rows())));
      return breaches;
    }
    for (Column column : columns.stored()) {
      Breach breach =
          column.dtype() == DType.F64 ? doubles(episode, column) : floats(episode, column);
      if (breach != null) {
        breaches.add(breach);
      }
    }
    if (columns.physics() == 0 && episode.physics().length > 0) {
      breaches.add(new Breach(Columns.PHYSICS, -1, "is not in this dataset's description"));
    }
    Set<String> strangers = new TreeSet<>(episode.extras().keySet());
    strangers.removeAll(columns.extras().keySet());
    strangers.forEach(
        name -> breaches.add(new Breach(name, -1, "is not in this dataset's description")));
    return breaches;
  }

  private static Breach floats(Episode episode, Column column) {
    float[] values = episode.floats(column.name());
    Breach size = size(episode, column, values == null ? 0 : values.length);
    if (size != null) {
      return size;
    }
    for (int i = 0; i < values.length; i++) {
      if (!Float.isFinite(values[i])) {
        return new Breach(column.name(), i / column.width(), "holds " + values[i]);
      }
    }
    return switch (column.name()) {
      case Columns.ACTION -> start(values, column, 0);
      case Columns.DISCOUNT -> discounts(values, column);
      default -> null;
    };
  }

  private static Breach doubles(Episode episode, Column column) {
    double[] values = episode.physics();
    Breach size = size(episode, column, values.length);
    if (size != null) {
      return size;
    }
    for (int i = 0; i < values.length; i++) {
      if (!Double.isFinite(values[i])) {
        return new Breach(column.name(), i / column.width(), "holds " + values[i]);
      }
    }
    return null;
  }

  private static Breach size(Episode episode, Column column, int found) {
    long expected = (long) episode.rows() * column.width();
    return found == expected
        ? null
        : new Breach(
            column.name(),
            -1,
            "has %d numbers, expected %d: %d rows of %d"
                .formatted(found, expected, episode.rows(), column.width()));
  }

  private static Breach discounts(float[] values, Column column) {
    for (int row = 0; row < values.length; row++) {
      if (values[row] < 0 || values[row] > 1) {
        return new Breach(
            column.name(), row, "holds %s, expected a number from 0 to 1".formatted(values[row]));
      }
    }
    return start(values, column, 1);
  }

  private static Breach start(float[] values, Column column, float expected) {
    for (int i = 0; i < column.width(); i++) {
      if (values[i] != expected) {
        return new Breach(
            column.name(),
            0,
            "holds %s, expected %s: no step leads to an episode's first row"
                .formatted(values[i], expected));
      }
    }
    return null;
  }
}
