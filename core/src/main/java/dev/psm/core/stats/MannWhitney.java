package dev.psm.core.stats;

import java.util.Arrays;

/**
 * The Mann-Whitney U test: are two samples of scores from one distribution? It assumes nothing
 * about the shape of the scores, and its exact p-values hold for the handful of seeds a study has.
 *
 * @param u the pairs in which the first sample's value is the greater, ties counting half
 * @param p two-sided
 * @param exact whether p comes from the exact distribution rather than the normal approximation
 */
public record MannWhitney(double u, double p, boolean exact) {
  private static final int EXACT_TIED_TOTAL = 20;
  private static final int EXACT_PRODUCT = 2500;

  /**
   * Compares two samples. Without ties p is exact up to n·m = 2500, with ties up to n + m = 20;
   * beyond that it is the normal approximation with tie and continuity correction.
   */
  public static MannWhitney test(double[] first, double[] second) {
    int n = first.length;
    int m = second.length;
    if (n == 0 || m == 0) {
      throw new IllegalArgumentException(
          "both samples need values, found %d and %d".formatted(n, m));
    }
    int[] doubledRanks = doubledRanks(first, second);
    int rankSum = 0;
    for (int i = 0; i < n; i++) {
      rankSum += doubledRanks[i];
    }
    double u = (rankSum - n * (n + 1)) / 2.0;
    boolean tied = hasTies(doubledRanks);
    if (tied ? n + m <= EXACT_TIED_TOTAL : (long) n * m <= EXACT_PRODUCT) {
      return new MannWhitney(u, exactP(doubledRanks, n, rankSum), true);
    }
    return new MannWhitney(u, normalP(doubledRanks, n, m, u), false);
  }

  /** Twice each value's mid-rank among all, which makes the halves of ties whole. */
  private static int[] doubledRanks(double[] first, double[] second) {
    double[] all = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, all, first.length, second.length);
    int[] ranks = new int[all.length];
    for (int i = 0; i < all.length; i++) {
      if (Double.isNaN(all[i])) {
        throw new IllegalArgumentException("NaN has no rank");
      }
      int less = 0;
      int equal = 0;
      for (double other : all) {
        less += other < all[i] ? 1 : 0;
        equal += other == all[i] ? 1 : 0;
      }
      ranks[i] = 2 * less + equal + 1;
    }
    return ranks;
  }

  private static boolean hasTies(int[] ranks) {
    return Arrays.stream(ranks).distinct().count() < ranks.length;
  }

  /**
   * The share of all ways to pick n of the ranks whose sum is at least as far from its mean. The
   * ways are counted by sum, one rank at a time, so ties cost nothing extra.
   */
  private static double exactP(int[] ranks, int n, int observed) {
    int total = Arrays.stream(ranks).sum();
    double[][] ways = new double[n + 1][total + 1];
    ways[0][0] = 1;
    int reachable = 0;
    for (int rank : ranks) {
      reachable += rank;
      for (int picked = n; picked >= 1; picked--) {
        for (int sum = reachable; sum >= rank; sum--) {
          ways[picked][sum] += ways[picked - 1][sum - rank];
        }
      }
    }
    // Sums are symmetric about n·total/N; compared in whole numbers to keep equality exact.
    long count = ranks.length;
    long distance = Math.abs(count * observed - (long) n * total);
    double extreme = 0;
    double all = 0;
    for (int sum = 0; sum <= total; sum++) {
      all += ways[n][sum];
      if (Math.abs(count * sum - (long) n * total) >= distance) {
        extreme += ways[n][sum];
      }
    }
    return extreme / all;
  }

  private static double normalP(int[] ranks, int n, int m, double u) {
    double total = n + m;
    double tieTerm = 0;
    int[] sorted = ranks.clone();
    Arrays.sort(sorted);
    for (int start = 0; start < sorted.length; ) {
      int end = start;
      while (end < sorted.length && sorted[end] == sorted[start]) {
        end++;
      }
      double size = end - start;
      tieTerm += size * size * size - size;
      start = end;
    }
    double variance = n * (double) m / 12 * (total + 1 - tieTerm / (total * (total - 1)));
    if (variance == 0) {
      return 1;
    }
    double z = Math.max(0, Math.abs(u - n * (double) m / 2) - 0.5) / Math.sqrt(variance);
    return Math.min(1, Normal.twoSidedTail(z));
  }
}
