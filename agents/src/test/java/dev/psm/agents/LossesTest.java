package dev.psm.agents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.torch.Handles;
import dev.psm.torch.Parameters;
import dev.psm.torch.Tensors;
import java.util.Random;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;

class LossesTest {
  private static final double[][] M = {{1, 2, 3}, {4, 5, 6}, {7, 8, 10}};
  private static final double[][] BOOTSTRAP = {{9, 1, 1}, {2, 9, 3}, {5, 4, 9}};

  @Test
  void contrastiveIsTheHandComputedExampleWithBothDiagonalWeights() {
    // Off the diagonal M − bootstrap is 1, 2, 2, 3, 2, 4: squares 1 + 4 + 4 + 9 + 4 + 16 = 38.
    double squares = 0.5 * 38 / 6;
    double diagonal = (1 + 5 + 10) / 3.0;
    Tensor m = Tensors.matrix(M);
    Tensor bootstrap = Tensors.matrix(BOOTSTRAP);
    assertEquals(
        squares - 0.02 * diagonal, Losses.contrastive(m, bootstrap, 0.02).item_double(), 1e-5);
    assertEquals(squares - diagonal, Losses.contrastive(m, bootstrap, 1).item_double(), 1e-5);
  }

  @Test
  void equalStatesAreStillIndependentSamples() {
    // Every row and column is the same state: all B(B − 1) pairs off the diagonal count.
    int batch = 5;
    Tensor m = torch.ones(batch, batch).mul(Tensors.scalar(3));
    Tensor bootstrap = torch.ones(batch, batch);
    assertEquals(0.5 * 4 - 0.1 * 3, Losses.contrastive(m, bootstrap, 0.1).item_double(), 1e-5);
    Parameters online = new Parameters().add("m", m);
    float[] gradient =
        Tensors.toFloats(
            Handles.at(
                Tensors.gradients(
                    Losses.contrastive(online.get("m"), bootstrap, 0.1), online.vector()),
                0));
    int counted = 0;
    for (float g : gradient) {
      counted += Math.abs(g - 2.0 / (batch * (batch - 1))) < 1e-6 ? 1 : 0;
    }
    assertEquals(batch * (batch - 1), counted);
  }

  @Test
  void permutingRowsAndColumnsTogetherLeavesTheLoss() {
    Tensor order = Tensors.longs(new long[] {2, 0, 1}, 3);
    Tensor m = Tensors.matrix(M);
    Tensor bootstrap = Tensors.matrix(BOOTSTRAP);
    double loss = Losses.contrastive(m, bootstrap, 0.3).item_double();
    Tensor bothM = m.index_select(0, order).index_select(1, order);
    Tensor bothBootstrap = bootstrap.index_select(0, order).index_select(1, order);
    assertEquals(loss, Losses.contrastive(bothM, bothBootstrap, 0.3).item_double(), 1e-5);
    double rowsOnly =
        Losses.contrastive(m.index_select(0, order), bootstrap.index_select(0, order), 0.3)
            .item_double();
    assertTrue(Math.abs(rowsOnly - loss) > 0.1, "rows alone must not be exchangeable");
  }

  @Test
  void orthonormalityIsThePlainLoop() {
    Tensor phi = Tensors.gaussian(new Random(1), 6, 3);
    float[] x = Tensors.toFloats(phi);
    double off = 0;
    double diagonal = 0;
    for (int i = 0; i < 6; i++) {
      for (int j = 0; j < 6; j++) {
        double dot = 0;
        for (int k = 0; k < 3; k++) {
          dot += x[i * 3 + k] * x[j * 3 + k];
        }
        if (i == j) {
          diagonal += dot;
        } else {
          off += dot * dot;
        }
      }
    }
    assertEquals(off / 30 - 2 * diagonal / 6, Losses.orthonormality(phi).item_double(), 1e-4);
  }

  @Test
  void orthonormalFeaturesAreItsMinimum() {
    // √4 · e_i in equal shares has E[φφᵀ] = I; the batch is large, so that i ≠ j hardly matters.
    int batch = 400;
    double[][] rows = new double[batch][4];
    for (int i = 0; i < batch; i++) {
      rows[i][i % 4] = 2;
    }
    Tensor orthonormal = Tensors.matrix(rows);
    double least = Losses.orthonormality(orthonormal).item_double();
    assertEquals(-4, least, 0.05);
    for (double factor : new double[] {0.8, 0.9, 1.1, 1.2}) {
      assertTrue(
          Losses.orthonormality(orthonormal.mul(Tensors.scalar(factor))).item_double() > least);
    }
    Random random = new Random(2);
    for (int trial = 0; trial < 5; trial++) {
      Tensor mixing = torch.eye(4).add(Tensors.gaussian(random, 4, 4).mul(Tensors.scalar(0.2)));
      assertTrue(Losses.orthonormality(orthonormal.matmul(mixing)).item_double() > least);
    }
    assertTrue(
        Losses.orthonormality(Tensors.onSphere(torch.ones(batch, 4))).item_double() > least,
        "a collapsed feature must be worse");
  }
}
