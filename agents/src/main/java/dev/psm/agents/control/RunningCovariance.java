package dev.psm.agents.control;

import static dev.psm.torch.Tensors.scalar;

import dev.psm.torch.Device;
import dev.psm.torch.Parameters;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * E[φφᵀ] over many batches: the mean of all so far, and after {@value #MEMORY} of them an average
 * that forgets.
 */
final class RunningCovariance {
  private static final int MEMORY = 500;

  private final Parameters state;

  RunningCovariance(int seeds, int d, Device device) {
    state = new Parameters(device);
    state.add("mean", torch.zeros(seeds, d, d));
    state.add("batches", torch.zeros(seeds, 1, 1));
  }

  /** What a checkpoint must hold. */
  Parameters state() {
    return state;
  }

  /**
   * Counts a batch in.
   *
   * @param phi seeds × rows × d
   * @return seeds × d × d
   */
  Tensor include(Tensor phi) {
    Tensor fresh = phi.transpose(1, 2).matmul(phi).mul_(scalar(1.0 / phi.size(1)));
    Tensor batches = state.get("batches").add_(scalar(1));
    Tensor weight = batches.reciprocal().clamp_min_(scalar(1.0 / MEMORY));
    return state.get("mean").lerp_(fresh, weight);
  }
}
