package dev.psm.agents.affine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.psm.core.UserError;
import dev.psm.torch.CudaSupport;
import dev.psm.torch.Device;
import dev.psm.torch.Precision;
import dev.psm.torch.TensorDifference;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Affine PSM's steps on a GPU. */
@Tag("gpu")
class CudaAffinePsmTest {
  @BeforeEach
  void requireGpu() {
    Optional<String> problem = CudaSupport.problem().map(UserError::getMessage);
    assumeTrue(problem.isEmpty(), problem.orElse(""));
  }

  /**
   * Rounds of enrichment within, after which steps are recorded anew. Not with sampled rows of
   * tables: libtorch adds up their gradients in no fixed order.
   */
  @ParameterizedTest
  @CsvSource({"exact,tables,3", "exact,networks,2", "mesh,networks,0"})
  void recordedStepsAreEagerOnesToTheBit(String expectation, String representation, int enriched) {
    Device device = Device.cuda(Precision.FLOAT32);
    try (AffinePsm eager = StepBlockTest.trainer(expectation, representation, enriched, device);
        AffinePsm recorded = StepBlockTest.trainer(expectation, representation, enriched, device)) {
      eager.stepEagerly();
      StepBlockTest.assertSameTraining(eager, recorded);
    }
  }

  /** The host draws the same numbers for both. */
  @Test
  void theLeastSquaresStepIsTheProcessors() {
    Device device = Device.cuda(Precision.FLOAT32);
    try (AffinePsm here = StepBlockTest.trainer("exact", "tables", 3, Device.CPU);
        AffinePsm there = StepBlockTest.trainer("exact", "tables", 3, device)) {
      while (here.stepsDone() < here.settings().gradientSteps()) {
        here.step();
        there.step();
      }
      assertEquals(
          Arrays.deepToString(here.model().enriched()),
          Arrays.deepToString(there.model().enriched()));
      TensorDifference difference =
          TensorDifference.largest(
              there.model().tensors(), here.model().tensors(), name -> name.contains("basis"));
      assertTrue(difference.relative() < 1e-3, difference::toString);
    }
  }
}
