package dev.psm.agents.finite;

import dev.psm.core.mdp.TransitionTable;
import dev.psm.torch.Tensors;
import java.util.Map;
import org.bytedeco.pytorch.Tensor;

/** F(s, a, z) and B(s⁺); a reward's task vector is the closed form z = E_ρ[r B]. */
public final class ForwardBackwardModel extends BaselineModel {

  public ForwardBackwardModel(Shape shape, TransitionTable data, long seed) {
    super(shape, data, seed);
  }

  /** Half of the task vectors are B of states in the batch, as published. */
  public static Map<String, BaselineSettings> presets(double discount) {
    return BaselineSettings.presets(discount, 1e-3, 0.5, 1e-4);
  }

  @Override
  protected Tensor taskVectors(Tensor rewards, Tensor rho) {
    return Tensors.onSphere(rewards.mul(rho).matmul(allFeatures()));
  }

  @Override
  protected Tensor densityFeatures(Tensor rho) {
    return allFeatures();
  }
}
