package dev.psm.agents.rnd;

import dev.psm.core.UserError;
import dev.psm.core.io.DType;
import dev.psm.core.io.TensorData;
import java.util.Map;
import org.bytedeco.pytorch.Tensor;

/** Mean and variance of all errors so far, by whose root rewards are divided. */
interface Moments {
  double INITIAL_COUNT = 1e-4;
  double SMALLEST_SCALE = 1e-8;

  /** Takes the values in, and divides them by the deviation of all since the start. */
  Tensor scaled(Tensor values);

  double variance();

  /** Count, mean and variance. */
  void export(String name, Map<String, TensorData> into);

  void load(String name, Map<String, TensorData> from, String fileName);

  /** What {@link #export} wrote. */
  static double[] read(String name, Map<String, TensorData> from, String fileName) {
    TensorData data = from.get(name);
    if (data == null || data.dtype() != DType.F64 || data.elementCount() != 3) {
      throw UserError.invalid(
          "%s: tensor '%s' must hold count, mean and variance as F64[3], found %s",
          fileName, name, data);
    }
    return data.doubles();
  }
}
