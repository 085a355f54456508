package dev.psm.torch;

import static org.junit.jupiter.api.Assertions.assertNull;

import dev.psm.core.io.TensorData;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/** Every operation of {@link Layers} on the same numbers: what all devices must agree on. */
final class LayersExample {
  private static final int NETWORKS = 3;

  /** No whole number of the chunks of rows that kernels take. */
  private static final int ROWS = 37;

  private static final int INPUTS = 20;
  private static final int MEMBERS = 2;

  private final int width;
  private final Tensor x;
  private final Tensor weight;
  private final Tensor bias;
  private final Tensor gain;
  private final Tensor shift;
  private final Tensor gradient;
  private final Tensor active;

  LayersExample(int width) {
    this.width = width;
    Random random = new Random(width);
    x = Tensors.gaussian(random, NETWORKS, ROWS, INPUTS);
    weight = Tensors.gaussian(random, NETWORKS, INPUTS, width).mul(Tensors.scalar(0.2));
    bias = Tensors.gaussian(random, NETWORKS, 1, width);
    gain = Tensors.gaussian(random, NETWORKS, 1, width);
    shift = Tensors.gaussian(random, NETWORKS, 1, width);
    gradient = Tensors.gaussian(random, NETWORKS, ROWS, 2L * width);
    // Given, not computed: of a number near 0 rounding would decide whether a gradient passes.
    active = Tensors.gaussian(random, NETWORKS, ROWS, 2L * width).relu();
  }

  /**
   * The largest ‖a − b‖/‖b‖ of a result that rounding explains, a few times what it is. A mistake
   * in a kernel is far above it.
   */
  static double tolerance(Precision precision) {
    return switch (precision) {
      case FLOAT32 -> 1e-4;
      case TF32 -> 3e-3;
      case BFLOAT16 -> 3e-2;
    };
  }

  static Map<String, TensorData> expected(int width) {
    return new LayersExample(width).results(new PlainLayers(), Device.CPU);
  }

  /** Results by name, in single precision. */
  Map<String, TensorData> results(Layers layers, Device device) {
    Map<String, TensorData> results = new LinkedHashMap<>();
    try (PointerScope scope = new PointerScope();
        NoGradGuard noGradient = new NoGradGuard()) {
      forward(layers, device, results);
      backward(layers, device, results);
      joined(layers, device, results);
    }
    return results;
  }

  private static void put(
      Map<String, TensorData> results, String name, Layers layers, Tensor result) {
    results.put(name, Tensors.toData(layers.leaving(result)));
  }

  private void forward(Layers layers, Device device, Map<String, TensorData> results) {
    Tensor input = layers.entering(device.place(x));
    Tensor factor = layers.entering(device.place(weight));
    Tensor added = device.place(bias);
    put(results, "linear", layers, layers.linear(input, factor, added));
    put(results, "linearRelu", layers, layers.linearRelu(input, factor, added, null));
    // The right half of wider rows, where the device wants that.
    Tensor room = layers.room(input, 2L * width);
    Tensor right = room == null ? null : room.narrow(2, width, width);
    Tensor beside = layers.linearRelu(input, factor, added, right);
    put(results, "linearRelu beside others", layers, right == null ? beside : right);
    put(results, "forgotten", layers, normed(layers, device, false).output());
  }

  private Layers.Normed normed(Layers layers, Device device, boolean kept) {
    return layers.linearNormTanh(
        layers.entering(device.place(x)),
        layers.entering(device.place(weight)),
        device.place(bias),
        device.place(gain),
        device.place(shift),
        kept);
  }

  private void backward(Layers layers, Device device, Map<String, TensorData> results) {
    Tensor input = layers.entering(device.place(x));
    Tensor factor = layers.entering(device.place(weight));
    Tensor whole = device.place(gradient);
    Tensor above = layers.entering(whole.narrow(2, 0, width).contiguous());
    put(results, "weightGradient", layers, layers.weightGradient(input, above));
    put(results, "inputGradient", layers, layers.inputGradient(above, factor));
    Tensor single = whole.narrow(2, 0, width);
    put(results, "biasGradient", layers, layers.biasGradient(single));

    Tensor output = layers.entering(device.place(active));
    for (long start = 0; start <= width; start += width) {
      // A copy each time, for it may be overwritten; halves of wider rows, as towers have them.
      Tensor left = layers.entering(whole.clone()).narrow(2, start, width);
      Layers.Back relu = layers.relu(output.narrow(2, start, width), left, true);
      put(results, "relu.gradient from " + start, layers, relu.gradient());
      put(results, "relu.bias from " + start, layers, relu.bias());
    }
    Layers.Back unwanted = layers.relu(output, layers.entering(whole.clone()), false);
    assertNull(unwanted.bias());
    put(results, "relu without bias", layers, unwanted.gradient());

    Layers.Normed normed = normed(layers, device, true);
    put(results, "linearNormTanh", layers, normed.output());
    Tensor added = device.place(bias);
    Tensor scale = device.place(gain);
    Tensor product = torch.bmm(input, factor);
    Tensor moved = device.place(shift);
    put(
        results,
        "normTanh of a product",
        layers,
        layers.normTanh(product, added, scale, moved, true).output());
    Layers.NormedBack back = layers.normTanh(normed, added, scale, above.clone(), true);
    put(results, "normTanh.gradient", layers, back.gradient());
    put(results, "normTanh.bias", layers, back.bias());
    put(results, "normTanh.gain", layers, back.gain());
    put(results, "normTanh.shift", layers, back.shift());
    Layers.NormedBack alone = layers.normTanh(normed, added, scale, above.clone(), false);
    assertNull(alone.bias());
    put(results, "normTanh without weights", layers, alone.gradient());
  }

  private void joined(Layers layers, Device device, Map<String, TensorData> results) {
    Tensor a = device.place(x).narrow(2, 3, 7);
    Tensor b = device.place(x).narrow(2, 0, 5);
    put(results, "joined", layers, layers.joined(a, b, MEMBERS));
    put(results, "joined alone", layers, layers.joined(a, null, MEMBERS));
  }
}
