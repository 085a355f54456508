package dev.psm.agents;

import dev.psm.core.reward.CanonicalReward;
import dev.psm.torch.Tensors;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * How a reward becomes a task vector z on the √d sphere. Both rules need of the data no more than
 * averages over its states, so a task vector is the same whether they come from a sample that is
 * held in memory or from a pass over any number of states.
 */
public enum TaskRule {
  /** z ∝ E[rφ], where features are orthonormal. */
  CORRELATION,

  /** z ∝ E[φφᵀ]⁺ E[rφ]: the reward's least-squares fit in the features. */
  LEAST_SQUARES;

  /** Directions of the features that vary less than this share of the largest do not count. */
  private static final double SMALLEST = 1e-6;

  /** Whether it needs E[φφᵀ]. */
  public boolean needsCovariance() {
    return this == LEAST_SQUARES;
  }

  /**
   * The task vector of a reward that is known on a sample of states: the same for all rewards of
   * one {@link CanonicalReward}, zero for a constant one.
   *
   * @param phi features of the sample: count × d
   * @param rewards one per state
   */
  public float[] ofReward(float[] phi, double[] rewards) {
    try (PointerScope scope = new PointerScope();
        NoGradGuard noGradient = new NoGradGuard()) {
      Tensor sample = doubles(phi, phi.length / rewards.length);
      Tensor r = Tensors.doubles(CanonicalReward.of(rewards).values(), -1, 1);
      Tensor mean = sample.t().matmul(r).div(Tensors.scalar(rewards.length));
      return onSphere(this == LEAST_SQUARES ? inverse(covariance(sample)).matmul(mean) : mean);
    }
  }

  /**
   * The task vectors of rewards that are known by averages over states.
   *
   * @param means E[rφ] of canonical rewards: rewards × d
   * @param covariance E[φφᵀ]: d × d; only read where it is {@linkplain #needsCovariance needed}
   * @return rewards × d
   */
  public float[] ofMeans(double[] means, double[] covariance, int d) {
    try (PointerScope scope = new PointerScope();
        NoGradGuard noGradient = new NoGradGuard()) {
      Tensor columns = Tensors.doubles(means, -1, d).t();
      return onSphere(
          this == LEAST_SQUARES
              ? inverse(Tensors.doubles(covariance, d, d)).matmul(columns)
              : columns);
    }
  }

  /** E[φφᵀ]⁺: what turns E[rφ] into weights of the features; d × d. */
  public static double[] inverse(double[] covariance, int d) {
    try (PointerScope scope = new PointerScope();
        NoGradGuard noGradient = new NoGradGuard()) {
      return Tensors.toDoubles(inverse(Tensors.doubles(covariance, d, d)));
    }
  }

  /**
   * Those of reaching states.
   *
   * @param phi features of a sample: count × d
   * @param goals features of the states: goals × d
   */
  public float[] ofGoals(float[] phi, float[] goals, int d) {
    try (PointerScope scope = new PointerScope();
        NoGradGuard noGradient = new NoGradGuard()) {
      Tensor aim = doubles(goals, d).t();
      return onSphere(
          this == LEAST_SQUARES ? inverse(covariance(doubles(phi, d))).matmul(aim) : aim);
    }
  }

  private static Tensor covariance(Tensor sample) {
    return sample.t().matmul(sample).div(Tensors.scalar((double) sample.size(0)));
  }

  private static Tensor inverse(Tensor covariance) {
    return Tensors.pseudoInverse(covariance, SMALLEST);
  }

  private static Tensor doubles(float[] phi, int d) {
    return Tensors.floats(phi, -1, d).to(torch.ScalarType.Double);
  }

  /** A vector of zeros, which a constant reward gives, has no direction and stays zero. */
  private static float[] onSphere(Tensor columns) {
    return Tensors.toFloats(Tensors.onSphere(columns.t()).to(torch.ScalarType.Float));
  }
}
