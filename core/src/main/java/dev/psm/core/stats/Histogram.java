package dev.psm.core.stats;

import java.util.Locale;

/**
 * How values are spread over equal steps from the least to the greatest.
 *
 * @param counts the last step includes its upper edge
 */
@SuppressWarnings("ArrayRecordComponent")
public record Histogram(double low, double high, int[] counts) {

  /** A single step when all values are equal. */
  public static Histogram of(double[] values, int bins) {
    double low = Double.POSITIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;
    for (double value : values) {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    // Halves, because the range of finite values can itself be infinite.
    double half = high / 2 - low / 2;
    int[] counts = new int[half > 0 ? bins : 1];
    for (double value : values) {
      double share = half > 0 ? (value / 2 - low / 2) / half : 0;
      counts[(int) Math.min(counts.length - 1, share * counts.length)]++;
    }
    return new Histogram(low, high, counts);
  }

  /** The lower edge of a step; after the last, its upper edge. */
  public double edge(int index) {
    double share = (double) index / counts.length;
    return low * (1 - share) + high * share;
  }

  /** One line a step: its lower edge, a bar, and how many. */
  public String draw(int width) {
    int most = 0;
    for (int count : counts) {
      most = Math.max(most, count);
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < counts.length; i++) {
      // A step that has something is never drawn as empty.
      int length = counts[i] == 0 ? 0 : Math.max(1, (int) ((long) counts[i] * width / most));
      text.append(
          String.format(
              Locale.ROOT,
              "%12.5g |%-" + width + "s %,d%n",
              edge(i),
              "#".repeat(length),
              counts[i]));
    }
    return text.toString();
  }

  /**
   * The value below which that share of a sorted sample lies, linearly between its neighbours.
   *
   * @param sorted not empty
   */
  public static double quantile(double[] sorted, double share) {
    double at = share * (sorted.length - 1);
    int below = (int) at;
    int above = Math.min(below + 1, sorted.length - 1);
    double weight = at - below;
    return sorted[below] * (1 - weight) + sorted[above] * weight;
  }
}
