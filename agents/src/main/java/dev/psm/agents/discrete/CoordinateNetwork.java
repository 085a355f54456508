package dev.psm.agents.discrete;

import dev.psm.agents.training.ActionCodebook;
import dev.psm.torch.Gradients;
import dev.psm.torch.ParallelMlp;
import dev.psm.torch.Parameters;
import dev.psm.torch.Tensors;
import dev.psm.torch.TrainedNetwork;
import java.util.Arrays;
import org.bytedeco.pytorch.Tensor;

/** w(z) of the codebook's codes, on the √d sphere. */
final class CoordinateNetwork extends TrainedNetwork {
  static final String NAME = "coordinates";
  private final ParallelMlp shape;

  CoordinateNetwork(ParallelMlp shape, Parameters weights, double targetRate) {
    super(NAME, weights, targetRate);
    this.shape = shape;
  }

  static ParallelMlp shape(int basis, int width, int layers) {
    int[] sizes = new int[layers + 2];
    Arrays.fill(sizes, width);
    sizes[0] = ActionCodebook.CODE_BITS;
    sizes[sizes.length - 1] = basis;
    return new ParallelMlp(NAME, sizes, false, false, 1, 1);
  }

  /** w with what its step needs. */
  record Pass(ParallelMlp.Trace plain, Tensor output) {}

  /**
   * @param bits of codes: seeds × rows × bits
   */
  Pass pass(Tensor bits) {
    ParallelMlp.Trace plain = shape.trace(weights(), bits);
    return new Pass(plain, Tensors.onSphere(plain.output()));
  }

  /** w̄. */
  Tensor ofTarget(Tensor bits) {
    return Tensors.onSphere(shape.forward(target(), bits));
  }

  void descend(Pass pass, Tensor gradient, Tensor rate) {
    Gradients gradients = new Gradients();
    Tensor before = Tensors.backFromSphere(pass.plain.output(), gradient);
    shape.backward(weights(), pass.plain, before, gradients, 0);
    descend(gradients, rate);
  }
}
