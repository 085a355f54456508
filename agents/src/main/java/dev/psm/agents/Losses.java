package dev.psm.agents;

import static dev.psm.torch.Tensors.scalar;

import org.bytedeco.pytorch.Tensor;

/**
 * The two losses that agents share. Both mask by index: rows with equal states are independent
 * samples.
 */
public final class Losses {
  private Losses() {}

  /**
   * ½ E_{i≠j}[(M − γM̄)²] − weight · E[M_ii], the sampled form of a measure's Bellman equation.
   *
   * @param m … × rows × columns, column j belonging to the next state of row j; leading axes are
   *     free and stay in the result
   * @param bootstrap γM̄, without gradient
   * @param diagonalWeight 1 − γ for measures of mass one, 1 for mass 1/(1 − γ)
   */
  public static Tensor contrastive(Tensor m, Tensor bootstrap, double diagonalWeight) {
    return offDiagonalMean(m.sub(bootstrap).square())
        .mul(scalar(0.5))
        .sub(diagonal(m).mean(-1).mul(scalar(diagonalWeight)));
  }

  /** E_{i≠j}[(φ_iᵀφ_j)²] − 2 E[φ_iᵀφ_i], which is smallest where E[φφᵀ] = I. */
  public static Tensor orthonormality(Tensor phi) {
    Tensor gram = phi.matmul(phi.t());
    return offDiagonalMean(gram.square()).sub(diagonal(gram).mean(-1).mul(scalar(2)));
  }

  private static Tensor offDiagonalMean(Tensor square) {
    double batch = square.size(-1);
    return square.sum(-2, -1).sub(diagonal(square).sum(-1)).div(scalar(batch * (batch - 1)));
  }

  private static Tensor diagonal(Tensor matrices) {
    return matrices.diagonal(0, -2, -1).contiguous();
  }
}
