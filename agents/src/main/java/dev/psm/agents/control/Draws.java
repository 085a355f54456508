package dev.psm.agents.control;

import java.util.EnumMap;
import java.util.Map;
import org.bytedeco.pytorch.Tensor;

/** What chance decides of one gradient step, for all seeds. */
public final class Draws {
  private final Map<Draw, Tensor> tensors;

  public Draws(Map<Draw, Tensor> tensors) {
    this.tensors = new EnumMap<>(tensors);
  }

  public Tensor get(Draw draw) {
    Tensor tensor = tensors.get(draw);
    if (tensor == null) {
      throw new IllegalArgumentException(draw + " was not drawn, only " + tensors.keySet());
    }
    return tensor;
  }
}
