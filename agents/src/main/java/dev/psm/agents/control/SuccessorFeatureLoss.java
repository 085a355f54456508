package dev.psm.agents.control;

import static dev.psm.torch.Tensors.scalar;

import dev.psm.agents.training.LazyMetrics;
import dev.psm.torch.Handles;
import dev.psm.torch.Tensors;
import org.bytedeco.pytorch.LongOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * The loss of successor features for features learned elsewhere, Laplacian's and HILP's: Σ_p
 * E[(ψ_pᵀz − yᵀz)²], or Σ_p E[(ψ_p − y)²] over all d features.
 *
 * @param psi seeds × members × rows × d
 * @param target y: seeds × 1 × rows × d
 * @param tasks seeds × rows × d
 * @param alongTask which of the two
 */
public record SuccessorFeatureLoss(Tensor psi, Tensor target, Tensor tasks, boolean alongTask) {
  /** Keeps the inverse of a covariance finite, relative to its mean diagonal. */
  private static final double RIDGE = 1e-6;

  /** The gradient by ψ. */
  public Tensor gradient() {
    Tensor error = psi.sub(target);
    if (!alongTask) {
      return error.mul_(scalar(2.0 / (psi.size(2) * psi.size(3))));
    }
    Tensor z = tasks.unsqueeze(1);
    Tensor along = error.mul_(z).sum(-1).mul_(scalar(2.0 / psi.size(2)));
    return along.unsqueeze(-1).mul(z);
  }

  public void log(LazyMetrics metrics) {
    metrics.add("successor_loss", () -> value().sum(1), psi, target, tasks);
  }

  /** Of every member: seeds × members. */
  Tensor value() {
    Tensor error = psi.sub(target);
    return alongTask
        ? error.mul(tasks.unsqueeze(1)).sum(-1).square().mean(-1)
        : error.square().mean(-2, -1);
  }

  /**
   * y = φ(s′) + γψ̄_k, k the member with the smaller ψ̄ᵀz in that row.
   *
   * @param phi seeds × rows × d
   * @param next ψ̄(s′, z, a′): seeds × members × rows × d
   * @param discounts seeds × 1 × rows × 1
   * @return seeds × 1 × rows × d
   */
  public static Tensor target(Tensor phi, Tensor next, Tensor tasks, Tensor discounts) {
    Tensor values = next.mul(tasks.unsqueeze(1)).sum(-1);
    Tensor smaller = values.argmin(new LongOptional(1), true).unsqueeze(-1);
    Tensor chosen = next.gather(1, smaller.expand(next.size(0), 1, next.size(2), next.size(3)));
    return phi.unsqueeze(1).add(chosen.mul(discounts));
  }

  /**
   * Task vectors of reaching states: φ E[φφᵀ]⁻¹, since these features are not orthonormal. The
   * inverse has a trace of ridge, so that no rank needs to be decided on the host; in double
   * precision, since the ridge of a direction that the features never take is as small as the
   * rounding of single precision.
   */
  static Tensor goalVectors(Tensor phi) {
    return goalVectors(phi, phi);
  }

  /** The same for states that are not the sample. */
  public static Tensor goalVectors(Tensor phi, Tensor goals) {
    long d = phi.size(2);
    Tensor exact = phi.to(torch.ScalarType.Double);
    Tensor covariance = exact.transpose(1, 2).matmul(exact).div(scalar((double) phi.size(1)));
    Tensor size =
        covariance
            .diagonal(0, 1, 2)
            .mean(-1)
            .view(-1, 1, 1)
            .mul(scalar(RIDGE))
            .clamp_min(scalar(1e-12));
    Tensor ridged = covariance.add(torch.eye(d, exact.options()).mul(size));
    Tensor inverse = Handles.of(torch.linalg_inv_ex(ridged))[0];
    Tensor vectors = goals.to(torch.ScalarType.Double).matmul(inverse);
    return Tensors.onSphere(vectors).to(torch.ScalarType.Float);
  }
}
