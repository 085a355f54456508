package dev.psm.lab.infer;

import dev.psm.core.reward.CanonicalReward;
import dev.psm.torch.DoubleMatrix;
import java.util.Arrays;

/** Adds the states of a unit to {@link RewardSums}. One thread at a time. */
final class UnitSummation implements AutoCloseable {
  /** Their numbers stay in the cache between being worked out and being multiplied. */
  private static final int REWARDS_AT_ONCE = 128;

  private final RewardList rewards;
  private final Plan plan;
  private final RewardSums sums;
  private final int d;
  private final DoubleMatrix inverse;
  private final double[] shift;
  private double[] paid = new double[0];
  private double[] canonical = new double[0];

  UnitSummation(RewardList rewards, Plan plan, RewardSums sums) {
    this.rewards = rewards;
    this.plan = plan;
    this.sums = sums;
    this.d = plan.featureDimension();
    this.inverse = plan.isLeastSquares() ? DoubleMatrix.of(plan.inverse(), d) : null;
    this.shift = inverse == null ? plan.meanFeatures() : inverse.timesLeft(plan.meanFeatures(), 1);
  }

  /**
   * @param states of several units
   * @param from the first state of this unit, and {@code to} the one after its last
   * @param phi features of the unit
   */
  void add(States states, int from, int to, float[] phi) {
    int n = to - from;
    sums.counts()[RewardSums.STATES] += n;
    sums.counts()[RewardSums.UNITS]++;
    sums.counts()[RewardSums.SQUARED_SIZES] += (double) n * n;
    if (paid.length < states.rows().length) {
      paid = new double[states.rows().length];
    }
    if (canonical.length < REWARDS_AT_ONCE * n) {
      canonical = new double[REWARDS_AT_ONCE * n];
    }
    for (int i = 0; i < phi.length; i++) {
      sums.features()[i % d] += phi[i];
    }
    try (DoubleMatrix features = DoubleMatrix.of(phi, d)) {
      double[] gram = inverse == null ? new double[0] : features.gram();
      for (int i = 0; i < gram.length; i++) {
        sums.products()[i] += gram[i];
      }
      for (int first = 0; first < rewards.size(); first += REWARDS_AT_ONCE) {
        int end = Math.min(rewards.size(), first + REWARDS_AT_ONCE);
        double[] belowOffset = new double[end - first];
        for (int k = first; k < end; k++) {
          rewards.pay(k, states, from, to, paid);
          belowOffset[k - first] = tally(k, from, to, (k - first) * n);
        }
        add(first, end, n, features.timesLeft(canonical, end - first), gram, belowOffset);
      }
    }
  }

  /** How many states pay less than the pilot's offset. */
  private int tally(int k, int from, int to, int at) {
    double offset = plan.offsets()[k];
    double factor = 1 / plan.scales()[k];
    double low = plan.low()[k];
    double high = plan.high()[k];
    int count = sums.bins();
    double width = high - low;
    double least = sums.least()[k];
    double most = sums.most()[k];
    int below = 0;
    int belowOffset = 0;
    double sum = 0;
    for (int i = from; i < to; i++) {
      double y = (paid[i] - offset) * factor;
      canonical[at + i - from] = y;
      sum += y;
    }
    for (int i = from; i < to; i++) {
      double r = paid[i];
      below += r < low ? 1 : 0;
      belowOffset += r < offset ? 1 : 0;
      if (r < least) {
        least = r;
      }
      if (r > most) {
        most = r;
      }
      if (r >= low && r <= high) {
        // Divided first: of the smallest rewards the inverse of the width is not finite.
        int bin = width > 0 ? Math.min((int) ((r - low) / width * count), count - 1) : 0;
        tallyBin(k * count + bin, r);
      }
    }
    sums.rewards()[k] += sum;
    sums.below()[k] += below;
    sums.least()[k] = least;
    sums.most()[k] = most;
    return belowOffset;
  }

  private void tallyBin(int bin, double reward) {
    sums.between()[bin]++;
    sums.binLeast()[bin] = Math.min(sums.binLeast()[bin], reward);
    sums.binMost()[bin] = Math.max(sums.binMost()[bin], reward);
  }

  private void add(
      int first, int end, int n, double[] products, double[] gram, double[] belowOffset) {
    int base = first * d;
    for (int i = 0; i < products.length; i++) {
      sums.rewardFeatures()[base + i] += products[i];
    }
    double[] influences = inverse == null ? products : residuals(first, end, products, gram);
    for (int k = first; k < end; k++) {
      // A unit that pays less than the offset more often than all of them do moves it down.
      double moved =
          (CanonicalReward.OFFSET_QUANTILE * n - belowOffset[k - first])
              * plan.slopes()[k]
              / plan.scales()[k];
      add(k, n, influences, (k - first) * d, moved);
    }
  }

  private void add(int k, int n, double[] influences, int from, double moved) {
    int base = k * d;
    double projection = 0;
    for (int j = 0; j < d; j++) {
      influences[from + j] -= moved * shift[j];
      projection += influences[from + j] * plan.directions()[base + j];
    }
    for (int j = 0; j < d; j++) {
      double influence = influences[from + j];
      sums.influences()[base + j] += influence;
      sums.squares()[base + j] += influence * influence;
      sums.sizedInfluences()[base + j] += n * influence;
      sums.projected()[base + j] += projection * influence;
    }
    sums.sizedProjections()[k] += n * projection;
    sums.squaredProjections()[k] += projection * projection;
  }

  /** E[φφᵀ]⁺ (Σ yφ − Σ φφᵀ w), reward by reward. */
  private double[] residuals(int first, int end, double[] products, double[] gram) {
    double[] weights = Arrays.copyOfRange(plan.weights(), first * d, end * d);
    try (DoubleMatrix own = DoubleMatrix.of(gram, d)) {
      double[] fitted = own.timesLeft(weights, end - first);
      for (int i = 0; i < fitted.length; i++) {
        fitted[i] = products[i] - fitted[i];
      }
      return inverse.timesLeft(fitted, end - first);
    }
  }

  @Override
  public void close() {
    if (inverse != null) {
      inverse.close();
    }
  }
}
