package dev.psm.agents.control;

import dev.psm.core.reward.CanonicalReward;
import dev.psm.torch.Tensors;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * Task vectors z on the √d sphere: E[rφ] where features are orthonormal, else the least-squares fit
 * of the reward in them.
 */
public final class TaskVectors {
  private TaskVectors() {}

  /**
   * The task vector of a reward that is known on a sample of states: the same for all rewards of
   * one {@link CanonicalReward}, zero for a constant one.
   *
   * @param phi features of the sample: count × d
   * @param rewards one per state
   */
  public static float[] ofReward(float[] phi, double[] rewards, boolean leastSquares) {
    try (PointerScope scope = new PointerScope();
        NoGradGuard noGradient = new NoGradGuard()) {
      Tensor sample = doubles(phi, phi.length / rewards.length);
      Tensor r = Tensors.doubles(CanonicalReward.of(rewards).values(), -1, 1);
      Tensor mean = sample.t().matmul(r).div(Tensors.scalar(rewards.length));
      return onSphere(leastSquares ? unmixed(sample, mean) : mean);
    }
  }

  /**
   * Those of reaching states.
   *
   * @param phi features of a sample: count × d
   * @param goals features of the states: goals × d
   */
  public static float[] ofGoals(float[] phi, float[] goals, int d, boolean leastSquares) {
    try (PointerScope scope = new PointerScope();
        NoGradGuard noGradient = new NoGradGuard()) {
      Tensor aim = doubles(goals, d).t();
      return onSphere(leastSquares ? unmixed(doubles(phi, d), aim) : aim);
    }
  }

  /** E[φφᵀ]⁺ x: from correlations with the features to the weights that cause them. */
  private static Tensor unmixed(Tensor sample, Tensor x) {
    Tensor covariance = sample.t().matmul(sample).div(Tensors.scalar((double) sample.size(0)));
    return Tensors.pseudoInverse(covariance, 1e-6).matmul(x);
  }

  private static Tensor doubles(float[] phi, int d) {
    return Tensors.floats(phi, -1, d).to(torch.ScalarType.Double);
  }

  /** A vector of zeros, which a constant reward gives, has no direction and stays zero. */
  private static float[] onSphere(Tensor vector) {
    return Tensors.toFloats(Tensors.onSphere(vector.t()).to(torch.ScalarType.Float));
  }
}
