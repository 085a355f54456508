package dev.psm.lab.infer;

import java.util.Arrays;

/** Sorts no more of an array than is asked for. */
final class OrderStatistics {
  /** Shorter stretches are sorted at once. */
  private static final int SHORT = 64;

  /** So many of a long array's values tell about where a place is. */
  private static final int SAMPLE = 4096;

  /** Standard deviations, at most, that a place may be from where the sample has it. */
  private static final double MARGIN = 4;

  private OrderStatistics() {}

  /**
   * Puts those values in their places that sorting all would put into {@code from} to {@code to},
   * both inclusive. In the other places there may be anything.
   *
   * @param values finite
   */
  static void place(double[] values, int from, int to) {
    if (values.length < 8 * SAMPLE || !placeNear(values, from, to)) {
      place(values, 0, values.length - 1, from, to);
    }
  }

  /**
   * Takes out the values about the wanted places, by bounds from a sample, and looks at no others
   * twice.
   *
   * @return false, with all values as they were, where the sample misleads
   */
  private static boolean placeNear(double[] values, int from, int to) {
    int n = values.length;
    double[] sample = new double[SAMPLE];
    for (int i = 0; i < SAMPLE; i++) {
      sample[i] = values[(int) ((long) i * n / SAMPLE)];
    }
    // The deviation of a share is 0.5 / √SAMPLE at most.
    double margin = MARGIN * 0.5 * Math.sqrt(SAMPLE);
    int first = (int) ((double) from / n * SAMPLE - margin);
    int last = (int) ((double) to / n * SAMPLE + margin);
    Arrays.sort(sample);
    double low = first < 0 ? Double.NEGATIVE_INFINITY : sample[first];
    double high = last >= SAMPLE ? Double.POSITIVE_INFINITY : sample[last];
    double[] near = new double[n];
    int below = 0;
    int count = 0;
    // Written so that nothing is jumped over: which side a value is on cannot be foretold.
    for (double value : values) {
      int isBelow = value < low ? 1 : 0;
      near[count] = value;
      below += isBelow;
      count += value <= high ? 1 - isBelow : 0;
    }
    if (from < below || to >= below + count) {
      return false;
    }
    place(near, 0, count - 1, from - below, to - below);
    System.arraycopy(near, from - below, values, from, to - from + 1);
    return true;
  }

  private static void place(double[] values, int first, int last, int from, int to) {
    select(values, first, last, from);
    if (to > from) {
      select(values, from + 1, last, to);
      Arrays.sort(values, from, to + 1);
    }
  }

  /** Hoare's: only the side that the place is in is looked at again. */
  private static void select(double[] values, int first, int last, int place) {
    int low = first;
    int high = last;
    while (high - low > SHORT) {
      double pivot = median(values[low], values[(low + high) >>> 1], values[high]);
      int i = low;
      int j = high;
      while (i <= j) {
        while (values[i] < pivot) {
          i++;
        }
        while (values[j] > pivot) {
          j--;
        }
        if (i <= j) {
          double swapped = values[i];
          values[i++] = values[j];
          values[j--] = swapped;
        }
      }
      if (place <= j) {
        high = j;
      } else if (place >= i) {
        low = i;
      } else {
        return;
      }
    }
    Arrays.sort(values, low, high + 1);
  }

  private static double median(double a, double b, double c) {
    return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
  }
}
