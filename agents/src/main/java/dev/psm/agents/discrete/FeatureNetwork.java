package dev.psm.agents.discrete;

import dev.psm.torch.Gradients;
import dev.psm.torch.ParallelMlp;
import dev.psm.torch.Parameters;
import dev.psm.torch.Tensors;
import dev.psm.torch.TrainedNetwork;
import org.bytedeco.pytorch.Tensor;

/** B(s⁺) or φ(s⁺) on the √d sphere, of codes of entered states. */
final class FeatureNetwork extends TrainedNetwork {
  static final String NAME = "features";

  private final ParallelMlp shape;

  /**
   * @param targetRate null for no target
   */
  FeatureNetwork(ParallelMlp shape, Parameters weights, Double targetRate) {
    super(NAME, weights, targetRate);
    this.shape = shape;
  }

  static ParallelMlp shape(int entered, int width, int features) {
    return new ParallelMlp(NAME, new int[] {entered, width, width, features}, true, false, 1, 1);
  }

  /** Seeds × rows × d. */
  Tensor of(Tensor entered) {
    return Tensors.onSphere(shape.forward(weights(), entered));
  }

  Tensor ofTarget(Tensor entered) {
    return Tensors.onSphere(shape.forward(target(), entered));
  }

  /** φ with what its step needs. */
  record Pass(ParallelMlp.Trace plain, Tensor output) {}

  Pass pass(Tensor entered) {
    ParallelMlp.Trace plain = shape.trace(weights(), entered);
    return new Pass(plain, Tensors.onSphere(plain.output()));
  }

  /**
   * @param gradient by φ: seeds × rows × d
   */
  void descend(Pass pass, Tensor gradient, Tensor rate) {
    Gradients gradients = new Gradients();
    Tensor before = Tensors.backFromSphere(pass.plain.output(), gradient);
    shape.backward(weights(), pass.plain, before, gradients, 0);
    descend(gradients, rate);
  }
}
