package dev.psm.lab.run;

import java.util.stream.IntStream;

/**
 * How far apart observations are, when each of their numbers counts in units of its standard
 * deviation in the data: the root mean square over the numbers. Two states drawn from the data at
 * random are about √2 apart, whatever the environment.
 */
public final class Spread {
  private final double[] deviations;

  private Spread(double[] deviations) {
    this.deviations = deviations;
  }

  /**
   * @param observations states × width
   */
  public static Spread of(float[] observations, int width) {
    int count = observations.length / width;
    double[] deviations = new double[width];
    for (int i = 0; i < width; i++) {
      double sum = 0;
      for (int row = 0; row < count; row++) {
        sum += observations[row * width + i];
      }
      double mean = sum / count;
      double squares = 0;
      for (int row = 0; row < count; row++) {
        double off = observations[row * width + i] - mean;
        squares += off * off;
      }
      deviations[i] = Math.sqrt(squares / count);
    }
    return new Spread(deviations);
  }

  /** The distance of an observation from row {@code row} of others; constants do not count. */
  public double distance(float[] observation, float[] others, int row) {
    int[] all = IntStream.range(0, deviations.length).toArray();
    return distance(observation, all, others, row);
  }

  /**
   * The same over some of the numbers.
   *
   * @param columns which numbers of the observation
   * @param others rows of these numbers alone
   */
  public double distance(float[] observation, int[] columns, float[] others, int row) {
    double squares = 0;
    int counted = 0;
    for (int i = 0; i < columns.length; i++) {
      double deviation = deviations[columns[i]];
      if (deviation > 0) {
        double off = (observation[columns[i]] - others[row * columns.length + i]) / deviation;
        squares += off * off;
        counted++;
      }
    }
    return counted == 0 ? 0 : Math.sqrt(squares / counted);
  }
}
