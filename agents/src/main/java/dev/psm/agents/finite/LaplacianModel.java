package dev.psm.agents.finite;

import dev.psm.core.mdp.TransitionTable;
import dev.psm.torch.Tensors;
import java.util.Map;
import org.bytedeco.pytorch.Tensor;

/**
 * Features φ and their successor features ψ(s, a, z); a reward's task vector is the least-squares
 * fit r ≈ φᵀz under ρ.
 */
public final class LaplacianModel extends BaselineModel {
  private static final double SMALLEST_SINGULAR_VALUE = 1e-5;

  public LaplacianModel(Shape shape, TransitionTable data, long seed) {
    super(shape, data, seed);
  }

  /**
   * In {@code paper}, task vectors are uniform on the sphere and features learn five times faster.
   */
  public static Map<String, BaselineSettings> presets(double discount) {
    return BaselineSettings.presets(discount, 2.5e-3, 0, 5e-4);
  }

  @Override
  protected Tensor taskVectors(Tensor rewards, Tensor rho) {
    Tensor phi = allFeatures();
    Tensor weighted = phi.mul(rho.unsqueeze(1));
    return Tensors.onSphere(rewards.matmul(weighted).matmul(inverseGram(phi, weighted)));
  }

  /** φ (E_ρ φφᵀ)⁻¹: ψ says what a measure makes of φ, and this is the least measure that does. */
  @Override
  protected Tensor densityFeatures(Tensor rho) {
    Tensor phi = allFeatures();
    return phi.matmul(inverseGram(phi, phi.mul(rho.unsqueeze(1))));
  }

  private static Tensor inverseGram(Tensor phi, Tensor weighted) {
    return Tensors.pseudoInverse(phi.t().matmul(weighted), SMALLEST_SINGULAR_VALUE);
  }
}
