package dev.psm.agents.finite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.agents.SmallWorlds;
import dev.psm.core.mdp.TransitionTable;
import dev.psm.torch.Handles;
import dev.psm.torch.Parameters;
import dev.psm.torch.Tensors;
import java.util.Random;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;

class LaplacianTest {
  private static final TransitionTable ROOM = SmallWorlds.room(0.9);

  private static BaselineSettings quick(String... more) {
    return BaselineTraining.quick(LaplacianModel.presets(0.98).get("tabular"), more);
  }

  @Test
  void fewHundredStepsTeachARoom() {
    Laplacian trainer = new Laplacian(quick("gradientSteps=500", "targetRate=0.05"), ROOM, 1);
    double before = SmallWorlds.roomError(trainer.model().actionValues(SmallWorlds.roomGoals()));
    BaselineTraining.train(trainer);
    double after = SmallWorlds.roomError(trainer.model().actionValues(SmallWorlds.roomGoals()));
    BaselineTraining.assertOffsetAndScaleChangeNoPolicy(trainer.model());
    assertTrue(before > 35 && after < 20, "from " + before + " % to " + after + " %");
  }

  @Test
  void taskVectorsAreTheLeastSquaresFitUnderTheData() {
    int d = 3;
    TransitionTable data = SmallWorlds.stochastic(0.9);
    LaplacianModel model = new LaplacianModel(quick("featureDimension=" + d).shape(), data, 3);
    float[] phi =
        Tensors.toFloats(
            model.features(model.featureParameters(), Tensors.longs(new int[] {0, 1, 2, 3}, 4)));
    double[] rho = data.nextStateDistribution();
    double[][] rewards = {{1, -0.5, 0.3, 2}, {0, 1, 0, 0}};
    float[] found =
        Tensors.toFloats(model.taskVectors(Tensors.matrix(rewards), Tensors.floats(rho, 4)));
    for (int prompt = 0; prompt < 2; prompt++) {
      double[][] normal = new double[d][d + 1];
      for (int state = 0; state < 4; state++) {
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
  void theSuccessorLossBootstrapsFromTheBestActionOfTheLowerHead() {
    int d = 3;
    int rows = 6;
    Laplacian trainer = new Laplacian(quick("featureDimension=" + d, "goalShare=1"), ROOM, 7);
    LaplacianModel model = trainer.model();
    // Online and target must differ for the test to tell them apart.
    trainer
        .forward
        .target()
        .averageTowards(new Laplacian(trainer.settings, ROOM, 8).model().forwardParameters(), 1);
    Batch batch = Batch.sample(model.data(), rows, new Random(1));
    Tensor features = model.features(model.featureParameters(), batch.nextStates());
    Tensor taskVectors = features.index_select(0, batch.permutation());
    float[] phi = Tensors.toFloats(features);
    float[] z = Tensors.toFloats(taskVectors);
    Tensor[] online =
        model
            .forward()
            .forward(model.forwardParameters(), model.observe(batch.states()), taskVectors);
    Tensor[] next =
        model
            .forward()
            .forward(trainer.forward.target(), model.observe(batch.nextStates()), taskVectors);
    float[][] psi = new float[2][];
    float[][] target = new float[2][];
    for (int head = 0; head < 2; head++) {
      psi[head] = Tensors.toFloats(ForwardNetwork.at(online[head], batch.actions()));
      target[head] = Tensors.toFloats(next[head]);
    }
    double loss = 0;
    for (int i = 0; i < rows; i++) {
      double best = Double.NEGATIVE_INFINITY;
      for (int action = 0; action < 5; action++) {
        int at = (i * 5 + action) * d;
        best = Math.max(best, Math.min(dot(target[0], at, z, i * d), dot(target[1], at, z, i * d)));
      }
      double y = dot(phi, i * d, z, i * d) + 0.9 * best;
      for (int head = 0; head < 2; head++) {
        double q = dot(psi[head], i * d, z, i * d);
        loss += (q - y) * (q - y) / rows;
      }
    }
    assertEquals(
        loss, trainer.successorLoss(batch, new Random(2)).item_double(), 1e-4 * (1 + loss));
  }

  private static double dot(float[] x, int xAt, float[] y, int yAt) {
    double sum = 0;
    for (int k = 0; k < 3; k++) {
      sum += x[xAt + k] * y[yAt + k];
    }
    return sum;
  }

  @Test
  void successorFeaturesTeachTheFeaturesNothing() {
    Laplacian trainer = new Laplacian(quick(), ROOM, 1);
    Tensor loss = trainer.successorLoss(Batch.sample(ROOM, 8, new Random(1)), new Random(2));
    assertTrue(
        Handles.at(Tensors.gradients(loss, trainer.model().forwardParameters().vector()), 0)
            .defined());
    Tensor again = trainer.successorLoss(Batch.sample(ROOM, 8, new Random(1)), new Random(2));
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
      Parameters before = trainer.forward.target().targetCopy();
      trainer.step();
      assertNull(
          SmallWorlds.notAveraged(
              before, trainer.model().forwardParameters(), trainer.forward.target(), 0.1));
    }
    trainer.forward.target().asMap().values().forEach(t -> assertFalse(t.requires_grad()));
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
