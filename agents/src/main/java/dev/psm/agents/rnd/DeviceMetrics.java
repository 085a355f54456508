package dev.psm.agents.rnd;

import dev.psm.torch.Device;
import dev.psm.torch.Tensors;
import java.util.Arrays;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/** Figures that stay on the device until somebody asks; not numbers before they are set. */
final class DeviceMetrics {
  private final Tensor figures;

  DeviceMetrics(Device device, int count) {
    float[] none = new float[count];
    Arrays.fill(none, Float.NaN);
    try (PointerScope scope = new PointerScope()) {
      figures = device.place(Tensors.floats(none, count)).clone().retainReference();
    }
  }

  /** Takes tensors of one number each; does not wait for them. */
  void set(Tensor... numbers) {
    try (PointerScope scope = new PointerScope();
        NoGradGuard noGradient = new NoGradGuard()) {
      figures.copy_(torch.stack(new TensorVector(numbers)));
    }
  }

  /** Waits for the device. */
  float[] get() {
    return Tensors.toFloats(figures);
  }
}
