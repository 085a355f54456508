package dev.psm.agents.rnd;

import dev.psm.core.UserError;
import dev.psm.core.io.DType;
import dev.psm.core.io.TensorData;
import java.util.Map;

/**
 * Mean and variance of everything seen, merged batch by batch (Welford; Chan et al. 1979).
 *
 * <p>As in the benchmark, it starts as if it had seen 1e-4 of a number with mean 0 and variance 1,
 * and each batch enters with its unbiased variance.
 */
final class RunningMoments {
  private static final double INITIAL_COUNT = 1e-4;

  private double count = INITIAL_COUNT;
  private double mean;
  private double variance = 1;

  void add(float[] values) {
    int n = values.length;
    double batchMean = 0;
    for (float value : values) {
      batchMean += value;
    }
    batchMean /= n;
    double squares = 0;
    for (float value : values) {
      squares += (value - batchMean) * (value - batchMean);
    }
    double delta = batchMean - mean;
    double total = count + n;
    mean += delta * n / total;
    variance =
        (variance * count + squares / (n - 1) * n + delta * delta * count * n / total) / total;
    count = total;
  }

  double mean() {
    return mean;
  }

  double variance() {
    return variance;
  }

  void export(String name, Map<String, TensorData> into) {
    into.put(name, TensorData.of(new double[] {count, mean, variance}, 3));
  }

  void load(String name, Map<String, TensorData> from, String fileName) {
    TensorData data = from.get(name);
    if (data == null || data.dtype() != DType.F64 || data.elementCount() != 3) {
      throw UserError.usage(
          "%s: tensor '%s' must hold count, mean and variance as F64[3], found %s",
          fileName, name, data);
    }
    double[] values = data.doubles();
    count = values[0];
    mean = values[1];
    variance = values[2];
  }
}
