package dev.psm.agents.rnd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.agents.SmallWorlds;
import dev.psm.torch.Parameters;
import dev.psm.torch.Tensors;
import java.util.Random;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;

class RndTest {
  private static final int OBSERVATION = 3;

  private static double[] errors(Rnd rnd, double[][] observations) {
    double[][] inputs = Plain.normalised(observations);
    double[] errors = new double[inputs.length];
    for (int row = 0; row < inputs.length; row++) {
      double[] guess = Plain.mlp(rnd.predictor, "rnd", 3, false, inputs[row]);
      double[] answer = Plain.mlp(rnd.target, "rnd", 3, false, inputs[row]);
      for (int k = 0; k < guess.length; k++) {
        errors[row] += (guess[k] - answer[k]) * (guess[k] - answer[k]) / guess.length;
      }
    }
    return errors;
  }

  private static double mean(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    return sum / values.length;
  }

  @Test
  void inputsAreNormalisedByTheirOwnBatchWithTheBiasedVariance() {
    double[][] rows = Plain.gaussian(new Random(1), 40, OBSERVATION, 3);
    for (double[] row : rows) {
      row[1] += 100;
      row[2] = 0.25;
    }
    rows[7][0] = 1000;
    double[][] expected = Plain.normalised(rows);
    float[] found = Tensors.toFloats(Rnd.normalised(Tensors.matrix(rows)));
    for (int i = 0; i < found.length; i++) {
      assertEquals(expected[i / OBSERVATION][i % OBSERVATION], found[i], 1e-4);
    }
    assertEquals(5, found[7 * OBSERVATION], 0, "an outlier is clamped");
    assertEquals(0, found[2], 0, "a constant column is zero");
  }

  @Test
  void rewardsAreTheErrorsAfterTheStepOverTheRunningDeviation() {
    Rnd rnd = new Rnd(Plain.tiny("learningRate=0.01"), OBSERVATION, new Random(1));
    SmallWorlds.randomise(rnd.predictor, 2);
    Random random = new Random(3);
    double n = 1e-4;
    double mean = 0;
    double variance = 1;
    for (int step = 0; step < 6; step++) {
      double[][] batch = Plain.gaussian(random, 5 + step, OBSERVATION, 1 + step);
      double before = mean(errors(rnd, batch));
      Tensor rewards = rnd.learn(Tensors.matrix(batch));
      assertEquals(before, rnd.lastLoss(), 1e-4 * before, "the loss is before the step");

      double[] errors = errors(rnd, batch);
      double batchMean = mean(errors);
      double squares = 0;
      for (double error : errors) {
        squares += (error - batchMean) * (error - batchMean);
      }
      double b = errors.length;
      double unbiased = squares / (b - 1);
      double delta = batchMean - mean;
      mean = mean + delta * b / (n + b);
      variance = (variance * n + unbiased * b + delta * delta * n * b / (n + b)) / (n + b);
      n += b;
      assertTrue(Math.abs(before - batchMean) > 1e-3 * before, "the step must be visible");
      float[] found = Tensors.toFloats(rewards);
      assertEquals(errors.length, found.length);
      for (int row = 0; row < found.length; row++) {
        double expected = errors[row] / (Math.sqrt(variance) + 1e-8);
        assertEquals(expected, found[row], 1e-4 * (1 + expected));
      }
      assertEquals(Math.sqrt(variance), rnd.errorScale(), 1e-4 * Math.sqrt(variance));
      assertFalse(rewards.requires_grad());
    }
  }

  @Test
  void onlyThePredictorLearns() {
    Rnd rnd = new Rnd(Plain.tiny(), OBSERVATION, new Random(1));
    Parameters predictor = rnd.predictor.targetCopy();
    Parameters target = rnd.target.targetCopy();
    rnd.learn(Tensors.matrix(Plain.gaussian(new Random(2), 20, OBSERVATION, 1)));
    for (String name : predictor.asMap().keySet()) {
      assertTrue(Plain.differ(predictor, rnd.predictor, name), name);
    }
    assertFalse(Plain.differ(target, rnd.target));
    rnd.target.asMap().values().forEach(tensor -> assertFalse(tensor.requires_grad()));
  }

  @Test
  void bothNetworksStartOrthogonalWithGainOneAndDiffer() {
    Rnd rnd = new Rnd(Plain.tiny(), OBSERVATION, new Random(1));
    for (Parameters network : new Parameters[] {rnd.predictor, rnd.target}) {
      for (int layer = 0; layer < 3; layer++) {
        Tensor weight = network.get("rnd." + layer + ".weight");
        boolean tall = weight.size(0) >= weight.size(1);
        Tensor gram = tall ? weight.t().matmul(weight) : weight.matmul(weight.t());
        assertEquals(
            0, gram.sub(torch.eye(gram.size(0))).abs().max().item_double(), 1e-5, "layer " + layer);
        assertEquals(0, network.get("rnd." + layer + ".bias").abs().sum().item_double());
      }
    }
    assertTrue(Plain.differ(rnd.target, rnd.predictor));
  }

  @Test
  void whatWasNeverSeenIsRewardedMore() {
    Rnd rnd = new Rnd(Plain.tiny("width=32", "learningRate=0.003"), 2, new Random(1));
    Random random = new Random(2);
    for (int step = 0; step < 300; step++) {
      rnd.learn(Tensors.matrix(pairs(random, 0)));
    }
    float[] rewards = Tensors.toFloats(rnd.learn(Tensors.matrix(pairs(random, 32))));
    double seen = 0;
    double unseen = 0;
    for (int row = 0; row < 64; row++) {
      seen += row < 32 ? 0 : rewards[row];
      unseen += row < 32 ? rewards[row] : 0;
    }
    assertTrue(unseen > 20 * seen, unseen + " against " + seen);
  }

  /** Pairs (x, x), the first ones (x, −x): alike in each column, so only the pairing is new. */
  private static double[][] pairs(Random random, int opposed) {
    double[][] pairs = new double[64][];
    for (int row = 0; row < pairs.length; row++) {
      double x = random.nextDouble(-1, 1);
      pairs[row] = new double[] {x, row < opposed ? -x : x};
    }
    return pairs;
  }
}
