package dev.psm.agents.control;

import static dev.psm.torch.Tensors.scalar;

import dev.psm.agents.training.LazyMetrics;
import org.bytedeco.pytorch.Tensor;

/**
 * {@link MeasureLoss} with the smaller of the members' measures as the target of a pair:
 *
 * <p>Σ_p [½ E_{i≠j}(ψ_p,iᵀφ_j − γ min_k ψ̄_k,iᵀφ̄_j)² − E ψ_p,iᵀφ_i] + c (½ E_{i≠j}(φ_iᵀφ_j)² − E
 * φ_iᵀφ_i)
 *
 * <p>The smaller one of a pair is no product of rows, so the B × B matrices are formed here.
 *
 * @param psi seeds × members × batch × d
 * @param phi features of the entered states: seeds × batch × d
 * @param target γ min_k ψ̄_kφ̄ᵀ of all pairs: seeds × 1 × batch × batch
 * @param orthonormality its weight c
 */
public record PairedMeasureLoss(Tensor psi, Tensor phi, Tensor target, double orthonormality) {

  /**
   * @param next ψ̄: seeds × members × batch × d
   * @param targetPhi φ̄: seeds × batch × d
   * @param discounts γ and the data's own: seeds × batch × 1
   */
  public static Tensor target(Tensor next, Tensor targetPhi, Tensor discounts) {
    Tensor all = next.matmul(targetPhi.unsqueeze(1).transpose(-2, -1));
    return all.amin(new long[] {1}, true).mul_(discounts.unsqueeze(1));
  }

  public MeasureLoss.Gradients gradients() {
    double batch = phi.size(1);
    Tensor residual = residual().mul_(scalar(1 / (batch * (batch - 1))));
    residual.diagonal(0, -2, -1).fill_(scalar(-1 / batch));
    Tensor byPsi = residual.matmul(phi.unsqueeze(1));
    Tensor byPhi = residual.transpose(-2, -1).matmul(psi).sum(1);
    Tensor regular = MeasureLoss.orthonormalityGradient(phi).mul_(scalar(orthonormality));
    return new MeasureLoss.Gradients(byPsi, byPhi.add_(regular));
  }

  public void log(LazyMetrics metrics, String name, String orthonormalityName) {
    metrics.add(name, () -> value().sum(1), psi, phi, target);
    metrics.add(orthonormalityName, () -> MeasureLoss.orthonormality(phi), phi);
  }

  /** The measure's part, of every member: seeds × members. */
  Tensor value() {
    double batch = phi.size(1);
    Tensor squares = residual().square_();
    squares.diagonal(0, -2, -1).zero_();
    Tensor diagonal = psi.mul(phi.unsqueeze(1)).sum(-1).mean(-1);
    return squares.sum(-2, -1).mul(scalar(0.5 / (batch * (batch - 1)))).sub(diagonal);
  }

  /** ΨΦᵀ less its target: seeds × members × batch × batch. */
  private Tensor residual() {
    return psi.matmul(phi.unsqueeze(1).transpose(-2, -1)).sub_(target);
  }
}
