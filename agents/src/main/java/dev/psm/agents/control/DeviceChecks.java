package dev.psm.agents.control;

import dev.psm.agents.training.StepInputs;
import dev.psm.torch.Precision;
import dev.psm.torch.TensorDifference;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/**
 * What must hold of gradient steps on a GPU. Tests ask it, and benchmarks before they time
 * anything.
 */
public final class DeviceChecks {
  /**
   * Settings under which a step moves no weight. Adam's first step is nearly the sign of a
   * gradient, so where one is nearly 0, rounding decides where the weight goes; gradients that a
   * step takes afterwards would differ by that as well.
   */
  public static final List<String> AT_REST =
      List.of("learningRate=1e-20", "actorLearningRate=1e-20", "featureLearningRate=1e-20");

  private DeviceChecks() {}

  /** How far two trainers of the same seeds are apart after so many steps of their own draws. */
  public static TensorDifference afterSteps(
      ControlTrainer found, ControlTrainer expected, int steps) {
    for (int step = 0; step < steps; step++) {
      found.step();
      expected.step();
    }
    return difference(found, expected, name -> true);
  }

  /**
   * How far the gradients of one step are apart, from the same weights and draws. Of trainers
   * {@link #AT_REST}.
   */
  public static TensorDifference gradients(ControlTrainer found, ControlTrainer expected) {
    try (StepInputs draws = expected.draw()) {
      expected.step(draws);
      found.step(draws);
    }
    return gradientDifference(found, expected);
  }

  /**
   * Of all seeds that were found: Adam's first moments, which are means of the gradients so far,
   * after the first step a tenth of its gradient.
   */
  static TensorDifference gradientDifference(ControlTrainer found, ControlTrainer expected) {
    return difference(found, expected, name -> name.endsWith(".first"));
  }

  private static TensorDifference difference(
      ControlTrainer found, ControlTrainer expected, Predicate<String> compared) {
    return found.seeds().stream()
        .map(
            seed ->
                TensorDifference.largest(
                    found.checkpoint(seed), expected.checkpoint(seed), compared))
        .max(Comparator.comparingDouble(TensorDifference::relative))
        .orElseThrow();
  }

  /**
   * The largest difference of {@link #gradients} from the processor's that rounding explains. Wide:
   * on noise for data, an H200 was 0.0011 apart with float32, 0.047 with tf32 and 0.11 with
   * bfloat16, most in the actor, which follows the smaller of two values, and of nearly equal ones
   * rounding decides which. Work left out is further away.
   */
  public static double gradientTolerance(Precision precision) {
    return switch (precision) {
      case FLOAT32 -> 1e-2;
      case TF32 -> 1e-1;
      case BFLOAT16 -> 4e-1;
    };
  }
}
