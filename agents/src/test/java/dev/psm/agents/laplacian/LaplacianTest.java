package dev.psm.agents.laplacian;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.agents.BaselineSettings;
import dev.psm.agents.BaselineTraining;
import dev.psm.agents.Batch;
import dev.psm.agents.SmallWorlds;
import dev.psm.core.data.TransitionTable;
import dev.psm.torch.Parameters;
import dev.psm.torch.Tensors;
import java.util.Random;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;

class LaplacianTest {
  private static final TransitionTable ROOM = SmallWorlds.room(0.9);

  private static BaselineSettings quick(String... more) {
    return BaselineTraining.quick(LaplacianModel.presets().get("tabular"), more);
  }

  @Test
  void fewHundredStepsTeachARoom() {
    Laplacian trainer = new Laplacian(quick("gradientSteps=500", "targetRate=0.05"), ROOM, 1);
    double before = SmallWorlds.roomError(trainer.model().actionValues(SmallWorlds.roomGoals()));
    BaselineTraining.train(trainer);
    double after = SmallWorlds.roomError(trainer.model().actionValues(SmallWorlds.roomGoals()));
    assertTrue(before > 35 && after < 20, "from " + before + " % to " + after + " %");
  }

  @Test
  void taskVectorsAreTheLeastSquaresFitUnderTheData() {
    int d = 3;
    LaplacianModel model = new LaplacianModel(quick("featureDimension=" + d), ROOM, 3);
    int[] states = new int[16];
    for (int state = 0; state < 16; state++) {
      states[state] = state;
    }
    float[] phi =
        Tensors.toFloats(model.features(model.featureParameters(), Tensors.longs(states, 16)));
    double[] rho = ROOM.nextStateDistribution();
    double[][] rewards = {new Random(1).doubles(16, -1, 1).toArray(), SmallWorlds.roomGoals()[5]};
    float[] found =
        Tensors.toFloats(model.taskVectors(Tensors.matrix(rewards), Tensors.floats(rho, 16)));
    for (int prompt = 0; prompt < 2; prompt++) {
      double[][] normal = new double[d][d + 1];
      for (int state = 0; state < 16; state++) {
        for (int i = 0; i < d; i++) {
          for (int j = 0; j < d; j++) {
            normal[i][j] += rho[state] * phi[state * d + i] * phi[state * d + j];
          }
          normal[i][d] += rho[state] * phi[state * d + i] * rewards[prompt][state];
        }
      }
      double[] expected = solved(normal);
      double norm = 0;
      double length = 0;
      for (int k = 0; k < d; k++) {
        norm += expected[k] * expected[k];
        length += found[prompt * d + k] * found[prompt * d + k];
      }
      for (int k = 0; k < d; k++) {
        assertEquals(Math.sqrt(d) * expected[k] / Math.sqrt(norm), found[prompt * d + k], 1e-3);
      }
      assertEquals(Math.sqrt(d), Math.sqrt(length), 1e-5);
    }
  }

  /** Gauss-Jordan elimination of [A | b]; A is positive definite, so no pivoting. */
  private static double[] solved(double[][] rows) {
    int d = rows.length;
    for (int pivot = 0; pivot < d; pivot++) {
      for (int row = 0; row < d; row++) {
        double factor = row == pivot ? 0 : rows[row][pivot] / rows[pivot][pivot];
        for (int column = 0; column <= d; column++) {
          rows[row][column] -= factor * rows[pivot][column];
        }
      }
    }
    double[] x = new double[d];
    for (int i = 0; i < d; i++) {
      x[i] = rows[i][d] / rows[i][i];
    }
    return x;
  }

  @Test
  void featureLossAveragesTheStepOverRowsAndFeatures() {
    Tensor phi = Tensors.gaussian(new Random(1), 5, 3);
    Tensor next = Tensors.gaussian(new Random(2), 5, 3);
    float[] x = Tensors.toFloats(phi);
    float[] y = Tensors.toFloats(next);
    double change = 0;
    double off = 0;
    double diagonal = 0;
    for (int i = 0; i < 15; i++) {
      change += (x[i] - y[i]) * (x[i] - y[i]);
    }
    for (int i = 0; i < 5; i++) {
      for (int j = 0; j < 5; j++) {
        double dot = 0;
        for (int k = 0; k < 3; k++) {
          dot += x[i * 3 + k] * x[j * 3 + k];
        }
        off += i == j ? 0 : dot * dot;
        diagonal += i == j ? dot : 0;
      }
    }
    double expected = change / 15 + 0.7 * (off / 20 - 2 * diagonal / 5);
    assertEquals(expected, Laplacian.featureLoss(phi, next, 0.7).item_double(), 1e-4);
  }

  @Test
  void successorFeaturesTeachTheFeaturesNothing() {
    Laplacian trainer = new Laplacian(quick(), ROOM, 1);
    Tensor loss = trainer.successorLoss(Batch.sample(ROOM, 8, new Random(1)));
    assertFalse(
        Tensors.gradients(loss, trainer.model().forwardParameters().vector()).get(0).isNull());
    Tensor again = trainer.successorLoss(Batch.sample(ROOM, 8, new Random(1)));
    RuntimeException unused =
        assertThrows(
            RuntimeException.class,
            () -> Tensors.gradients(again, trainer.model().featureParameters().vector()));
    assertTrue(unused.getMessage().contains("not have been used"), unused.getMessage());
  }

  @Test
  void targetsMoveOnlyByAveraging() {
    Laplacian trainer = new Laplacian(quick("targetRate=0.1"), ROOM, 1);
    for (int step = 0; step < 3; step++) {
      Parameters before = trainer.targetSuccessor.targetCopy();
      trainer.step();
      assertNull(
          SmallWorlds.notAveraged(
              before, trainer.model().forwardParameters(), trainer.targetSuccessor, 0.1));
    }
    trainer.targetSuccessor.asMap().values().forEach(t -> assertFalse(t.requires_grad()));
  }

  @Test
  void theSeedDecidesEveryBit() {
    BaselineTraining.assertSeedDecidesEveryBit(seed -> new Laplacian(quick(), ROOM, seed));
  }

  @Test
  void savedTensorsMakeAFreshModelAnswerAlike() {
    BaselineTraining.assertSavedAndLoaded(seed -> new Laplacian(quick(), ROOM, seed));
  }
}
