package dev.psm.lab.infer;

import dev.psm.agents.TaskRule;
import dev.psm.core.data.Dataset;
import dev.psm.core.reward.CanonicalReward;
import dev.psm.torch.ComputeThreads;
import dev.psm.torch.DoubleMatrix;
import dev.psm.zeroshot.ZeroShotAgent;

/**
 * Looks at a sample of the data's states before the pass, the same one wherever the pass is made:
 * where a reward cannot be paid it is refused within seconds, and what only all the data tells
 * exactly is known well enough to sum about it.
 */
final class Pilot {
  /** Standard deviations of a share that the offset of all the data stays within. */
  private static final double MARGIN = 5;

  /** Over so many of them the quantile's slope is taken. */
  private static final double SLOPE_MARGIN = 2;

  /** Their products with features are worth a call of libtorch's; the last thread ends early. */
  private static final int REWARDS_AT_ONCE = 32;

  private final int d;
  private final RewardList rewards;
  private final PilotSample sample;
  private final Plan plan;

  private Pilot(PilotSample sample, int d, TaskRule rule, RewardList rewards) {
    this.d = d;
    this.rewards = rewards;
    this.sample = sample;
    int k = rewards.size();
    this.plan =
        new Plan(
            new double[k],
            new double[k],
            new double[k],
            new double[k],
            new double[k],
            new double[k * d],
            new double[k * d],
            sample.meanFeatures(),
            rule.needsCovariance() ? TaskRule.inverse(sample.covariance(), d) : new double[0],
            sample.whole());
  }

  /**
   * @param size states of the sample; a dataset that has no more is looked at whole
   * @param threads to compute on; how many does not show in the plan
   */
  static Plan plan(
      Dataset dataset,
      int size,
      ZeroShotAgent agent,
      TaskRule rule,
      RewardList rewards,
      int threads) {
    // What is computed between the pieces, as the inverse, is the same everywhere, too.
    try (ComputeThreads one = new ComputeThreads(1);
        PilotSample sample =
            PilotSample.read(
                dataset, agent, rewards.quantities(agent.environment()), size, threads)) {
      Pilot pilot = new Pilot(sample, agent.model().featureDimension(), rule, rewards);
      int groups = (rewards.size() + REWARDS_AT_ONCE - 1) / REWARDS_AT_ONCE;
      Pieces.compute(
          threads,
          groups,
          group -> {
            int first = group * REWARDS_AT_ONCE;
            pilot.look(first, Math.min(rewards.size(), first + REWARDS_AT_ONCE));
            return group;
          });
      return pilot.plan;
    }
  }

  /** Each reward has its own places in the plan. */
  private void look(int first, int end) {
    double[][] canonical = new double[end - first][];
    for (int k = first; k < end; k++) {
      canonical[k - first] = measure(k);
    }
    double[] means = sample.meanProducts(canonical);
    double[] fitted = means;
    if (plan.isLeastSquares()) {
      try (DoubleMatrix matrix = DoubleMatrix.of(plan.inverse(), d)) {
        fitted = matrix.timesLeft(means, end - first);
      }
      System.arraycopy(fitted, 0, plan.weights(), first * d, fitted.length);
    }
    for (int k = first; k < end; k++) {
      double norm = 0;
      for (int j = 0; j < d; j++) {
        norm += fitted[(k - first) * d + j] * fitted[(k - first) * d + j];
      }
      norm = Math.sqrt(norm);
      for (int j = 0; j < d; j++) {
        plan.directions()[k * d + j] = norm == 0 ? 0 : fitted[(k - first) * d + j] / norm;
      }
    }
  }

  /** What it pays less its offset, over its scale, in every state. */
  private double[] measure(int k) {
    double[] paid = sample.pay(rewards, k);
    double share = CanonicalReward.OFFSET_QUANTILE;
    double deviation = Math.sqrt(share * (1 - share) / paid.length);
    double[] placed = placed(paid, share - MARGIN * deviation, share + MARGIN * deviation);
    double offset = CanonicalReward.quantile(placed, share);
    double above = CanonicalReward.quantile(placed, share + SLOPE_MARGIN * deviation);
    double below = CanonicalReward.quantile(placed, share - SLOPE_MARGIN * deviation);
    double scale = 0;
    double largest = 0;
    for (double reward : paid) {
      scale = Math.max(scale, Math.abs(reward - offset));
      largest = Math.max(largest, Math.abs(reward));
    }
    // As an estimate has it: differences that are rounding are none.
    boolean constant = scale <= CanonicalReward.ROUNDING * largest;
    plan.offsets()[k] = offset;
    plan.slopes()[k] = constant ? 0 : (above - below) / (2 * SLOPE_MARGIN * deviation);
    // What states pay is multiplied by the inverse, which must be finite.
    plan.scales()[k] = Math.max(Double.MIN_NORMAL, constant ? largest > 0 ? largest : 1 : scale);
    double margin = sample.whole() ? 0 : MARGIN * deviation;
    plan.low()[k] = CanonicalReward.quantile(placed, share - margin);
    plan.high()[k] = CanonicalReward.quantile(placed, share + margin);
    for (int i = 0; i < paid.length; i++) {
      paid[i] = constant ? 0 : (paid[i] - offset) / plan.scales()[k];
    }
    return paid;
  }

  /** A copy that is sorted between two shares of it. */
  private static double[] placed(double[] values, double low, double high) {
    double[] copy = values.clone();
    int last = copy.length - 1;
    int from = (int) Math.max(0, Math.floor(low * last));
    int to = (int) Math.min(last, Math.ceil(high * last) + 1);
    OrderStatistics.place(copy, from, to);
    return copy;
  }
}
