package dev.psm.agents.control;

import static dev.psm.torch.Tensors.scalar;

import dev.psm.torch.Device;
import dev.psm.torch.Tensors;
import java.util.Random;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;

class RunningCovarianceTest {
  private static final int SEEDS = 2;
  private static final int D = 3;

  /** The mean of outer products, row by row. */
  private static Tensor plain(Tensor phi) {
    return phi.unsqueeze(-1).mul(phi.unsqueeze(-2)).mean(1);
  }

  @Test
  void itIsTheMeanOfAllBatchesAtFirst() {
    Random random = new Random(1);
    try (NoGradGuard noGradient = new NoGradGuard()) {
      RunningCovariance covariance = new RunningCovariance(SEEDS, D, Device.CPU);
      Tensor sum = torch.zeros(SEEDS, D, D);
      for (int batches = 1; batches <= 5; batches++) {
        Tensor phi = Tensors.gaussian(random, SEEDS, 4, D);
        sum = sum.add(plain(phi));
        Tensor mean = sum.div(scalar((double) batches));
        Near.assertNear(mean, covariance.include(phi), 1e-6, batches + " batches");
      }
    }
  }

  @Test
  void ofManyBatchesItForgetsTheFirst() {
    try (NoGradGuard noGradient = new NoGradGuard()) {
      RunningCovariance covariance = new RunningCovariance(SEEDS, D, Device.CPU);
      Tensor ones = torch.ones(SEEDS, 4, D);
      for (int i = 0; i < 600; i++) {
        covariance.include(ones);
      }
      // 1 · (1 − 1/500) + 4/500
      Tensor expected = torch.ones(SEEDS, D, D).mul(scalar(1 + 3.0 / 500));
      Near.assertNear(expected, covariance.include(ones.mul(scalar(2))), 1e-6, "the next");
    }
  }
}
