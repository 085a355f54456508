package dev.psm.torch;

import dev.psm.core.io.DType;
import dev.psm.core.io.TensorData;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The tensor in which what was found is furthest from what was expected, by ‖found − expected‖ /
 * ‖expected‖: how tests and benchmarks compare one device with another.
 */
public record TensorDifference(String tensor, double relative) {

  /**
   * The largest difference.
   *
   * @param compared by name
   */
  public static TensorDifference largest(
      Map<String, TensorData> found, Map<String, TensorData> expected, Predicate<String> compared) {
    return expected.keySet().stream()
        .filter(compared)
        .map(name -> new TensorDifference(name, relative(found.get(name), expected.get(name))))
        .max(Comparator.comparingDouble(TensorDifference::relative))
        .orElseThrow(() -> new IllegalArgumentException("nothing to compare"));
  }

  /**
   * ‖found − expected‖ / ‖expected‖, and ‖found‖ where zeros are expected. Without bound where
   * there is a NaN, another shape or nothing at all; whole numbers are equal or not.
   */
  public static double relative(TensorData found, TensorData expected) {
    if (found == null
        || found.dtype() != expected.dtype()
        || !Arrays.equals(found.shape(), expected.shape())) {
      return Double.POSITIVE_INFINITY;
    }
    if (expected.dtype() != DType.F32) {
      return found.equals(expected) ? 0 : Double.POSITIVE_INFINITY;
    }
    float[] a = found.floats();
    float[] b = expected.floats();
    double apart = 0;
    double norm = 0;
    for (int i = 0; i < a.length; i++) {
      double gap = (double) a[i] - b[i];
      apart += gap * gap;
      norm += (double) b[i] * b[i];
    }
    double relative = Math.sqrt(norm == 0 ? apart : apart / norm);
    return Double.isNaN(relative) ? Double.POSITIVE_INFINITY : relative;
  }
}
