package dev.psm.agents;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.psm.torch.Handles;
import dev.psm.torch.Tensors;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.junit.jupiter.api.Test;

class TruncatedNormalTest {
  private static final float[] MEANS = {0, 0.5f, -0.9f, 0.95f, 1, -1};
  private static final float[] NOISE = {1, -3, -1, 0.5f, 0, -9};

  @Test
  void noiseIsScaledAndClippedAndTheSumKeptInsideTheBounds() {
    float[] found =
        Tensors.toFloats(
            TruncatedNormal.sample(Tensors.floats(MEANS, 6), Tensors.floats(NOISE, 6), 0.2, 0.3));
    double bound = 1 - 1e-6;
    double[] expected = {0.2, 0.2, -bound, bound, bound, -bound};
    for (int i = 0; i < expected.length; i++) {
      assertEquals(expected[i], found[i], 1e-7);
    }
  }

  @Test
  void theGradientIsOneEvenWhereTheBoundHolds() {
    Tensor mean = Tensors.floats(MEANS, 6).set_requires_grad(true);
    Tensor actions = TruncatedNormal.sample(mean, Tensors.floats(NOISE, 6), 0.2, 0.3);
    Tensor gradient = Handles.at(Tensors.gradients(actions.sum(), new TensorVector(mean)), 0);
    for (float found : Tensors.toFloats(gradient)) {
      assertEquals(1, found);
    }
  }
}
