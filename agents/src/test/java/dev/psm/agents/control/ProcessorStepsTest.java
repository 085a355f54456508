package dev.psm.agents.control;

import dev.psm.torch.Device;
import dev.psm.torch.Precision;
import java.util.List;
import java.util.stream.Stream;

/** The checks of a GPU's steps, made on the processor. */
class ProcessorStepsTest extends DeviceSteps {
  @Override
  Device device(Precision precision) {
    return Device.CPU;
  }

  @Override
  Stream<Case> cases(ControlAgent agent) {
    return Stream.of(
        new Case(
            agent,
            Precision.FLOAT32,
            List.of("batchSize=10", "featureDimension=5", "width=8", "featureWidth=7")));
  }
}
