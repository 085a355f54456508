package dev.psm.agents.control;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.bytedeco.pytorch.Tensor;

/** Comparison of tensors, relative to the largest of the expected numbers. */
public final class Near {
  private Near() {}

  public static void assertNear(Tensor expected, Tensor found, double relative, String what) {
    assertArrayEquals(expected.sizes().vec().get(), found.sizes().vec().get(), what);
    double size = expected.abs().max().item_double();
    double error = expected.sub(found).abs().max().item_double() / size;
    assertTrue(error <= relative, "%s: relative error %s".formatted(what, error));
    assertTrue(size > 0, what + " is all zero, which proves nothing");
  }
}
