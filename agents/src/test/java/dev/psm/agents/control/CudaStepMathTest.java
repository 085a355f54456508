package dev.psm.agents.control;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.psm.core.UserError;
import dev.psm.core.io.TensorData;
import dev.psm.torch.CudaSupport;
import dev.psm.torch.Device;
import dev.psm.torch.Precision;
import dev.psm.torch.TensorDifference;
import dev.psm.torch.Tensors;
import java.util.Map;
import java.util.Optional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The kernels between networks against libtorch's operators on the processor. */
@Tag("gpu")
class CudaStepMathTest {
  /** Of single precision, which these have whatever the precision of products. */
  private static final double TOLERANCE = 1e-5;

  @BeforeEach
  void requireGpu() {
    Optional<String> problem = CudaSupport.problem().map(UserError::getMessage);
    assumeTrue(problem.isEmpty(), problem.orElse(""));
  }

  @ParameterizedTest
  @CsvSource({"2,40", "3,5", "2,128"})
  void everyFormulaIsTheProcessors(int members, int dimension) {
    StepMathExample example = new StepMathExample(members, dimension);
    Map<String, TensorData> found =
        example.results(new CudaStepMath(), Device.cuda(Precision.FLOAT32));
    Map<String, TensorData> expected = example.results(new StepMath(), Device.CPU);
    assertEquals(expected.keySet(), found.keySet());
    assertAll(
        expected.keySet().stream()
            .map(
                name ->
                    () -> {
                      double apart = TensorDifference.relative(found.get(name), expected.get(name));
                      assertTrue(apart <= TOLERANCE, name + ": " + apart);
                    }));
  }

  @Test
  void aNanStaysOne() {
    Device device = Device.cuda(Precision.FLOAT32);
    Tensor nan = device.place(torch.ones(1, 3, 2).mul(Tensors.scalar(Double.NaN)));
    Tensor noise = device.place(torch.zeros(1, 3, 2));
    StepMath.Actions actions = new CudaStepMath().noisyActions(nan, noise, 0.2, 0.3);
    assertTrue(actions.mean().isnan().all().item_bool());
    assertTrue(actions.noisy().isnan().all().item_bool());
  }
}
