package dev.psm.agents.finite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.agents.SmallWorlds;
import dev.psm.core.Seeds;
import dev.psm.core.mdp.TransitionTable;
import dev.psm.torch.Parameters;
import dev.psm.torch.Tensors;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Test;

class ForwardBackwardTest {
  private static final TransitionTable ROOM = SmallWorlds.room(0.9);

  private static BaselineSettings quick(String... more) {
    return BaselineTraining.quick(ForwardBackwardModel.presets(0.98).get("tabular"), more);
  }

  @Test
  void fewHundredStepsTeachARoom() {
    ForwardBackward trainer =
        new ForwardBackward(quick("gradientSteps=400", "targetRate=0.05"), ROOM, 1);
    double before = SmallWorlds.roomError(trainer.model().actionValues(SmallWorlds.roomGoals()));
    BaselineTraining.train(trainer);
    double after = SmallWorlds.roomError(trainer.model().actionValues(SmallWorlds.roomGoals()));
    BaselineTraining.assertOffsetAndScaleChangeNoPolicy(trainer.model());
    assertTrue(before > 35 && after < 10, "from " + before + " % to " + after + " %");
  }

  @Test
  void taskVectorsAreTheClosedFormOnTheSphere() {
    int d = 3;
    TransitionTable data = SmallWorlds.stochastic(0.9);
    ForwardBackwardModel model =
        new ForwardBackwardModel(quick("featureDimension=" + d).shape(), data, 3);
    float[] b =
        Tensors.toFloats(
            model.features(model.featureParameters(), Tensors.longs(new int[] {0, 1, 2, 3}, 4)));
    double[] rho = data.nextStateDistribution();
    double[][] rewards = {{1, -0.5, 0.3, 2}, {0, 1, 0, 0}};
    float[] found =
        Tensors.toFloats(model.taskVectors(Tensors.matrix(rewards), Tensors.floats(rho, 4)));
    for (int prompt = 0; prompt < 2; prompt++) {
      double[] expected = new double[d];
      double norm = 0;
      double length = 0;
      for (int k = 0; k < d; k++) {
        for (int state = 0; state < 4; state++) {
          expected[k] += rewards[prompt][state] * rho[state] * b[state * d + k];
        }
        norm += expected[k] * expected[k];
        length += found[prompt * d + k] * found[prompt * d + k];
      }
      for (int k = 0; k < d; k++) {
        assertEquals(Math.sqrt(d) * expected[k] / Math.sqrt(norm), found[prompt * d + k], 1e-4);
      }
      assertEquals(Math.sqrt(d), Math.sqrt(length), 1e-5);
    }
  }

  @Test
  void theLossIsThatOfTheSmallerTargetAtTheGreedyAction() {
    int d = 3;
    int rows = 6;
    ForwardBackward trainer =
        new ForwardBackward(
            quick("featureDimension=" + d, "batchSize=" + rows, "goalShare=1"), ROOM, 7);
    ForwardBackwardModel model = trainer.model();
    // Online and target must differ for the test to tell them apart.
    SmallWorlds.randomise(model.featureParameters(), 5);
    trainer
        .forward
        .target()
        .averageTowards(
            new ForwardBackward(trainer.settings, ROOM, 9).model().forwardParameters(), 1);
    // The trainer's own first batch.
    Batch batch =
        Batch.sample(model.data(), rows, Seeds.generator(Seeds.mix(7, 0, "gradient step")));
    Tensor goals = batch.states().index_select(0, batch.permutation());
    Tensor taskVectors = model.features(model.featureParameters(), goals);
    float[] z = Tensors.toFloats(taskVectors);
    float[] backward =
        Tensors.toFloats(model.features(model.featureParameters(), batch.nextStates()));
    float[] targetBackward =
        Tensors.toFloats(model.features(trainer.features.target(), batch.nextStates()));
    Tensor[] forward =
        model
            .forward()
            .forward(model.forwardParameters(), model.observe(batch.states()), taskVectors);
    Tensor[] next =
        model
            .forward()
            .forward(trainer.forward.target(), model.observe(batch.nextStates()), taskVectors);
    float[][] online = new float[2][];
    float[][] target = new float[2][];
    for (int head = 0; head < 2; head++) {
      online[head] = Tensors.toFloats(ForwardNetwork.at(forward[head], batch.actions()));
      target[head] = Tensors.toFloats(next[head]);
    }
    double loss = 0;
    for (int i = 0; i < rows; i++) {
      int greedy = 0;
      double highest = Double.NEGATIVE_INFINITY;
      for (int action = 0; action < 5; action++) {
        int at = (i * 5 + action) * d;
        double q = Math.min(dot(target[0], at, z, i * d), dot(target[1], at, z, i * d));
        greedy = q > highest ? action : greedy;
        highest = Math.max(q, highest);
      }
      int at = (i * 5 + greedy) * d;
      for (int j = 0; j < rows; j++) {
        double smaller =
            Math.min(
                dot(target[0], at, targetBackward, j * d),
                dot(target[1], at, targetBackward, j * d));
        for (int head = 0; head < 2; head++) {
          double m = dot(online[head], i * d, backward, j * d);
          double difference = m - 0.9 * smaller;
          loss += i == j ? -m / rows : 0.5 * difference * difference / (rows * (rows - 1.0));
        }
      }
    }
    trainer.step();
    assertEquals(loss, trainer.metrics().get("loss"), 1e-4 * (1 + Math.abs(loss)));
  }

  private static double dot(float[] x, int xAt, float[] y, int yAt) {
    double sum = 0;
    for (int k = 0; k < 3; k++) {
      sum += x[xAt + k] * y[yAt + k];
    }
    return sum;
  }

  @Test
  void targetsMoveOnlyByAveraging() {
    ForwardBackward trainer = new ForwardBackward(quick("targetRate=0.1"), ROOM, 1);
    for (int step = 0; step < 3; step++) {
      Parameters forward = trainer.forward.target().targetCopy();
      Parameters backward = trainer.features.target().targetCopy();
      trainer.step();
      assertNull(
          SmallWorlds.notAveraged(
              forward, trainer.model().forwardParameters(), trainer.forward.target(), 0.1));
      assertNull(
          SmallWorlds.notAveraged(
              backward, trainer.model().featureParameters(), trainer.features.target(), 0.1));
    }
    trainer.forward.target().asMap().values().forEach(t -> assertFalse(t.requires_grad()));
    trainer.features.target().asMap().values().forEach(t -> assertFalse(t.requires_grad()));
  }

  @Test
  void theSeedDecidesEveryBit() {
    BaselineTraining.assertSeedDecidesEveryBit(seed -> new ForwardBackward(quick(), ROOM, seed));
  }

  @Test
  void savedTensorsMakeAFreshModelAnswerAlike() {
    BaselineTraining.assertSavedAndLoaded(seed -> new ForwardBackward(quick(), ROOM, seed));
  }
}
