package dev.psm.view.render;

import dev.psm.core.scene.Vectors;
import java.util.Arrays;
import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * Chooses a palette for a histogram: splits the box of colours that errs most at its mean until
 * there are enough boxes, then lets every colour settle with the nearest entry a few times.
 */
final class MedianCut {
  private static final int SETTLINGS = 4;

  private final double[][] colours;
  private final double[] weights;

  /** A run of the order array, and how much is lost when one colour stands for all of it. */
  private record Box(int from, int to, int axis, double mean, double error) {}

  private MedianCut(double[][] colours, double[] weights) {
    this.colours = colours;
    this.weights = weights;
  }

  /** Colours as three channels each; returns at most {@code most} of them as 0xRRGGBB. */
  static int[] choose(double[][] colours, double[] weights, int most) {
    return new MedianCut(colours, weights).choose(most);
  }

  private int[] choose(int most) {
    Integer[] order = new Integer[colours.length];
    Arrays.setAll(order, i -> i);
    PriorityQueue<Box> boxes =
        new PriorityQueue<>(
            Comparator.comparingDouble(Box::error).reversed().thenComparingInt(Box::from));
    boxes.add(measure(order, 0, order.length));
    while (boxes.size() < most && boxes.peek().error > 0) {
      Box worst = boxes.remove();
      int middle = partition(order, worst);
      boxes.add(measure(order, worst.from, middle));
      boxes.add(measure(order, middle, worst.to));
    }
    double[][] centres = new double[boxes.size()][];
    int count = 0;
    for (Box box : boxes.stream().sorted(Comparator.comparingInt(Box::from)).toList()) {
      centres[count++] = mean(order, box.from, box.to);
    }
    for (int i = 0; i < SETTLINGS; i++) {
      settle(centres);
    }
    return Arrays.stream(centres).mapToInt(MedianCut::rounded).distinct().toArray();
  }

  private Box measure(Integer[] order, int from, int to) {
    double[] mean = mean(order, from, to);
    double[] spread = new double[3];
    for (int i = from; i < to; i++) {
      for (int c = 0; c < 3; c++) {
        double off = colours[order[i]][c] - mean[c];
        spread[c] += weights[order[i]] * off * off;
      }
    }
    int axis = spread[0] > spread[1] ? 0 : 1;
    axis = spread[axis] > spread[2] ? axis : 2;
    boolean single = spread[axis] < 1e-9 || to - from < 2;
    double error = single ? 0 : spread[0] + spread[1] + spread[2];
    return new Box(from, to, axis, mean[axis], error);
  }

  private int partition(Integer[] order, Box box) {
    int middle = box.from;
    for (int i = box.from; i < box.to; i++) {
      if (colours[order[i]][box.axis] <= box.mean) {
        Integer swapped = order[i];
        order[i] = order[middle];
        order[middle++] = swapped;
      }
    }
    // A mean that rounding put at the edge of its box must still split it.
    return Math.max(box.from + 1, Math.min(box.to - 1, middle));
  }

  private double[] mean(Integer[] order, int from, int to) {
    double[] sum = new double[3];
    double total = 0;
    for (int i = from; i < to; i++) {
      double weight = weights[order[i]];
      total += weight;
      for (int c = 0; c < 3; c++) {
        sum[c] += weight * colours[order[i]][c];
      }
    }
    return Vectors.scaled(sum, 1 / total);
  }

  private void settle(double[][] centres) {
    double[][] sums = new double[centres.length][3];
    double[] totals = new double[centres.length];
    for (int i = 0; i < colours.length; i++) {
      int nearest = nearest(centres, colours[i]);
      totals[nearest] += weights[i];
      for (int c = 0; c < 3; c++) {
        sums[nearest][c] += weights[i] * colours[i][c];
      }
    }
    for (int k = 0; k < centres.length; k++) {
      if (totals[k] > 0) {
        centres[k] = Vectors.scaled(sums[k], 1 / totals[k]);
      }
    }
  }

  private static int nearest(double[][] centres, double[] colour) {
    int best = 0;
    double least = Double.POSITIVE_INFINITY;
    for (int k = 0; k < centres.length; k++) {
      double red = centres[k][0] - colour[0];
      double green = centres[k][1] - colour[1];
      double blue = centres[k][2] - colour[2];
      double distance = red * red + green * green + blue * blue;
      if (distance < least) {
        least = distance;
        best = k;
      }
    }
    return best;
  }

  private static int rounded(double[] colour) {
    return (int) Math.round(colour[0]) << 16
        | (int) Math.round(colour[1]) << 8
        | (int) Math.round(colour[2]);
  }
}
