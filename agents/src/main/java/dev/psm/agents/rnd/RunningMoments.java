package dev.psm.agents.rnd;

import dev.psm.core.io.TensorData;
import dev.psm.torch.Tensors;
import java.util.Map;
import org.bytedeco.pytorch.Tensor;

/**
 * Mean and variance of everything seen, merged batch by batch (Welford; Chan et al. 1979).
 *
 * <p>As in the benchmark, it starts as if it had seen 1e-4 of a number with mean 0 and variance 1,
 * and each batch enters with its unbiased variance.
 */
final class RunningMoments implements Moments {
  private double count = INITIAL_COUNT;
  private double mean;
  private double variance = 1;

  @Override
  public Tensor scaled(Tensor values) {
    add(Tensors.toFloats(values));
    return values.div(Tensors.scalar(Math.sqrt(variance) + SMALLEST_SCALE));
  }

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

  @Override
  public double variance() {
    return variance;
  }

  @Override
  public void export(String name, Map<String, TensorData> into) {
    into.put(name, TensorData.of(new double[] {count, mean, variance}, 3));
  }

  @Override
  public void load(String name, Map<String, TensorData> from, String fileName) {
    double[] values = Moments.read(name, from, fileName);
    count = values[0];
    mean = values[1];
    variance = values[2];
  }
}
