package dev.psm.agents.discrete;

import static dev.psm.torch.Tensors.scalar;

import dev.psm.agents.Losses;
import dev.psm.agents.control.MeasureLoss;
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
record PairedMeasureLoss(Tensor psi, Tensor phi, Tensor target, double orthonormality) {

  /**
   * @param next ψ̄: seeds × members × batch × d
   * @param targetPhi φ̄: seeds × batch × d
   * @param discounts γ and the data's own: seeds × batch × 1
   */
  static Tensor target(Tensor next, Tensor targetPhi, Tensor discounts) {
    return measures(next, targetPhi).amin(new long[] {1}, true).mul_(discounts.unsqueeze(1));
  }

  /** Those of the sum over members, by ψ and by φ. */
  MeasureLoss.Gradients gradients() {
    double batch = phi.size(1);
    Tensor residual = measures(psi, phi).sub_(target).mul_(scalar(1 / (batch * (batch - 1))));
    residual.diagonal(0, -2, -1).fill_(scalar(-1 / batch));
    Tensor byPsi = residual.matmul(phi.unsqueeze(1));
    Tensor byPhi = residual.transpose(-2, -1).matmul(psi).sum(1);
    Tensor regular = MeasureLoss.orthonormalityGradient(phi).mul_(scalar(orthonormality));
    return new MeasureLoss.Gradients(byPsi, byPhi.add_(regular));
  }

  /** The measure's part, summed over members, and the orthonormality without its weight. */
  void log(LazyMetrics metrics, String name, String orthonormalityName) {
    metrics.add(name, () -> value().sum(1), psi, phi, target);
    metrics.add(orthonormalityName, () -> MeasureLoss.orthonormality(phi), phi);
  }

  /** The measure's part, of every member: seeds × members. */
  Tensor value() {
    return Losses.contrastive(measures(psi, phi), target, 1);
  }

  /** Of every member, on all pairs: seeds × members × batch × batch. */
  private static Tensor measures(Tensor psi, Tensor phi) {
    return psi.matmul(phi.unsqueeze(1).transpose(-2, -1));
  }
}
