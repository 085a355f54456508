package dev.psm.lab.infer;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.psm.core.io.Json;
import dev.psm.lab.pass.Packed;
import java.util.Arrays;

/**
 * What a pass adds up over states, of which all results follow. With y = (r − c) / s, the reward
 * less the pilot's offset over its scale; and of a unit u of n states its influence T on the
 * weights of a reward: Σ y φ, of least squares Σ E[φφᵀ]⁺ φ (y − φᵀw), less what the unit moves the
 * offset by.
 *
 * <p>Its size depends on rewards and features alone, and the sums of two parts are added.
 */
@SuppressWarnings("ArrayRecordComponent")
record RewardSums(
    /** States, units, and Σ n² over units. */
    double[] counts,
    /** Σ φ: d. */
    double[] features,
    /** Σ φφᵀ: d × d, where it is asked for. */
    double[] products,
    /** Σ y φ: rewards × d. */
    double[] rewardFeatures,
    /** Σ y. */
    double[] rewards,
    /** Smallest and largest reward, in its own unit. */
    double[] least,
    double[] most,
    /** How many states pay less than {@link Plan#low}. */
    double[] below,
    /** How many pay between {@link Plan#low} and {@link Plan#high}, by bins: rewards × bins. */
    long[] between,
    /** The smallest and the largest reward of each bin. */
    double[] binLeast,
    double[] binMost,
    /** Σ T, Σ T², Σ n T, and Σ p T with p = T · direction: rewards × d each. */
    double[] influences,
    double[] squares,
    double[] sizedInfluences,
    double[] projected,
    /** Σ n p and Σ p². */
    double[] sizedProjections,
    double[] squaredProjections) {

  static final int STATES = 0;
  static final int UNITS = 1;
  static final int SQUARED_SIZES = 2;

  /**
   * @param bins between the bounds of each reward's offset
   */
  static RewardSums zero(int rewards, int d, boolean leastSquares, int bins) {
    int size = Math.multiplyExact(rewards, d);
    return new RewardSums(
        new double[3],
        new double[d],
        new double[leastSquares ? d * d : 0],
        new double[size],
        new double[rewards],
        filled(rewards, Double.POSITIVE_INFINITY),
        filled(rewards, Double.NEGATIVE_INFINITY),
        new double[rewards],
        new long[Math.multiplyExact(rewards, bins)],
        filled(rewards * bins, Double.POSITIVE_INFINITY),
        filled(rewards * bins, Double.NEGATIVE_INFINITY),
        new double[size],
        new double[size],
        new double[size],
        new double[size],
        new double[rewards],
        new double[rewards]);
  }

  private static double[] filled(int count, double value) {
    double[] values = new double[count];
    Arrays.fill(values, value);
    return values;
  }

  /** Bytes of those of so many rewards. */
  static long bytes(long rewards, long d, long bins) {
    return 8 * (5 * rewards * d + d * d + 8 * rewards) + 24 * bins * rewards;
  }

  int bins() {
    return between.length / rewards.length;
  }

  void add(RewardSums other) {
    add(counts, other.counts);
    add(features, other.features);
    add(products, other.products);
    add(rewardFeatures, other.rewardFeatures);
    add(rewards, other.rewards);
    spread(least, most, other.least, other.most);
    spread(binLeast, binMost, other.binLeast, other.binMost);
    add(below, other.below);
    for (int i = 0; i < between.length; i++) {
      between[i] += other.between[i];
    }
    add(influences, other.influences);
    add(squares, other.squares);
    add(sizedInfluences, other.sizedInfluences);
    add(projected, other.projected);
    add(sizedProjections, other.sizedProjections);
    add(squaredProjections, other.squaredProjections);
  }

  private static void spread(double[] low, double[] high, double[] least, double[] most) {
    for (int k = 0; k < low.length; k++) {
      low[k] = Math.min(low[k], least[k]);
      high[k] = Math.max(high[k], most[k]);
    }
  }

  private static void add(double[] to, double[] from) {
    for (int i = 0; i < to.length; i++) {
      to[i] += from[i];
    }
  }

  ObjectNode toJson() {
    ObjectNode node = Json.object();
    Packed.put(node, "counts", counts);
    Packed.put(node, "features", features);
    Packed.put(node, "products", products);
    Packed.put(node, "rewardFeatures", rewardFeatures);
    Packed.put(node, "rewards", rewards);
    Packed.put(node, "least", least);
    Packed.put(node, "most", most);
    Packed.put(node, "below", below);
    Packed.put(node, "between", between);
    Packed.put(node, "binLeast", binLeast);
    Packed.put(node, "binMost", binMost);
    Packed.put(node, "influences", influences);
    Packed.put(node, "squares", squares);
    Packed.put(node, "sizedInfluences", sizedInfluences);
    Packed.put(node, "projected", projected);
    Packed.put(node, "sizedProjections", sizedProjections);
    Packed.put(node, "squaredProjections", squaredProjections);
    return node;
  }

  static RewardSums of(ObjectNode node) {
    return new RewardSums(
        Packed.doubles(node, "counts"),
        Packed.doubles(node, "features"),
        Packed.doubles(node, "products"),
        Packed.doubles(node, "rewardFeatures"),
        Packed.doubles(node, "rewards"),
        Packed.doubles(node, "least"),
        Packed.doubles(node, "most"),
        Packed.doubles(node, "below"),
        Packed.longs(node, "between"),
        Packed.doubles(node, "binLeast"),
        Packed.doubles(node, "binMost"),
        Packed.doubles(node, "influences"),
        Packed.doubles(node, "squares"),
        Packed.doubles(node, "sizedInfluences"),
        Packed.doubles(node, "projected"),
        Packed.doubles(node, "sizedProjections"),
        Packed.doubles(node, "squaredProjections"));
  }
}
