package dev.psm.agents.training;

import dev.psm.core.io.TensorData;
import dev.psm.torch.Device;
import dev.psm.torch.Tensors;
import java.util.EnumMap;
import java.util.Map;
import org.bytedeco.pytorch.Tensor;

/**
 * The random inputs of one gradient step, for all seeds. Closing frees the tensors at once, where
 * no scope does.
 */
public final class StepInputs implements AutoCloseable {
  private final Map<Draw, Tensor> tensors;

  public StepInputs(Map<Draw, Tensor> tensors) {
    this.tensors = new EnumMap<>(tensors);
  }

  public Tensor get(Draw draw) {
    Tensor tensor = tensors.get(draw);
    if (tensor == null) {
      throw new IllegalArgumentException(draw + " was not drawn, only " + tensors.keySet());
    }
    return tensor;
  }

  public boolean has(Draw draw) {
    return tensors.containsKey(draw);
  }

  /** The same on a device: not copies where they are there already. */
  public StepInputs on(Device device) {
    Map<Draw, Tensor> placed = new EnumMap<>(Draw.class);
    tensors.forEach((draw, tensor) -> placed.put(draw, device.place(tensor)));
    return new StepInputs(placed);
  }

  /** Copies out every tensor under its name with a prefix, for a file. */
  public void export(String prefix, Map<String, TensorData> into) {
    tensors.forEach((draw, tensor) -> into.put(prefix + draw, Tensors.toData(tensor)));
  }

  @Override
  public void close() {
    tensors.values().forEach(Tensor::close);
  }
}
