package dev.psm.lab.infer;

import dev.psm.agents.Model;
import dev.psm.agents.TaskRule;
import dev.psm.core.Seeds;
import dev.psm.core.UserError;
import dev.psm.core.data.Dataset;
import dev.psm.core.env.World;
import dev.psm.core.reward.CanonicalReward;
import dev.psm.torch.DoubleMatrix;
import dev.psm.zeroshot.ZeroShotAgent;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

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

  private static final int REWARDS_AT_ONCE = 64;

  private final TaskRule rule;
  private final int d;
  private final RewardList rewards;
  private final boolean whole;
  private final States states;
  private final DoubleMatrix features;
  private final double[] inverse;
  private final Plan plan;

  private Pilot(
      Dataset dataset,
      int size,
      ZeroShotAgent agent,
      TaskRule rule,
      RewardList rewards,
      int threads) {
    World world = agent.environment();
    Model model = agent.model();
    this.rule = rule;
    this.d = model.featureDimension();
    this.rewards = rewards;
    this.whole = dataset.transitions() <= size;
    long[] rows = rows(dataset, size);
    this.states = States.read(dataset, world, rewards.quantities(world), rows, threads);
    float[] phi = model.features(states.observations());
    try (DoubleMatrix matrix = DoubleMatrix.of(phi, d)) {
      this.features = matrix;
      int n = rows.length;
      double[] covariance = rule.needsCovariance() ? scaled(matrix.gram(), 1.0 / n) : new double[0];
      this.inverse = rule.needsCovariance() ? TaskRule.inverse(covariance, d) : new double[0];
      double[] ones = new double[n];
      Arrays.fill(ones, 1.0 / n);
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
              matrix.timesLeft(ones, 1),
              inverse,
              whole);
      for (int first = 0; first < k; first += REWARDS_AT_ONCE) {
        look(first, Math.min(k, first + REWARDS_AT_ONCE));
      }
    }
  }

  /**
   * @param size states of the sample; a dataset that has no more is looked at whole
   * @param threads for the physics
   */
  static Plan plan(
      Dataset dataset,
      int size,
      ZeroShotAgent agent,
      TaskRule rule,
      RewardList rewards,
      int threads) {
    return new Pilot(dataset, size, agent, rule, rewards, threads).plan;
  }

  /** All that transitions led to, or a fair sample of them in their order. */
  private static long[] rows(Dataset dataset, int size) {
    if (dataset.transitions() > size) {
      RandomGenerator random = Seeds.generator(Seeds.mix(0, 0, "inference pilot"));
      return IntStream.range(0, size)
          .mapToLong(i -> dataset.drawRow(random) + 1)
          .sorted()
          .toArray();
    }
    long[] rows = new long[(int) dataset.transitions()];
    int next = 0;
    for (int episode = 0; episode < dataset.episodes(); episode++) {
      for (long row = dataset.firstRow(episode) + 1; row <= dataset.lastRow(episode); row++) {
        rows[next++] = row;
      }
    }
    return rows;
  }

  private void look(int first, int end) {
    int n = states.rows().length;
    double[] canonical = new double[(end - first) * n];
    // An exception that leaves a parallel stream by itself may be any of several.
    List<Optional<UserError>> wrong =
        IntStream.range(first, end)
            .parallel()
            .mapToObj(k -> refusal(() -> measure(k, canonical, (k - first) * n)))
            .toList();
    wrong.stream()
        .flatMap(Optional::stream)
        .findFirst()
        .ifPresent(
            error -> {
              throw error;
            });
    double[] means = scaled(features.timesLeft(canonical, end - first), 1.0 / n);
    double[] fitted = means;
    if (rule.needsCovariance()) {
      try (DoubleMatrix matrix = DoubleMatrix.of(inverse, d)) {
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

  private static Optional<UserError> refusal(Runnable work) {
    try {
      work.run();
      return Optional.empty();
    } catch (UserError e) {
      return Optional.of(e);
    }
  }

  private void measure(int k, double[] canonical, int at) {
    int n = states.rows().length;
    double[] paid = new double[n];
    rewards.pay(k, states, 0, n, paid);
    double share = CanonicalReward.OFFSET_QUANTILE;
    double deviation = Math.sqrt(share * (1 - share) / n);
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
    plan.scales()[k] = constant ? largest > 0 ? largest : 1 : scale;
    double margin = whole ? 0 : MARGIN * deviation;
    plan.low()[k] = CanonicalReward.quantile(placed, share - margin);
    plan.high()[k] = CanonicalReward.quantile(placed, share + margin);
    for (int i = 0; i < n; i++) {
      canonical[at + i] = constant ? 0 : (paid[i] - offset) / plan.scales()[k];
    }
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

  private static double[] scaled(double[] values, double factor) {
    for (int i = 0; i < values.length; i++) {
      values[i] *= factor;
    }
    return values;
  }
}
