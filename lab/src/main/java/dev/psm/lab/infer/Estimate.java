package dev.psm.lab.infer;

import dev.psm.agents.TaskRule;
import dev.psm.core.reward.CanonicalReward;
import dev.psm.core.reward.Task;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** From the sums over all the data to task vectors and their standard errors. */
final class Estimate {
  private final RewardList rewards;
  private final Plan plan;
  private final RewardSums sums;
  private final int d;
  private final double states;

  private Estimate(RewardList rewards, Plan plan, RewardSums sums) {
    this.rewards = rewards;
    this.plan = plan;
    this.sums = sums;
    this.d = plan.featureDimension();
    this.states = sums.counts()[RewardSums.STATES];
  }

  static List<InferredTask> of(RewardList rewards, Plan plan, RewardSums sums, TaskRule rule) {
    return new Estimate(rewards, plan, sums).tasks(rule);
  }

  private List<InferredTask> tasks(TaskRule rule) {
    int k = rewards.size();
    Offsets[] offsets = new Offsets[k];
    double[] scales = new double[k];
    double[] means = new double[k * d];
    for (int reward = 0; reward < k; reward++) {
      offsets[reward] = Offsets.of(reward, plan, sums);
      scales[reward] = scale(reward, offsets[reward].value());
      if (scales[reward] > 0) {
        mean(reward, offsets[reward].value(), scales[reward], means);
      }
    }
    double[] covariance = Arrays.stream(sums.products()).map(sum -> sum / states).toArray();
    float[] vectors = rule.ofMeans(means, covariance, d);
    double[] weights = rule.needsCovariance() ? weights(means, covariance) : means;
    List<InferredTask> tasks = new ArrayList<>();
    for (int reward = 0; reward < k; reward++) {
      Task task = rewards.task(reward);
      float[] vector = Arrays.copyOfRange(vectors, reward * d, (reward + 1) * d);
      float[] errors = errors(reward, scales[reward], weights);
      tasks.add(
          new InferredTask(
              task.name(),
              task.formula(),
              vector,
              errors,
              length(errors) / Math.sqrt(d),
              plan.offsets()[reward] + plan.scales()[reward] * sums.rewards()[reward] / states,
              offsets[reward].value(),
              offsets[reward].error(),
              scales[reward]));
    }
    return tasks;
  }

  /** As {@link CanonicalReward} has it: differences that are rounding are none. */
  private double scale(int reward, double offset) {
    double least = sums.least()[reward];
    double most = sums.most()[reward];
    double spread = Math.max(most - offset, offset - least);
    double largest = Math.max(Math.abs(least), Math.abs(most));
    return spread <= CanonicalReward.ROUNDING * largest ? 0 : spread;
  }

  /** E[rφ] of the canonical reward: the pilot's offset and scale are exchanged for the data's. */
  private void mean(int reward, double offset, double scale, double[] means) {
    double factor = plan.scales()[reward] / scale;
    double shift = (offset - plan.offsets()[reward]) / scale;
    for (int j = 0; j < d; j++) {
      means[reward * d + j] =
          (factor * sums.rewardFeatures()[reward * d + j] - shift * sums.features()[j]) / states;
    }
  }

  private double[] weights(double[] means, double[] covariance) {
    double[] inverse = TaskRule.inverse(covariance, d);
    double[] weights = new double[means.length];
    for (int reward = 0; reward < rewards.size(); reward++) {
      for (int i = 0; i < d; i++) {
        double sum = 0;
        for (int j = 0; j < d; j++) {
          sum += inverse[i * d + j] * means[reward * d + j];
        }
        weights[reward * d + i] = sum;
      }
    }
    return weights;
  }

  /**
   * With V the variance of the weights w between units, that of z = √d w / |w| is d / |w|² (1 −
   * ẑẑᵀ) V (1 − ẑẑᵀ).
   */
  private float[] errors(int reward, double scale, double[] weights) {
    float[] errors = new float[d];
    double units = sums.counts()[RewardSums.UNITS];
    if (scale == 0) {
      return errors;
    }
    if (units < 2) {
      Arrays.fill(errors, Float.NaN);
      return errors;
    }
    int base = reward * d;
    double squaredSizes = sums.counts()[RewardSums.SQUARED_SIZES];
    double correction = units / (units - 1) / (states * states);
    double norm = 0;
    double along = 0;
    for (int j = 0; j < d; j++) {
      norm += weights[base + j] * weights[base + j];
      along += sums.influences()[base + j] / states * plan.directions()[base + j];
    }
    // Weights are of the data's scale, influences of the pilot's.
    double factor = plan.scales()[reward] / scale;
    double common = correction * d * factor * factor / norm;
    double whole =
        sums.squaredProjections()[reward]
            - 2 * along * sums.sizedProjections()[reward]
            + along * along * squaredSizes;
    for (int j = 0; j < d; j++) {
      double mean = sums.influences()[base + j] / states;
      double direction = plan.directions()[base + j];
      double own =
          sums.squares()[base + j]
              - 2 * mean * sums.sizedInfluences()[base + j]
              + mean * mean * squaredSizes;
      double shared =
          sums.projected()[base + j]
              - mean * sums.sizedProjections()[reward]
              - along * sums.sizedInfluences()[base + j]
              + mean * along * squaredSizes;
      double variance = own - 2 * direction * shared + direction * direction * whole;
      errors[j] = (float) Math.sqrt(Math.max(0, common * variance));
    }
    return errors;
  }

  private static double length(float[] values) {
    double sum = 0;
    for (float value : values) {
      sum += (double) value * value;
    }
    return Math.sqrt(sum);
  }
}
