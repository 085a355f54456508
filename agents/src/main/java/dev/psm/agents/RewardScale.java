package dev.psm.agents;

/**
 * Rewards brought to a largest size of one before they meet float32, where 1e39 is infinite and
 * 1e-46 is zero. Scaling a reward scales its values and leaves its policies alone.
 */
public final class RewardScale {
  private RewardScale() {}

  /** The largest absolute value; 1 for a reward that is zero everywhere. */
  public static double of(double[] reward) {
    double largest = 0;
    for (double value : reward) {
      largest = Math.max(largest, Math.abs(value));
    }
    return largest == 0 ? 1 : largest;
  }

  /** Every reward divided by its scale. */
  public static double[][] normalised(double[][] rewards) {
    double[][] normalised = new double[rewards.length][];
    for (int i = 0; i < rewards.length; i++) {
      double scale = of(rewards[i]);
      normalised[i] = rewards[i].clone();
      for (int state = 0; state < normalised[i].length; state++) {
        normalised[i][state] /= scale;
      }
    }
    return normalised;
  }
}
