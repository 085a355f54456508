package dev.psm.agents.control;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.psm.core.UserError;
import dev.psm.torch.CudaSupport;
import dev.psm.torch.Device;
import dev.psm.torch.Precision;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

/** Every agent's steps on a GPU: kernels, recordings, seeds side by side. */
@Tag("gpu")
class CudaStepsTest extends DeviceSteps {
  /**
   * Widths that the kernels are made for. The batch is large, for of nearly equal values rounding
   * decides which one an actor follows: of few rows a single one would be a large difference.
   */
  private static final List<String> WIDE =
      List.of(
          "batchSize=1004",
          "featureDimension=128",
          "width=256",
          "featureWidth=256",
          "rewardShare=0.25");

  /** Widths that go the plain way. */
  private static final List<String> ODD =
      List.of("batchSize=1004", "featureDimension=50", "width=72", "featureWidth=40");

  @BeforeEach
  void requireGpu() {
    Optional<String> problem = CudaSupport.problem().map(UserError::getMessage);
    assumeTrue(problem.isEmpty(), problem.orElse(""));
  }

  @Override
  Device device(Precision precision) {
    return Device.cuda(precision);
  }

  @Override
  Stream<Case> cases(ControlAgent agent) {
    return Stream.of(
        new Case(agent, Precision.FLOAT32, ODD),
        new Case(agent, Precision.FLOAT32, WIDE),
        new Case(agent, Precision.TF32, WIDE),
        new Case(agent, Precision.BFLOAT16, WIDE));
  }
}
