package dev.psm.torch;

import java.util.ArrayList;
import java.util.List;
import org.bytedeco.pytorch.IValue;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * Adam with the usual constants (0.9, 0.999, 1e-8), no weight decay and no clipping, as every
 * source of the paper's.
 */
public final class Adam {
  private static final double BETA1 = 0.9;
  private static final double BETA2 = 0.999;
  private static final double EPSILON = 1e-8;

  private final Parameters parameters;
  private final List<Tensor> counters = new ArrayList<>();
  private final IValue firstMoments;
  private final IValue secondMoments;
  private final IValue steps;

  public Adam(Parameters parameters) {
    this.parameters = parameters;
    List<Tensor> first = new ArrayList<>();
    List<Tensor> second = new ArrayList<>();
    for (Tensor tensor : parameters.asMap().values()) {
      first.add(torch.zeros_like(tensor));
      second.add(torch.zeros_like(tensor));
      counters.add(torch.zeros(1).retainReference());
    }
    firstMoments = Operators.list(first).retainReference();
    secondMoments = Operators.list(second).retainReference();
    steps = Operators.list(counters).retainReference();
  }

  /** One update with gradients in the order of {@link Parameters#vector()}. */
  public void step(TensorVector gradients, double learningRate) {
    try (NoGradGuard noGradient = new NoGradGuard()) {
      // libtorch's fused kernel takes the counters after their increment.
      for (Tensor counter : counters) {
        counter.add_(Tensors.scalar(1));
      }
      Operators.adam(
          parameters.list(),
          Operators.list(gradients),
          firstMoments,
          secondMoments,
          steps,
          learningRate,
          BETA1,
          BETA2,
          EPSILON);
    }
  }
}
