package dev.psm.torch;

import java.util.HashMap;
import java.util.Map;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * Gradients by the name of what they belong to, as the backward pass through networks finds them.
 */
public final class Gradients {
  private final Map<String, Tensor> tensors = new HashMap<>();

  /** Of a network that was gone through twice, the sum. */
  public void put(String name, Tensor gradient) {
    tensors.merge(name, gradient, Tensor::add);
  }

  /** Zeros, to add the parts of a batch to: they belong to the scope that is open now. */
  public static Gradients zeros(Parameters parameters) {
    Gradients zeros = new Gradients();
    parameters.asMap().forEach((name, tensor) -> zeros.tensors.put(name, torch.zeros_like(tensor)));
    return zeros;
  }

  /** Adds in place, to gradients that are all there. */
  public void addAll(Gradients part) {
    part.tensors.forEach((name, gradient) -> tensors.get(name).add_(gradient));
  }

  /** Of what is known to make no difference: 0, whatever rounding left. */
  public void cancel(String name) {
    if (!tensors.containsKey(name)) {
      throw new IllegalArgumentException("no gradient of " + name);
    }
    tensors.computeIfPresent(name, (any, gradient) -> torch.zeros_like(gradient));
  }

  /** One per parameter, in their order. */
  public TensorVector of(Parameters parameters) {
    TensorVector vector = new TensorVector();
    for (String name : parameters.asMap().keySet()) {
      Tensor gradient = tensors.get(name);
      if (gradient == null) {
        throw new IllegalStateException("no gradient of " + name);
      }
      vector.push_back(gradient);
    }
    return vector;
  }
}
