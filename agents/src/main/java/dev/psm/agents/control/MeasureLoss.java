package dev.psm.agents.control;

import static dev.psm.torch.Tensors.scalar;

import dev.psm.agents.training.LazyMetrics;
import org.bytedeco.pytorch.Tensor;

/**
 * Equation 7 for a factored measure M = ΨΦᵀ, over all pairs of a batch, and the features'
 * orthonormality:
 *
 * <p>Σ_p [½ E_{i≠j}(ψ_p,iᵀφ_j − γψ̄_iᵀφ̄_j)² − E ψ_p,iᵀφ_i] + c (½ E_{i≠j}(φ_iᵀφ_j)² − E φ_iᵀφ_i)
 *
 * <p>The B × B matrix is never formed: a sum of squares over pairs is a trace of d × d products,
 * and the diagonal that the loss leaves out is B dot products. Exact; B/d times cheaper than the
 * plain form. Pairs are masked by index, never by equality of states: two rows with equal states
 * are independent samples.
 *
 * @param psi seeds × members × batch × d
 * @param phi features of the entered states: seeds × batch × d
 * @param bootstrap γψ̄, the discount included: seeds × 1 × batch × d
 * @param targetPhi φ̄: seeds × batch × d
 * @param orthonormality its weight c
 */
public record MeasureLoss(
    Tensor psi,
    Tensor phi,
    Tensor bootstrap,
    Tensor targetPhi,
    double orthonormality,
    StepMath math) {

  /** Of the loss by ψ and by φ. */
  public record Gradients(Tensor psi, Tensor phi) {}

  /**
   * Products of rows by d × d matrices: ΨΦᵀΦ, Ψ̄Φ̄ᵀΦ, Φ(ΨᵀΨ + 2cΦᵀΦ) and Φ̄Ψ̄ᵀΨ, over all members.
   */
  record Products(Tensor psi, Tensor psiBootstrapped, Tensor phi, Tensor phiBootstrapped) {}

  /**
   * Ψ's is (ΨΦᵀ − Ψ̄Φ̄ᵀ)Φ / (B(B − 1)) without the diagonal, less Φ/B, and nothing of it is B × B
   * either.
   */
  public Gradients gradients() {
    Tensor next = bootstrap.squeeze(1);
    Tensor rows = psi.view(psi.size(0), -1, psi.size(3));
    Tensor phiGram = gram(phi, phi);
    Products products =
        new Products(
            rows.bmm(phiGram),
            next.bmm(gram(targetPhi, phi)),
            phi.bmm(gram(rows, rows).add_(phiGram, scalar(2 * orthonormality))),
            targetPhi.bmm(gram(next, psi.sum(1))));
    return math.measureGradients(products, this, perPair(phi));
  }

  /** The measure's part, summed over members, and the orthonormality without its weight. */
  void log(LazyMetrics metrics, String name) {
    log(metrics, name, "orthonormality");
  }

  public void log(LazyMetrics metrics, String name, String orthonormalityName) {
    metrics.add(
        name,
        () -> contrastive(psi, phi.unsqueeze(1), bootstrap, targetPhi.unsqueeze(1)).sum(1),
        psi,
        phi,
        bootstrap,
        targetPhi);
    metrics.add(orthonormalityName, () -> orthonormality(phi), phi);
  }

  /**
   * The same where both sides have the same, fixed features: the residual is (ψ − γψ̄)φᵀ, so
   * nothing cancels.
   */
  record InFixedBasis(Tensor psi, Tensor bootstrap, Tensor phi, StepMath math) {

    /** By ψ. */
    Tensor gradient() {
      Tensor residual = psi.sub(bootstrap);
      Tensor rows = residual.view(psi.size(0), -1, psi.size(3));
      Tensor product = rows.bmm(gram(phi, phi)).view_as(psi);
      return math.fixedBasisGradient(product, residual, phi, perPair(phi));
    }

    void log(LazyMetrics metrics, String name) {
      metrics.add(
          name, () -> contrastive(psi, bootstrap, phi.unsqueeze(1)).sum(1), psi, bootstrap, phi);
    }
  }

  /**
   * ½ E_{i≠j}[(ψ_iᵀφ_j − ψ̄_iᵀφ̄_j)²] − E[ψ_iᵀφ_i], the sampled Bellman equation of a measure of
   * mass 1/(1 − γ). Leading axes are free and stay in the result.
   */
  static Tensor contrastive(Tensor psi, Tensor phi, Tensor bootstrap, Tensor targetPhi) {
    Tensor all =
        inner(gram(psi, psi), gram(phi, phi))
            .sub(inner(gram(psi, bootstrap), gram(phi, targetPhi)).mul(scalar(2)))
            .add(inner(gram(bootstrap, bootstrap), gram(targetPhi, targetPhi)));
    Tensor diagonal = dot(psi, phi);
    return combine(all, diagonal.sub(dot(bootstrap, targetPhi)), diagonal);
  }

  /** The same with φ̄ = φ. */
  static Tensor contrastive(Tensor psi, Tensor bootstrap, Tensor phi) {
    Tensor residual = psi.sub(bootstrap);
    Tensor all = inner(gram(residual, residual), gram(phi, phi));
    return combine(all, dot(residual, phi), dot(psi, phi));
  }

  /** ½ E_{i≠j}[(φ_iᵀφ_j)²] − E[φ_iᵀφ_i], which is smallest where E[φφᵀ] = I. */
  public static Tensor orthonormality(Tensor phi) {
    Tensor gram = gram(phi, phi);
    Tensor diagonal = dot(phi, phi);
    return combine(inner(gram, gram), diagonal, diagonal);
  }

  /** By φ: seeds × batch × d. */
  public static Tensor orthonormalityGradient(Tensor phi) {
    double c = perPair(phi);
    Tensor own = dot(phi, phi).mul_(scalar(c)).add_(scalar(1.0 / phi.size(1))).unsqueeze(-1);
    return phi.bmm(gram(phi, phi)).mul_(scalar(2 * c)).addcmul_(own, phi, scalar(-2));
  }

  private static double perPair(Tensor phi) {
    double batch = phi.size(1);
    return 1 / (batch * (batch - 1));
  }

  private static Tensor combine(Tensor all, Tensor residualDiagonal, Tensor diagonal) {
    double batch = diagonal.size(-1);
    return all.sub(residualDiagonal.square().sum(-1))
        .mul(scalar(0.5 / (batch * (batch - 1))))
        .sub(diagonal.mean(-1));
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
