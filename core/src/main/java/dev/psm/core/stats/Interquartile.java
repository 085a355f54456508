package dev.psm.core.stats;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * The interquartile mean and its bootstrap interval, the aggregate that Agarwal et al. (2021, "Deep
 * Reinforcement Learning at the Edge of the Statistical Precipice") recommend: robust to one lucky
 * seed like the median, and far less wasteful of the few runs there are.
 *
 * <p>The mean is over all runs and tasks together after ⌊n/4⌋ values are cut at either end, as
 * {@code scipy.stats.trim_mean(x, 0.25)} does, so that numbers compare with published ones. With
 * fewer than four values nothing is cut and it is the plain mean.
 *
 * @param low the 2.5th percentile over the resamples
 * @param high the 97.5th percentile over the resamples
 */
public record Interquartile(double mean, double low, double high) {
  private static final double CONFIDENCE = 0.95;

  /** The trimmed mean alone. */
  public static double mean(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return ofSorted(sorted);
  }

  /** Scores of one task, resampled with replacement. */
  public static Interquartile of(double[] scores, int resamples, long seed) {
    double[][] matrix = new double[scores.length][1];
    for (int run = 0; run < scores.length; run++) {
      matrix[run][0] = scores[run];
    }
    return of(matrix, resamples, seed);
  }

  /**
   * Scores of several tasks, {@code scores[run][task]}. The bootstrap is stratified: runs are
   * resampled within each task, never across tasks, since only the seeds are random. It takes a
   * run's tasks for independent; where one model solved them all, see {@link #ofRuns}.
   */
  public static Interquartile of(double[][] scores, int resamples, long seed) {
    return of(scores, resamples, seed, false);
  }

  /**
   * Scores of several tasks, {@code scores[run][task]}, where a run is one model that solved all of
   * them. Its scores rise and fall together, so the bootstrap redraws whole runs; to redraw each
   * task for itself would average that away and make the interval too narrow.
   */
  public static Interquartile ofRuns(double[][] scores, int resamples, long seed) {
    return of(scores, resamples, seed, true);
  }

  private static Interquartile of(double[][] scores, int resamples, long seed, boolean wholeRuns) {
    int runs = scores.length;
    int tasks = runs == 0 ? 0 : scores[0].length;
    if (runs == 0 || tasks == 0 || resamples < 1) {
      throw new IllegalArgumentException(
          "needs runs, tasks and resamples, found %d, %d and %d".formatted(runs, tasks, resamples));
    }
    double[] all = new double[runs * tasks];
    for (int run = 0; run < runs; run++) {
      if (scores[run].length != tasks) {
        throw new IllegalArgumentException("run " + run + " lacks tasks that run 0 has");
      }
      System.arraycopy(scores[run], 0, all, run * tasks, tasks);
    }
    SplittableRandom random = new SplittableRandom(seed);
    double[] means = new double[resamples];
    double[] drawn = new double[runs * tasks];
    for (int i = 0; i < resamples; i++) {
      if (wholeRuns) {
        for (int run = 0; run < runs; run++) {
          System.arraycopy(scores[random.nextInt(runs)], 0, drawn, run * tasks, tasks);
        }
      } else {
        for (int task = 0; task < tasks; task++) {
          for (int run = 0; run < runs; run++) {
            drawn[task * runs + run] = scores[random.nextInt(runs)][task];
          }
        }
      }
      Arrays.sort(drawn);
      means[i] = ofSorted(drawn);
    }
    Arrays.sort(means);
    double tail = (1 - CONFIDENCE) / 2;
    return new Interquartile(mean(all), percentile(means, tail), percentile(means, 1 - tail));
  }

  private static double ofSorted(double[] sorted) {
    int cut = sorted.length / 4;
    double sum = 0;
    for (int i = cut; i < sorted.length - cut; i++) {
      sum += sorted[i];
    }
    return sum / (sorted.length - 2 * cut);
  }

  /** Linear between neighbouring order statistics. */
  private static double percentile(double[] sorted, double fraction) {
    double position = fraction * (sorted.length - 1);
    int below = (int) position;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
  }
}
