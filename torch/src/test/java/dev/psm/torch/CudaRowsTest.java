package dev.psm.torch;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.psm.core.UserError;
import dev.psm.core.io.TensorData;
import java.util.Map;
import java.util.Optional;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows on spheres, inverses and Adam with its targets against libtorch's on the processor. */
@Tag("gpu")
class CudaRowsTest {
  /** Of sums of a hundred numbers of single precision. */
  private static final double TOLERANCE = 1e-5;

  /** Half of the last of bfloat16's bits. */
  private static final double ROUNDED = 1.0 / 256;

  @BeforeEach
  void requireGpu() {
    Optional<String> problem = CudaSupport.problem().map(UserError::getMessage);
    assumeTrue(problem.isEmpty(), problem.orElse(""));
  }

  @ParameterizedTest
  @EnumSource
  void everyResultIsTheProcessors(Precision precision) {
    Map<String, TensorData> found = RowsExample.results(Device.cuda(precision));
    Map<String, TensorData> expected = RowsExample.results(Device.CPU);
    assertEquals(expected.keySet(), found.keySet());
    assertAll(
        expected.keySet().stream()
            .map(
                name ->
                    () -> {
                      boolean rounded =
                          precision == Precision.BFLOAT16 && name.startsWith("factor/");
                      double apart = TensorDifference.relative(found.get(name), expected.get(name));
                      assertTrue(apart <= (rounded ? ROUNDED : TOLERANCE), name + ": " + apart);
                    }));
    if (precision == Precision.BFLOAT16) {
      assertEquals(rounded(found.get("parameters/rest")), found.get("factor/rest"));
      assertEquals(rounded(found.get("target/fours")), found.get("factor/target fours"));
    }
  }

  private static TensorData rounded(TensorData data) {
    return Tensors.toData(
        Tensors.floats(data.floats(), data.shape())
            .to(torch.ScalarType.BFloat16)
            .to(torch.ScalarType.Float));
  }
}
