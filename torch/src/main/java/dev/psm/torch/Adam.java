package dev.psm.torch;

import dev.psm.core.io.TensorData;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.IValue;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * Adam with the usual constants (0.9, 0.999, 1e-8), no weight decay and no clipping, as every
 * source of the paper's.
 *
 * <p>The step counter is a tensor, so that a recorded step can be replayed without this class.
 */
public final class Adam implements AutoCloseable {
  private static final double BETA1 = 0.9;
  private static final double BETA2 = 0.999;
  private static final double EPSILON = 1e-8;

  private final Parameters parameters;
  private final List<Tensor> first = new ArrayList<>();
  private final List<Tensor> second = new ArrayList<>();
  private final Tensor counter;
  private final IValue firstMoments;
  private final IValue secondMoments;
  private final IValue steps;

  public Adam(Parameters parameters) {
    this.parameters = parameters;
    try (PointerScope scope = new PointerScope()) {
      this.counter = parameters.device().place(torch.zeros(1)).retainReference();
      List<Tensor> counters = new ArrayList<>();
      for (Tensor tensor : parameters.asMap().values()) {
        first.add(torch.zeros_like(tensor).retainReference());
        second.add(torch.zeros_like(tensor).retainReference());
        counters.add(counter);
      }
      firstMoments = Operators.list(first).retainReference();
      secondMoments = Operators.list(second).retainReference();
      steps = Operators.list(counters).retainReference();
    }
  }

  /** One update with gradients in the order of {@link Parameters#vector()}. */
  public void step(TensorVector gradients, double learningRate) {
    step(gradients, new IValue(learningRate));
  }

  /** The same with a rate that a tensor holds, which may change from one replay to the next. */
  public void step(TensorVector gradients, Tensor learningRate) {
    step(gradients, new IValue(learningRate));
  }

  public void step(Gradients gradients, Tensor learningRate) {
    step(gradients, learningRate, null, 0);
  }

  /**
   * One update, and then one of a target that follows.
   *
   * @param target may be null
   */
  public void step(Gradients gradients, Tensor learningRate, Parameters target, double targetRate) {
    if (parameters.device().isCuda()) {
      counter.add_(Tensors.scalar(1));
      CudaRows.adam(this, gradients, learningRate, target, targetRate);
      return;
    }
    step(gradients.of(parameters), learningRate);
    if (target != null) {
      target.averageTowards(parameters, targetRate);
    }
  }

  Parameters parameters() {
    return parameters;
  }

  Tensor counter() {
    return counter;
  }

  List<Tensor> first() {
    return first;
  }

  List<Tensor> second() {
    return second;
  }

  private void step(TensorVector gradients, IValue learningRate) {
    try (NoGradGuard noGradient = new NoGradGuard()) {
      // libtorch's fused kernel takes the counter after its increment.
      counter.add_(Tensors.scalar(1));
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

  /** Copies out both moments of every tensor and the step counter, for a file. */
  public void export(String prefix, Map<String, TensorData> into) {
    export(prefix, into, Slice.WHOLE);
  }

  /** Copies out one slice's part; the counter is common to all. */
  public void export(String prefix, Map<String, TensorData> into, Slice slice) {
    try (PointerScope scope = new PointerScope()) {
      int index = 0;
      for (String name : parameters.asMap().keySet()) {
        into.put(prefix + name + ".first", Tensors.toData(slice.of(first.get(index))));
        into.put(prefix + name + ".second", Tensors.toData(slice.of(second.get(index))));
        index++;
      }
      into.put(prefix + "steps", Tensors.toData(counter));
    }
  }

  /** Takes back what {@link #export} wrote, so that the next step is the one it would have been. */
  public void load(String prefix, Map<String, TensorData> from, String fileName) {
    load(prefix, from, fileName, Slice.WHOLE);
  }

  public void load(String prefix, Map<String, TensorData> from, String fileName, Slice slice) {
    try (PointerScope scope = new PointerScope()) {
      int index = 0;
      for (String name : parameters.asMap().keySet()) {
        Parameters.load(slice.of(first.get(index)), prefix + name + ".first", from, fileName);
        Parameters.load(slice.of(second.get(index)), prefix + name + ".second", from, fileName);
        index++;
      }
      Parameters.load(counter, counterName(prefix, from), from, fileName);
    }
  }

  /** Older files have a counter for every tensor, all of them equal. */
  private String counterName(String prefix, Map<String, TensorData> from) {
    String common = prefix + "steps";
    if (!from.containsKey(common)) {
      for (String name : parameters.asMap().keySet()) {
        if (from.containsKey(prefix + name + ".steps")) {
          return prefix + name + ".steps";
        }
      }
    }
    return common;
  }

  /** Whether both moments of every tensor are numbers. */
  public boolean isFinite() {
    return Stream.concat(first.stream(), second.stream()).allMatch(Tensors::isFinite);
  }

  /** Frees the moments now; the parameters are their owner's. */
  @Override
  public void close() {
    firstMoments.close();
    secondMoments.close();
    steps.close();
    first.forEach(Tensor::close);
    second.forEach(Tensor::close);
    counter.close();
  }
}
