package dev.psm.agents.rnd;

import static dev.psm.torch.Tensors.scalar;

import dev.psm.core.io.TensorData;
import dev.psm.torch.Device;
import dev.psm.torch.Tensors;
import java.util.Map;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * {@link RunningMoments} in tensors of double precision, so that an update can be recorded. Sums
 * are taken in another order there, which shows in the last bits.
 */
final class DeviceMoments implements Moments {
  /** Count, mean and variance. */
  private final Tensor moments;

  DeviceMoments(Device device) {
    try (PointerScope scope = new PointerScope()) {
      Tensor initial = Tensors.doubles(new double[] {INITIAL_COUNT, 0, 1}, 3);
      moments = device.place(initial).clone().retainReference();
    }
  }

  @Override
  public Tensor scaled(Tensor values) {
    try (NoGradGuard noGradient = new NoGradGuard()) {
      add(values.to(torch.ScalarType.Double));
      // The divisor has no axes, so the quotient keeps the values' single precision.
      return values.div(moments.get(2).sqrt().add(scalar(SMALLEST_SCALE)));
    }
  }

  private void add(Tensor values) {
    double n = values.numel();
    Tensor count = moments.get(0);
    Tensor mean = moments.get(1);
    Tensor variance = moments.get(2);
    Tensor batchMean = values.mean();
    Tensor squares = values.sub(batchMean).square().sum();
    Tensor delta = batchMean.sub(mean);
    Tensor total = count.add(scalar(n));
    Tensor between = delta.square().mul(count).mul(scalar(n)).div(total);
    Tensor within = squares.mul(scalar(n / (n - 1)));
    moments.copy_(
        torch.stack(
            new TensorVector(
                total,
                mean.add(delta.mul(scalar(n)).div(total)),
                variance.mul(count).add(within).add(between).div(total))));
  }

  @Override
  public double variance() {
    return Tensors.toDoubles(moments)[2];
  }

  double mean() {
    return Tensors.toDoubles(moments)[1];
  }

  @Override
  public void export(String name, Map<String, TensorData> into) {
    into.put(name, TensorData.of(Tensors.toDoubles(moments), 3));
  }

  @Override
  public void load(String name, Map<String, TensorData> from, String fileName) {
    double[] values = Moments.read(name, from, fileName);
    try (PointerScope scope = new PointerScope()) {
      moments.copy_(Tensors.doubles(values, 3));
    }
  }
}
