package dev.psm.lab.infer;

import dev.psm.core.reward.CanonicalReward;

/**
 * The 0.4 quantile of a reward over all the data, from how many states pay less than two bounds
 * about it and how much those between them pay. Where many states pay the same the bins hold it
 * exactly; else it lies between the smallest and the largest reward of its bin.
 *
 * @param value of the offset
 * @param error at most; NaN where the pilot's bounds miss the quantile, and nothing bounds it
 */
record Offsets(double value, double error) {

  static Offsets of(int reward, Plan plan, RewardSums sums) {
    if (plan.whole()) {
      return new Offsets(plan.offsets()[reward], 0);
    }
    double low = plan.low()[reward];
    double place =
        CanonicalReward.OFFSET_QUANTILE * (sums.counts()[RewardSums.STATES] - 1)
            - sums.below()[reward];
    int base = reward * sums.bins();
    double before = 0;
    double lastMost = low;
    for (int bin = base; bin < base + sums.bins() && place >= 0; bin++) {
      long count = sums.between()[bin];
      if (count == 0) {
        continue;
      }
      double least = sums.binLeast()[bin];
      double most = sums.binMost()[bin];
      if (place < before) {
        // Between the last of one bin and the first of the next.
        double share = place - (before - 1);
        return new Offsets(lastMost + share * (least - lastMost), 0);
      }
      if (place <= before + count - 1) {
        double share = count == 1 ? 0 : (place - before) / (count - 1);
        return new Offsets(least + share * (most - least), count <= 2 ? 0 : most - least);
      }
      before += count;
      lastMost = most;
    }
    // The sample was off by more than it ever should: its own quantile, as far as that is known.
    return new Offsets(plan.offsets()[reward], Double.NaN);
  }
}
