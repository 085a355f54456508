package dev.psm.torch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.io.TensorData;
import java.util.Random;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;

class TensorsTest {

  @Test
  void onSphereGivesEveryRowTheNormRootDAndKeepsItsDirection() {
    Tensor x = Tensors.gaussian(new Random(1), 20, 7).mul(Tensors.scalar(30));
    float[] before = Tensors.toFloats(x);
    float[] after = Tensors.toFloats(Tensors.onSphere(x));
    for (int row = 0; row < 20; row++) {
      double dot = 0;
      double normBefore = 0;
      double normAfter = 0;
      for (int i = row * 7; i < row * 7 + 7; i++) {
        dot += before[i] * after[i];
        normBefore += before[i] * before[i];
        normAfter += after[i] * after[i];
      }
      assertEquals(Math.sqrt(7), Math.sqrt(normAfter), 1e-5);
      assertEquals(1, dot / Math.sqrt(normBefore * normAfter), 1e-5);
    }
  }

  @Test
  void onSphereOfZeroIsZeroRatherThanNaN() {
    assertArrayEquals(new float[3], Tensors.toFloats(Tensors.onSphere(torch.zeros(3))));
  }

  @Test
  void effectiveRankCountsTheDimensionsInUse() {
    assertEquals(4, Tensors.effectiveRank(torch.eye(4)), 1e-4);
    Tensor column = Tensors.gaussian(new Random(2), 10, 1);
    Tensor oneDirection = column.matmul(Tensors.floats(new float[] {1, 2, 3}, 1, 3));
    assertEquals(1, Tensors.effectiveRank(oneDirection), 1e-2);
    // Energies 9 and 1: shares 0.9 and 0.1.
    double entropy = -0.9 * Math.log(0.9) - 0.1 * Math.log(0.1);
    Tensor unequal = Tensors.floats(new float[] {3, 0, 0, 1, 0, 0}, 3, 2);
    assertEquals(Math.exp(entropy), Tensors.effectiveRank(unequal), 1e-4);
  }

  @Test
  void aMatrixThatIsNotFiniteHasNoRank() {
    for (float value : new float[] {Float.NaN, Float.POSITIVE_INFINITY, 1e30f}) {
      Tensor matrix = Tensors.floats(new float[] {1, 0, 0, value}, 2, 2);
      assertEquals(Double.NaN, Tensors.effectiveRank(matrix));
    }
  }

  @Test
  void effectiveRankIgnoresScale() {
    Tensor x = Tensors.gaussian(new Random(3), 12, 5);
    assertEquals(Tensors.effectiveRank(x), Tensors.effectiveRank(x.mul(Tensors.scalar(50))), 1e-3);
  }

  @Test
  void valuesComeBackInRowMajorOrderEvenFromAView() {
    Tensor matrix = Tensors.matrix(new double[][] {{1, 2, 3}, {4, 5, 6}});
    assertArrayEquals(new float[] {1, 2, 3, 4, 5, 6}, Tensors.toFloats(matrix));
    assertArrayEquals(new float[] {1, 4, 2, 5, 3, 6}, Tensors.toFloats(matrix.t()));
    assertEquals(TensorData.of(new float[] {1, 4, 2, 5, 3, 6}, 3, 2), Tensors.toData(matrix.t()));
  }

  @Test
  void gaussianDrawsAreStandardNormal() {
    Tensor draws = Tensors.gaussian(new Random(4), 100, 200);
    assertEquals(0, draws.mean().item_double(), 0.03);
    assertEquals(1, draws.square().mean().item_double(), 0.05);
  }

  @Test
  void theWayBackFromTheSphereIsLibtorchsOwn() {
    Random random = new Random(3);
    Tensor x = Tensors.gaussian(random, 2, 5, 4).set_requires_grad(true);
    Tensor gradient = Tensors.gaussian(random, 2, 5, 4);
    Tensor expected = Tensors.gradient(x, at -> Tensors.onSphere(at).mul(gradient));
    Tensor found = Tensors.backFromSphere(x.detach(), gradient);
    assertEquals(0, expected.sub(found).abs().max().item_double(), 1e-6);
    assertTrue(expected.abs().max().item_double() > 0.1);
  }
}
