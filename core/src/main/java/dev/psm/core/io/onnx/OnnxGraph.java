package dev.psm.core.io.onnx;

import dev.psm.core.io.DType;
import dev.psm.core.io.ProtobufMessage;
import dev.psm.core.io.TensorData;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A computation under construction, as a GraphProto: nodes in the order they are added, which must
 * be one in which they can be computed.
 */
public final class OnnxGraph {
  private static final int TENSOR_FLOAT = 1;
  private static final String BATCH = "batch";

  private final String name;
  private final String description;
  private final List<ProtobufMessage> nodes = new ArrayList<>();
  private final List<ProtobufMessage> weights = new ArrayList<>();
  private final List<ProtobufMessage> inputs = new ArrayList<>();
  private final List<ProtobufMessage> outputs = new ArrayList<>();
  private final Set<String> names = new HashSet<>();

  /**
   * @param description for people who look at the file
   */
  public OnnxGraph(String name, String description) {
    this.name = name;
    this.description = description;
  }

  public String name() {
    return name;
  }

  public String description() {
    return description;
  }

  /** Adds an input: batch × width. */
  public OnnxValue input(String input, int width, String meaning) {
    inputs.add(declared(claim(input, width), meaning));
    return new OnnxValue(input, width);
  }

  /** Makes a value that was computed an output. */
  public void output(OnnxValue value, String meaning) {
    outputs.add(declared(value, meaning));
  }

  /** Adds a constant of a shape of its own, for nodes to name. */
  public String weight(String weight, TensorData data) {
    claim(weight, 0);
    if (data.dtype() != DType.F32) {
      throw new IllegalArgumentException(weight + " is " + data + ", expected F32");
    }
    ProtobufMessage tensor = new ProtobufMessage();
    for (long size : data.shape()) {
      tensor.varint(1, size);
    }
    weights.add(tensor.varint(2, TENSOR_FLOAT).text(8, weight).bytes(9, data.data()));
    return weight;
  }

  /** Adds a constant that counts for every row. */
  public OnnxValue constant(String constant, float[] values) {
    weight(constant, TensorData.of(values, 1, values.length));
    return new OnnxValue(constant, values.length);
  }

  /**
   * Adds a node.
   *
   * @param operator of ONNX, such as Gemm
   * @param output the name and the width of what it computes
   * @param arguments names of values and weights, in the operator's order
   */
  public OnnxValue node(
      String operator, OnnxValue output, List<OnnxAttribute> attributes, String... arguments) {
    ProtobufMessage node = new ProtobufMessage();
    for (String argument : arguments) {
      if (!names.contains(argument)) {
        throw new IllegalArgumentException(
            operator + " takes " + argument + ", which the graph does not have yet");
      }
      node.text(1, argument);
    }
    claim(output.name(), output.width());
    node.text(2, output.name()).text(3, output.name()).text(4, operator);
    attributes.forEach(attribute -> node.message(5, attribute.message()));
    nodes.add(node);
    return output;
  }

  public OnnxValue node(String operator, OnnxValue output, String... arguments) {
    return node(operator, output, List.of(), arguments);
  }

  private OnnxValue claim(String wanted, int width) {
    if (!names.add(wanted)) {
      throw new IllegalArgumentException("the graph already has a " + wanted);
    }
    return new OnnxValue(wanted, width);
  }

  /** A ValueInfoProto. */
  private static ProtobufMessage declared(OnnxValue value, String meaning) {
    ProtobufMessage shape =
        new ProtobufMessage()
            .message(1, new ProtobufMessage().text(2, BATCH))
            .message(1, new ProtobufMessage().varint(1, value.width()));
    ProtobufMessage tensor = new ProtobufMessage().varint(1, TENSOR_FLOAT).message(2, shape);
    return new ProtobufMessage()
        .text(1, value.name())
        .message(2, new ProtobufMessage().message(1, tensor))
        .text(3, meaning);
  }

  ProtobufMessage message() {
    ProtobufMessage graph = new ProtobufMessage();
    nodes.forEach(node -> graph.message(1, node));
    graph.text(2, name);
    weights.forEach(weight -> graph.message(5, weight));
    inputs.forEach(input -> graph.message(11, input));
    outputs.forEach(output -> graph.message(12, output));
    return graph;
  }
}
