package dev.psm.torch;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.psm.core.UserError;
import dev.psm.core.io.TensorData;
import java.util.Map;
import java.util.Optional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The kernels between matrix products against libtorch's operators on the processor. */
@Tag("gpu")
class CudaLayersTest {
  @BeforeEach
  void requireGpu() {
    Optional<String> problem = CudaSupport.problem().map(UserError::getMessage);
    assumeTrue(problem.isEmpty(), problem.orElse(""));
  }

  /** Widths that kernels are made for, the smallest and the largest among them, and others. */
  @ParameterizedTest
  @CsvSource({
    "FLOAT32,128",
    "FLOAT32,1024",
    "FLOAT32,2048",
    "FLOAT32,24",
    "TF32,256",
    "TF32,1024",
    "TF32,24",
    "BFLOAT16,256",
    "BFLOAT16,1024",
    "BFLOAT16,2048"
  })
  void everyOperationIsTheProcessors(Precision precision, int width) {
    Map<String, TensorData> expected = LayersExample.expected(width);
    Device device = Device.cuda(precision);
    Map<String, TensorData> found = new LayersExample(width).results(device.layers(), device);
    assertEquals(expected.keySet(), found.keySet());
    assertAll(
        expected.keySet().stream()
            .map(
                name ->
                    () -> {
                      double apart = TensorDifference.relative(found.get(name), expected.get(name));
                      assertTrue(apart <= LayersExample.tolerance(precision), name + ": " + apart);
                    }));
  }

  /** They add up in a fixed order. */
  @ParameterizedTest
  @EnumSource
  void resultsRepeatToTheBit(Precision precision) {
    Device device = Device.cuda(precision);
    LayersExample example = new LayersExample(512);
    assertEquals(
        example.results(device.layers(), device), example.results(device.layers(), device));
  }

  @ParameterizedTest
  @EnumSource
  void aNanStaysOne(Precision precision) {
    Device device = Device.cuda(precision);
    Layers layers = device.layers();
    Tensor x = layers.entering(device.place(torch.ones(1, 9, 4).mul(Tensors.scalar(Double.NaN))));
    Tensor weight = layers.entering(device.place(torch.ones(1, 4, 256)));
    Tensor bias = device.place(torch.zeros(1, 1, 256));
    Tensor one = device.place(torch.ones(1, 1, 256));
    assertTrue(layers.linearRelu(x, weight, bias, null).isnan().all().item_bool(), "relu");
    assertTrue(
        layers.linearNormTanh(x, weight, bias, one, bias, false).output().isnan().all().item_bool(),
        "tanh");
  }

  @Test
  void bfloat16IsRefusedForOtherWidths() {
    Device device = Device.cuda(Precision.BFLOAT16);
    LayersExample example = new LayersExample(24);
    String refusal =
        assertThrows(UserError.class, () -> example.results(device.layers(), device)).getMessage();
    assertTrue(refusal.contains("multiples of 256"), refusal);
  }
}
