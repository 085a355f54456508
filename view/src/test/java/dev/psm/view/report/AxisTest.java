package dev.psm.view.report;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class AxisTest {
  @Test
  void ticksAreRoundAndFew() {
    assertArrayEquals(
        new double[] {0, 200, 400, 600, 800, 1000}, Axis.linear(List.of(3.0, 980.0), 5).ticks());
    assertArrayEquals(
        new double[] {0.01, 0.1, 1, 10}, Axis.logarithmic(List.of(0.02, 7.0)).ticks(), 1e-12);
    assertArrayEquals(new double[] {1, 2, 5, 10}, Axis.logarithmic(List.of(2.0, 7.0)).ticks());
  }

  @Test
  void ticksCoverTheData() {
    Random random = new Random(1);
    for (int i = 0; i < 2000; i++) {
      double scale = Math.pow(10, random.nextInt(560) - 280);
      double low = random.nextGaussian() * scale;
      double high = low + random.nextDouble() * scale;
      Axis axis = Axis.linear(List.of(low, high), 5);
      double slack = (axis.high() - axis.low()) * 1e-8;
      assertTrue(axis.low() <= low + slack && axis.high() >= high - slack, low + " " + high);
      assertTrue(axis.ticks().length >= 3 && axis.ticks().length <= 14, low + " " + high);
      double positive = Math.abs(low);
      Axis decades = Axis.logarithmic(List.of(positive, positive * (1 + random.nextDouble())));
      assertTrue(decades.low() <= positive * (1 + 1e-6), "log " + positive);
      assertTrue(decades.ticks().length <= 14);
    }
  }

  @Test
  void labelsAreShort() {
    assertEquals(List.of("0", "200k", "400k", "600k", "800k", "1M", "1.2M"), labels(0, 1_200_000));
    assertEquals(List.of("0", "0.2", "0.4", "0.6", "0.8", "1"), labels(0, 1));
    assertEquals(List.of("−1", "−0.5", "0", "0.5", "1"), labels(-1, 1));
    Axis tiny = Axis.logarithmic(List.of(1e-5, 1.0));
    assertEquals("1e-5", tiny.label(1e-5));
    assertEquals("0.1", tiny.label(0.1));
  }

  private static List<String> labels(double low, double high) {
    Axis axis = Axis.linear(List.of(low, high), 5);
    return Arrays.stream(axis.ticks()).mapToObj(axis::label).toList();
  }
}
