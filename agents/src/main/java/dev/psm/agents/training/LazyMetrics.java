package dev.psm.agents.training;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.bytedeco.pytorch.Tensor;

/**
 * Metrics of a step, computed from its tensors only when somebody asks; few steps are ever asked.
 */
public final class LazyMetrics implements AutoCloseable {
  private final Map<String, Supplier<Tensor>> values = new LinkedHashMap<>();
  private final List<Tensor> tensors = new ArrayList<>();
  private boolean kept;

  public void add(String name, Supplier<Tensor> value, Tensor... from) {
    values.put(name, value);
    for (Tensor tensor : from) {
      tensors.add(tensor.retainReference());
    }
  }

  Map<String, Supplier<Tensor>> values() {
    return values;
  }

  /** It belongs to a recorded step, which writes to its tensors again and again. */
  LazyMetrics keep() {
    kept = true;
    return this;
  }

  boolean isKept() {
    return kept;
  }

  @Override
  public void close() {
    tensors.forEach(Tensor::releaseReference);
    tensors.clear();
    values.clear();
  }
}
