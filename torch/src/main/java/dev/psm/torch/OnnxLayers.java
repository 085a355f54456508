package dev.psm.torch;

import dev.psm.core.io.DType;
import dev.psm.core.io.TensorData;
import dev.psm.core.io.onnx.OnnxAttribute;
import dev.psm.core.io.onnx.OnnxGraph;
import dev.psm.core.io.onnx.OnnxValue;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;

/** The forward pass of networks as nodes of an ONNX graph. */
public final class OnnxLayers {
  private OnnxLayers() {}

  /**
   * Adds a single network: one seed, one member.
   *
   * @param tensors the weights, under the names that {@link ParallelMlp#shapes} gives
   * @param inputs which the network takes side by side; of several, only the first must have rows
   */
  public static OnnxValue network(
      OnnxGraph graph, ParallelMlp network, Map<String, TensorData> tensors, OnnxValue... inputs) {
    OnnxValue[] x = inputs;
    for (int layer = 0; layer < network.layers(); layer++) {
      OnnxValue h = linear(graph, network, layer, tensors, x);
      OnnxValue activation = new OnnxValue(network.key(layer, "activation"), h.width());
      if (network.isNormalised(layer)) {
        h = graph.node("Tanh", activation, normalised(graph, network, tensors, h).name());
      } else if (network.isActivated(layer)) {
        h = graph.node("Relu", activation, h.name());
      }
      x = new OnnxValue[] {h};
    }
    return x[0];
  }

  /**
   * x·w + b. Inputs side by side are a sum of products, each with its own rows of w, so that a
   * constant among them needs no copy for every row of the batch.
   */
  private static OnnxValue linear(
      OnnxGraph graph,
      ParallelMlp network,
      int layer,
      Map<String, TensorData> tensors,
      OnnxValue... inputs) {
    int width = network.sizes()[layer + 1];
    String name = network.key(layer, "weight");
    TensorData weight = tensors.get(name);
    String sum = row(graph, network.key(layer, "bias"), tensors);
    int end = network.sizes()[layer];
    // The last input first: what is added to a product must not have more rows than it.
    for (int i = inputs.length - 1; i >= 0; i--) {
      OnnxValue input = inputs[i];
      String part = inputs.length == 1 ? "" : "." + input.name();
      String rows =
          graph.weight(name + part, rows(weight, end - input.width(), input.width(), width));
      OnnxValue product = new OnnxValue(network.key(layer, "linear") + part, width);
      sum = graph.node("Gemm", product, input.name(), rows, sum).name();
      end -= input.width();
    }
    if (end != 0) {
      throw new IllegalArgumentException("%s takes %d more numbers".formatted(name, end));
    }
    return new OnnxValue(sum, width);
  }

  private static OnnxValue normalised(
      OnnxGraph graph, ParallelMlp network, Map<String, TensorData> tensors, OnnxValue x) {
    return graph.node(
        "LayerNormalization",
        new OnnxValue(network.name() + ".norm", x.width()),
        List.of(
            OnnxAttribute.ofInt("axis", -1),
            OnnxAttribute.ofFloat("epsilon", (float) Layers.LAYER_NORM_EPSILON)),
        x.name(),
        row(graph, network.name() + ".norm.weight", tensors),
        row(graph, network.name() + ".norm.bias", tensors));
  }

  /** As {@link Tensors#onSphere}. */
  public static OnnxValue onSphere(OnnxGraph graph, OnnxValue x, String output) {
    OnnxValue norm =
        graph.node(
            "ReduceL2",
            new OnnxValue(output + ".length", 1),
            List.of(OnnxAttribute.ofInts("axes", -1), OnnxAttribute.ofInt("keepdims", 1)),
            x.name());
    OnnxValue least = graph.constant(output + ".minLength", new float[] {(float) Tensors.MIN_NORM});
    OnnxValue bounded =
        graph.node("Max", new OnnxValue(output + ".boundedLength", 1), norm.name(), least.name());
    OnnxValue unit =
        graph.node("Div", new OnnxValue(output + ".unit", x.width()), x.name(), bounded.name());
    OnnxValue radius =
        graph.constant(output + ".radius", new float[] {(float) Math.sqrt((double) x.width())});
    return graph.node("Mul", new OnnxValue(output, x.width()), unit.name(), radius.name());
  }

  /** Of a stack of one matrix, some rows. */
  private static TensorData rows(TensorData stack, int first, int count, int width) {
    ByteBuffer bytes = stack.data();
    int row = width * Float.BYTES;
    bytes.position(first * row).limit((first + count) * row);
    return new TensorData(DType.F32, new long[] {count, width}, bytes);
  }

  /** Adds a vector that is stored with leading axes of one. */
  private static String row(OnnxGraph graph, String name, Map<String, TensorData> tensors) {
    TensorData data = tensors.get(name);
    return graph.weight(
        name, new TensorData(data.dtype(), new long[] {data.elementCount()}, data.data()));
  }
}
