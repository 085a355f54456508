package dev.psm.agents.control;

import static dev.psm.torch.Tensors.scalar;

import org.bytedeco.pytorch.Tensor;

/**
 * The losses of a factored measure M = ΨΦᵀ over all pairs of a batch, without ever forming the B ×
 * B matrix: a sum of squares over pairs is a trace of d × d products, and the diagonal that the
 * loss leaves out is B dot products. Exact; B/d times cheaper than the plain form.
 *
 * <p>Pairs are masked by index, never by equality of states: two rows with equal states are
 * independent samples.
 *
 * <p>Leading axes are free (seeds, members) and stay in the result.
 */
final class MeasureLosses {
  private MeasureLosses() {}

  /**
   * ½ E_{i≠j}[(ψ_iᵀφ_j − ψ̄_iᵀφ̄_j)²] − E[ψ_iᵀφ_i], the sampled Bellman equation of a measure of
   * mass 1/(1 − γ).
   *
   * @param psi … × batch × d
   * @param phi features of the entered states: … × batch × d
   * @param bootstrap γψ̄, the discount included, without gradient
   * @param targetPhi φ̄, without gradient
   */
  static Tensor contrastive(Tensor psi, Tensor phi, Tensor bootstrap, Tensor targetPhi) {
    Tensor all =
        inner(gram(psi, psi), gram(phi, phi))
            .sub(inner(gram(psi, bootstrap), gram(phi, targetPhi)).mul(scalar(2)))
            .add(inner(gram(bootstrap, bootstrap), gram(targetPhi, targetPhi)));
    Tensor diagonal = dot(psi, phi);
    return combine(all, diagonal.sub(dot(bootstrap, targetPhi)), diagonal);
  }

  /**
   * The same where both sides have the same, fixed features: the residual is (ψ − γψ̄)φᵀ, so
   * nothing cancels.
   */
  static Tensor contrastive(Tensor psi, Tensor bootstrap, Tensor phi) {
    Tensor residual = psi.sub(bootstrap);
    Tensor all = inner(gram(residual, residual), gram(phi, phi));
    return combine(all, dot(residual, phi), dot(psi, phi));
  }

  private static Tensor combine(Tensor all, Tensor residualDiagonal, Tensor diagonal) {
    double batch = diagonal.size(-1);
    return all.sub(residualDiagonal.square().sum(-1))
        .mul(scalar(0.5 / (batch * (batch - 1))))
        .sub(diagonal.mean(-1));
  }

  /** ½ E_{i≠j}[(φ_iᵀφ_j)²] − E[φ_iᵀφ_i], which is smallest where E[φφᵀ] = I. */
  static Tensor orthonormality(Tensor phi) {
    Tensor gram = gram(phi, phi);
    Tensor diagonal = dot(phi, phi);
    return combine(inner(gram, gram), diagonal, diagonal);
  }

  static Tensor orthonormalityGradient(Tensor phi) {
    double batch = phi.size(1);
    double pairs = 1 / (batch * (batch - 1));
    Tensor own = dot(phi, phi).mul_(scalar(pairs)).add_(scalar(1 / batch)).unsqueeze(-1);
    return phi.bmm(gram(phi, phi)).mul_(scalar(2 * pairs)).addcmul_(own, phi, scalar(-2));
  }

  /** The gradients of the losses of a measure and its features, each seed's summed over members. */
  record Gradients(Tensor psi, Tensor phi) {}

  /**
   * The gradients of {@link #contrastive(Tensor, Tensor, Tensor, Tensor)}, summed over members, and
   * of a weighted {@link #orthonormality}, written down: Ψ's is 2c(ΨΦᵀ − Ψ̄Φ̄ᵀ)Φ without the
   * diagonal, less Φ/B, for c = ½/(B(B − 1)), and nothing of it is B × B either.
   *
   * @param psi seeds × members × batch × d
   * @param phi seeds × batch × d
   * @param bootstrap γψ̄: seeds × 1 × batch × d
   * @param targetPhi φ̄: seeds × batch × d
   */
  static Gradients gradients(
      Tensor psi, Tensor phi, Tensor bootstrap, Tensor targetPhi, double orthonormality) {
    double batch = phi.size(1);
    double pairs = 1 / (batch * (batch - 1));
    Tensor target = bootstrap.squeeze(1);
    Tensor rows = psi.view(psi.size(0), -1, psi.size(3));
    Tensor phiGram = gram(phi, phi);
    Tensor psiProduct = rows.bmm(phiGram);
    Tensor psiBootstrapped = target.bmm(gram(targetPhi, phi));
    Tensor phiProduct = phi.bmm(gram(rows, rows).add_(phiGram, scalar(2 * orthonormality)));
    Tensor phiBootstrapped = targetPhi.bmm(gram(target, psi.sum(1)));
    if (psi.is_cuda()) {
      return CudaSteps.gradients(
          psiProduct,
          psiBootstrapped,
          phiProduct,
          phiBootstrapped,
          psi,
          phi,
          target,
          targetPhi,
          pairs,
          orthonormality);
    }

    Tensor features = phi.unsqueeze(1);
    Tensor diagonal = dot(psi, features).sub_(dot(target, targetPhi).unsqueeze(1));
    Tensor own = diagonal.mul_(scalar(pairs)).add_(scalar(1 / batch)).unsqueeze(-1);
    Tensor psiGradient =
        psiProduct
            .view_as(psi)
            .sub_(psiBootstrapped.unsqueeze(1))
            .mul_(scalar(pairs))
            .addcmul_(own, features, scalar(-1));
    Tensor ownLength = dot(phi, phi).unsqueeze(-1).mul_(scalar(pairs)).add_(scalar(1 / batch));
    Tensor phiGradient =
        phiProduct
            .sub_(phiBootstrapped)
            .mul_(scalar(pairs))
            .sub_(own.mul(psi).sum(1))
            .addcmul_(ownLength, phi, scalar(-2 * orthonormality));
    return new Gradients(psiGradient, phiGradient);
  }

  /**
   * The gradient of {@link #contrastive(Tensor, Tensor, Tensor)} by ψ.
   *
   * @param psi seeds × members × batch × d
   * @param bootstrap γψ̄: seeds × 1 × batch × d
   * @param phi seeds × batch × d
   */
  static Tensor gradient(Tensor psi, Tensor bootstrap, Tensor phi) {
    double batch = phi.size(1);
    double pairs = 1 / (batch * (batch - 1));
    Tensor residual = psi.sub(bootstrap);
    Tensor product = residual.view(psi.size(0), -1, psi.size(3)).bmm(gram(phi, phi)).view_as(psi);
    if (psi.is_cuda()) {
      return CudaSteps.fixedGradient(product, residual, phi, pairs);
    }
    Tensor features = phi.unsqueeze(1);
    Tensor own = dot(residual, features).mul_(scalar(pairs)).add_(scalar(1 / batch)).unsqueeze(-1);
    return product.mul_(scalar(pairs)).addcmul_(own, features, scalar(-1));
  }

  /** aᵀb: … × d × d. */
  private static Tensor gram(Tensor a, Tensor b) {
    return a.transpose(-2, -1).matmul(b);
  }

  /** tr(aᵀb) of square matrices. */
  private static Tensor inner(Tensor a, Tensor b) {
    return a.mul(b).sum(-2, -1);
  }

  /** Row by row: … × batch. */
  private static Tensor dot(Tensor a, Tensor b) {
    return a.mul(b).sum(-1);
  }
}
