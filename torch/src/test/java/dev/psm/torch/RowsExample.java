package dev.psm.torch;

import dev.psm.core.io.TensorData;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/** What {@link CudaRows} is for, on the same numbers: what all devices must agree on. */
final class RowsExample {
  private static final int STEPS = 3;

  private RowsExample() {}

  /** Results by name. All of them are of single precision or better, whatever products are. */
  static Map<String, TensorData> results(Device device) {
    Map<String, TensorData> results = new LinkedHashMap<>();
    try (PointerScope scope = new PointerScope();
        NoGradGuard noGradient = new NoGradGuard()) {
      Random random = new Random(5);
      // More than a warp's 32 columns, and not a multiple of it.
      Tensor rows = device.place(Tensors.gaussian(random, 2, 11, 70));
      Tensor gradient = device.place(Tensors.gaussian(random, 2, 11, 70));
      results.put("onSphere", Tensors.toData(Tensors.onSphere(rows)));
      results.put("backFromSphere", Tensors.toData(Tensors.backFromSphere(rows, gradient)));
      for (int size : new int[] {1, 33, 130}) {
        Tensor root = Tensors.gaussian(random, 2L * size, size);
        Tensor matrix = root.t().matmul(root).add(torch.eye(size));
        results.put("inverse " + size, Tensors.toData(Tensors.inverse(device.place(matrix))));
      }
      adam(device, random, results);
    }
    return results;
  }

  private static void adam(Device device, Random random, Map<String, TensorData> results) {
    Map<String, long[]> shapes = new LinkedHashMap<>();
    shapes.put("fours", new long[] {2, 5, 16});
    shapes.put("rest", new long[] {3, 1, 7});
    Parameters parameters = new Parameters(device);
    shapes.forEach((name, shape) -> parameters.add(name, Tensors.gaussian(random, shape)));
    Parameters target = parameters.targetCopy();
    // Asked for, so that rounded copies are kept where the precision wants them.
    shapes.keySet().forEach(parameters::factor);
    shapes.keySet().forEach(target::factor);
    Adam adam = new Adam(parameters);
    Tensor rate = device.place(Tensors.floats(new float[] {0.01f}, 1).squeeze());
    for (int step = 0; step < STEPS; step++) {
      Gradients gradients = new Gradients();
      shapes.forEach(
          (name, shape) -> gradients.put(name, device.place(Tensors.gaussian(random, shape))));
      adam.step(gradients, rate, step == 1 ? null : target, 0.3);
    }
    parameters.export("parameters/", results);
    target.export("target/", results);
    adam.export("adam/", results);
    for (String name : shapes.keySet()) {
      results.put("factor/" + name, Tensors.toData(single(parameters.factor(name))));
      results.put("factor/target " + name, Tensors.toData(single(target.factor(name))));
    }
  }

  private static Tensor single(Tensor tensor) {
    return tensor.to(torch.ScalarType.Float);
  }
}
