package dev.psm.agents.control;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.agents.Agents;
import dev.psm.agents.SmallWorlds;
import dev.psm.agents.training.Experience;
import dev.psm.agents.training.GradientTrainer;
import dev.psm.core.data.Dataset;
import dev.psm.core.settings.Settings;
import dev.psm.torch.Device;
import dev.psm.torch.Precision;
import dev.psm.torch.TensorDifference;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What must hold of every agent's gradient steps on a device. A GPU is what it is for; that the
 * processor agrees with itself shows that these checks work.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class DeviceSteps {
  private static final List<Long> SEEDS = List.of(3L, 8L, 5L);

  /** Over the end of a block of random inputs and, of agents that have two phases, of the first. */
  private static final int STEPS = GradientTrainer.BLOCK_STEPS + 10;

  /** Enough for a GPU to replay what it recorded. */
  private static final int FEW_STEPS = 6;

  @TempDir static Path folder;
  private Dataset dataset;

  /**
   * An agent at a size.
   *
   * @param size changes to its default preset
   */
  record Case(ControlAgent agent, Precision precision, List<String> size) {
    @Override
    public String toString() {
      return agent.id() + ", " + precision + ", " + String.join(" ", size);
    }
  }

  abstract Device device(Precision precision);

  /** Which sizes are tried with which precision. */
  abstract Stream<Case> cases(ControlAgent agent);

  Stream<Case> cases() {
    return Agents.control().stream().flatMap(this::cases);
  }

  private Experience data(Device device) {
    if (dataset == null) {
      dataset = StepTrial.noise(folder.resolve("data")).dataset();
    }
    return new Experience(dataset, device);
  }

  /** With steps as a GPU takes them: on a processor only nothing is recorded. */
  private static ControlTrainer trainer(
      Case one, Experience data, List<Long> seeds, List<String> changes) {
    Record preset = one.agent.preset(ControlAgent.DEFAULT_PRESET, SmallWorlds.BODY);
    Record sized = Settings.override(one.agent.withSteps(preset, STEPS), one.size);
    Record settings = Settings.override(sized, changes);
    ControlTrainer trainer = one.agent.trainer(settings, data, seeds);
    if (!data.device().isCuda()) {
      trainer.stepEagerly();
    }
    return trainer;
  }

  /**
   * At rest, with all that the agent learns learned in every step. Where features are not
   * orthonormal, task vectors of goals and rewards are divided by their covariance, which in noise
   * of three numbers is nearly singular: rounding would decide on them, and so on all gradients.
   */
  private static ControlTrainer resting(Case one, Experience data, List<Long> seeds) {
    List<String> changes = new ArrayList<>(DeviceChecks.AT_REST);
    changes.addAll(one.agent.parts().get(ControlAgent.WHOLE_STEP));
    if (one.agent.modelKind() != ControlModel.Kind.MEASURE) {
      changes.addAll(List.of("goalShare=0", "rewardShare=0"));
    }
    return trainer(one, data, seeds, changes);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void recordedStepsAreEagerOnesToTheBit(Case one) {
    Device device = device(one.precision);
    try (Experience data = data(device);
        ControlTrainer recorded = trainer(one, data, SEEDS, List.of());
        ControlTrainer eager = trainer(one, data, SEEDS, List.of())) {
      eager.stepEagerly();
      TensorDifference difference = DeviceChecks.afterSteps(recorded, eager, STEPS);
      assertEquals(0, difference.relative(), difference::tensor);
      assertEquals(device.isCuda(), recorded.recordedKernels() > 0);
      assertEquals(0, eager.recordedKernels());
      Map<String, double[]> expected = eager.metrics();
      Map<String, double[]> found = recorded.metrics();
      assertEquals(expected.keySet(), found.keySet());
      expected.forEach((name, values) -> assertArrayEquals(values, found.get(name), name));
    }
  }

  /** Means of the gradients of several steps; products of other shapes may round differently. */
  @ParameterizedTest
  @MethodSource("cases")
  void seedsSideBySideHaveTheGradientsThatEachHasAlone(Case one) {
    try (Experience data = data(device(one.precision));
        ControlTrainer together = resting(one, data, SEEDS)) {
      for (int step = 0; step < FEW_STEPS; step++) {
        together.step();
      }
      for (long seed : SEEDS) {
        try (ControlTrainer alone = resting(one, data, List.of(seed))) {
          for (int step = 0; step < FEW_STEPS; step++) {
            alone.step();
          }
          assertWithin(
              DeviceChecks.gradientTolerance(one.precision),
              DeviceChecks.gradientDifference(alone, together));
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void gradientsAreTheProcessors(Case one) {
    try (Experience data = data(device(one.precision));
        Experience onProcessor = data(Device.CPU);
        ControlTrainer there = resting(one, data, SEEDS);
        ControlTrainer here = resting(one, onProcessor, SEEDS)) {
      assertWithin(
          DeviceChecks.gradientTolerance(one.precision), DeviceChecks.gradients(there, here));
    }
  }

  /** The tolerance of gradients is wide, but not so wide that other work would pass. */
  @ParameterizedTest
  @MethodSource("cases")
  void anotherStepHasOtherGradients(Case one) {
    try (Experience data = data(device(one.precision));
        ControlTrainer some = resting(one, data, SEEDS);
        ControlTrainer same = resting(one, data, SEEDS)) {
      some.step();
      same.step();
      some.step();
      TensorDifference difference = DeviceChecks.gradientDifference(some, same);
      assertTrue(
          difference.relative() > DeviceChecks.gradientTolerance(Precision.BFLOAT16),
          difference::toString);
    }
  }

  private static void assertWithin(double allowed, TensorDifference difference) {
    assertTrue(difference.relative() <= allowed, () -> difference + ", allowed " + allowed);
  }
}
