package dev.psm.agents.rnd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.UserError;
import dev.psm.core.io.TensorData;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RunningMomentsTest {

  @Test
  void theFirstBatchCountsWithItsUnbiasedVariance() {
    RunningMoments moments = new RunningMoments();
    moments.add(new float[] {1, 3});
    double total = 2 + 1e-4;
    assertEquals(2 * 2 / total, moments.mean(), 1e-12);
    double expected = (1e-4 * 1 + 2 * 2 + 4 * 1e-4 * 2 / total) / total;
    assertEquals(expected, moments.variance(), 1e-12);
  }

  @Test
  void manyBatchesApproachTheMomentsOfAllNumbers() {
    Random random = new Random(1);
    RunningMoments moments = new RunningMoments();
    double sum = 0;
    double squares = 0;
    int count = 0;
    for (int batch = 0; batch < 50; batch++) {
      float[] values = new float[100];
      for (int i = 0; i < values.length; i++) {
        values[i] = (float) (batch * 0.1 + 2 * random.nextGaussian());
        sum += values[i];
        squares += (double) values[i] * values[i];
        count++;
      }
      moments.add(values);
    }
    double mean = sum / count;
    double variance = squares / count - mean * mean;
    assertEquals(mean, moments.mean(), 1e-4);
    // Each batch's unbiased variance is a hundredth too large for the merged one.
    assertEquals(variance, moments.variance(), 0.01 * variance);
  }

  @Test
  void savedMomentsContinue() {
    RunningMoments moments = new RunningMoments();
    moments.add(new float[] {1, 2, 4});
    Map<String, TensorData> saved = new LinkedHashMap<>();
    moments.export("m", saved);
    RunningMoments loaded = new RunningMoments();
    loaded.load("m", saved, "file");
    moments.add(new float[] {3, 5});
    loaded.add(new float[] {3, 5});
    assertEquals(moments.mean(), loaded.mean(), 0);
    assertEquals(moments.variance(), loaded.variance(), 0);
    UserError refused = assertThrows(UserError.class, () -> loaded.load("other", saved, "file"));
    assertTrue(refused.getMessage().contains("file: tensor 'other'"), refused.getMessage());
  }
}
