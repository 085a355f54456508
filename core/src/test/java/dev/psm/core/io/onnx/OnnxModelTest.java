package dev.psm.core.io.onnx;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.UserError;
import dev.psm.core.io.TensorData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OnnxModelTest {
  /** The same model as the Python package onnx 1.23.1 serialises it; its full check passes. */
  private static final String REFERENCE =
      "0808120370736d1a03312e303207612067726170683a9b020a150a01780a01770a01621201671a016722"
          + "0447656d6d0a490a01670a016212016e1a016e22124c617965724e6f726d616c697a6174696f6e2a140a"
          + "046178697318ffffffffffffffffff01a001022a110a07657073696c6f6e15acc52737a001010a3a0a01"
          + "6e1201791a017922085265647563654c322a140a046178657340ffffffffffffffffff01a001072a0f0a"
          + "086b65657064696d731801a00102120474696e792a230803080210014201774a180000803f0000004000"
          + "004040000080400000a0400000c0402a130801080210014201624a08000080bf0000003f5a1c0a017812"
          + "130a110801120d0a07120562617463680a0208031a02696e621d0a017912130a110801120d0a07120562"
          + "617463680a0208011a036f757442040a001011720b0a056167656e741202cf88";

  @TempDir private Path folder;

  private static OnnxModel model() {
    OnnxGraph graph = new OnnxGraph("tiny", "a graph");
    OnnxValue x = graph.input("x", 3, "in");
    String weight = graph.weight("w", TensorData.of(new float[] {1, 2, 3, 4, 5, 6}, 3, 2));
    OnnxValue bias = graph.constant("b", new float[] {-1, 0.5f});
    OnnxValue product = graph.node("Gemm", new OnnxValue("g", 2), x.name(), weight, bias.name());
    OnnxValue normed =
        graph.node(
            "LayerNormalization",
            new OnnxValue("n", 2),
            List.of(OnnxAttribute.ofInt("axis", -1), OnnxAttribute.ofFloat("epsilon", 1e-5f)),
            product.name(),
            bias.name());
    OnnxValue norm =
        graph.node(
            "ReduceL2",
            new OnnxValue("y", 1),
            List.of(OnnxAttribute.ofInts("axes", -1), OnnxAttribute.ofInt("keepdims", 1)),
            normed.name());
    graph.output(norm, "out");
    return new OnnxModel(graph, "1.0", Map.of("agent", "ψ"));
  }

  @Test
  void theBytesAreThoseOfTheReference() throws IOException {
    Path file = folder.resolve("new/folder/tiny.onnx");
    assertEquals(REFERENCE.length() / 2, model().write(file));
    assertEquals(REFERENCE, HexFormat.of().formatHex(Files.readAllBytes(file)));
    assertArrayEquals(Files.readAllBytes(file), model().message().bytes());
  }

  @Test
  void aPlaceThatIsNoneIsNamed() throws IOException {
    Path taken = Files.writeString(folder.resolve("taken"), "x");
    Path file = taken.resolve("tiny.onnx");
    UserError error = assertThrows(UserError.class, () -> model().write(file));
    assertTrue(error.getMessage().contains(file.toString()), error.getMessage());
  }

  @Test
  void aGraphThatNoEngineWouldTakeIsNotBuilt() {
    OnnxGraph graph = new OnnxGraph("graph", "");
    OnnxValue x = graph.input("x", 3, "");
    assertThrows(IllegalArgumentException.class, () -> graph.constant("x", new float[1]));
    assertThrows(IllegalArgumentException.class, () -> graph.node("Tanh", x, "x"));
    OnnxValue y = new OnnxValue("y", 3);
    assertThrows(IllegalArgumentException.class, () -> graph.node("Tanh", y, "z"));
    TensorData doubles = TensorData.of(new double[] {1}, 1);
    assertThrows(IllegalArgumentException.class, () -> graph.weight("w", doubles));
  }
}
