package dev.psm.torch;

import dev.psm.core.io.TensorData;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
  private final List<Tensor> first = new ArrayList<>();
  private final List<Tensor> second = new ArrayList<>();
  private final List<Tensor> counters = new ArrayList<>();
  private final IValue firstMoments;
  private final IValue secondMoments;
  private final IValue steps;

  public Adam(Parameters parameters) {
    this.parameters = parameters;
    for (Tensor tensor : parameters.asMap().values()) {
      first.add(torch.zeros_like(tensor).retainReference());
      second.add(torch.zeros_like(tensor).retainReference());
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

  /** Copies out both moments and the step counter of every tensor, for a file. */
  public void export(String prefix, Map<String, TensorData> into) {
    int index = 0;
    for (String name : parameters.asMap().keySet()) {
      into.put(prefix + name + ".first", Tensors.toData(first.get(index)));
      into.put(prefix + name + ".second", Tensors.toData(second.get(index)));
      into.put(prefix + name + ".steps", Tensors.toData(counters.get(index)));
      index++;
    }
  }

  /** Takes back what {@link #export} wrote, so that the next step is the one it would have been. */
  public void load(String prefix, Map<String, TensorData> from, String fileName) {
    int index = 0;
    for (String name : parameters.asMap().keySet()) {
      Parameters.load(first.get(index), prefix + name + ".first", from, fileName);
      Parameters.load(second.get(index), prefix + name + ".second", from, fileName);
      Parameters.load(counters.get(index), prefix + name + ".steps", from, fileName);
      index++;
    }
  }
}
