package dev.psm.agents.rnd;

import static dev.psm.torch.Tensors.scalar;

import dev.psm.core.UserError;
import dev.psm.core.io.DType;
import dev.psm.core.io.TensorData;
import dev.psm.torch.Device;
import dev.psm.torch.Tensors;
import java.util.Arrays;
import java.util.Map;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.ScalarOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * Brings every number of an observation to mean 0 and deviation 1 over all observations learned
 * from, merged batch by batch (Chan et al. 1979), and clips it.
 *
 * <p>Not by the batch's own statistics, as {@link Rnd} does: whoever acts has a few observations,
 * all alike at the beginning of an episode. Everything stays in tensors, so that an update can be
 * recorded.
 */
final class ObservationScale {
  /**
   * Added to variances. Numbers that hardly move, such as a blocked finger's, are noise and must
   * not be blown up to the size of the others.
   */
  static final double EPSILON = 1e-5;

  static final double LARGEST = 5;

  private final int size;

  /** Rows of double precision: how many observations, their mean, their biased variance. */
  private final Tensor statistics;

  ObservationScale(Device device, int size) {
    this.size = size;
    double[] initial = new double[3 * size];
    Arrays.fill(initial, 2 * size, 3 * size, 1);
    try (PointerScope scope = new PointerScope()) {
      statistics = device.place(Tensors.doubles(initial, 3, size)).clone().retainReference();
    }
  }

  /** Takes a batch of observations in. */
  void add(Tensor observations) {
    try (PointerScope scope = new PointerScope();
        NoGradGuard noGradient = new NoGradGuard()) {
      Tensor values = observations.to(torch.ScalarType.Double);
      double n = values.size(0);
      Tensor count = statistics.get(0);
      Tensor mean = statistics.get(1);
      Tensor variance = statistics.get(2);
      Tensor batchMean = values.mean(0);
      Tensor squares = values.sub(batchMean).square().sum(0);
      Tensor delta = batchMean.sub(mean);
      Tensor total = count.add(scalar(n));
      Tensor between = delta.square().mul(count).mul(scalar(n)).div(total);
      // All three before any is written: they are views of what is written.
      Tensor newMean = mean.add(delta.mul(scalar(n)).div(total));
      Tensor newVariance = variance.mul(count).add(squares).add(between).div(total);
      count.copy_(total);
      mean.copy_(newMean);
      variance.copy_(newVariance);
    }
  }

  /** clamp((x − mean) / √(variance + 1e-5), ±5), in single precision. */
  Tensor scaled(Tensor observations) {
    Tensor deviation = statistics.get(2).add(scalar(EPSILON)).sqrt();
    return observations
        .sub(statistics.get(1).to(torch.ScalarType.Float))
        .div(deviation.to(torch.ScalarType.Float))
        .clamp(new ScalarOptional(scalar(-LARGEST)), new ScalarOptional(scalar(LARGEST)));
  }

  void export(String name, Map<String, TensorData> into) {
    into.put(name, TensorData.of(Tensors.toDoubles(statistics), 3, size));
  }

  void load(String name, Map<String, TensorData> from, String fileName) {
    TensorData data = from.get(name);
    if (data == null || data.dtype() != DType.F64 || data.elementCount() != 3L * size) {
      throw UserError.invalid(
          "%s: tensor '%s' must hold count, mean and variance of every number observed as F64[3,"
              + " %d], found %s",
          fileName, name, size, data);
    }
    try (PointerScope scope = new PointerScope()) {
      statistics.copy_(Tensors.doubles(data.doubles(), 3, size));
    }
  }
}
