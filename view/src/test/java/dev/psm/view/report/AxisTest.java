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
    }
  }

  @Test
  void labelsAreShort() {
    assertEquals(List.of("0", "200k", "400k", "600k", "800k", "1M", "1.2M"), labels(0, 1_200_000));
    assertEquals(List.of("0", "0.2", "0.4", "0.6", "0.8", "1"), labels(0, 1));
    assertEquals(List.of("−1", "−0.5", "0", "0.5", "1"), labels(-1, 1));
    assertEquals(List.of("0", "2e-6", "4e-6", "6e-6", "8e-6", "1e-5"), labels(0, 1e-5));
  }

  @Test
  void aLogarithmicAxisHasPowersOfTenAtEqualDistances() {
    Axis axis = Axis.logarithmic(List.of(3e-4, 0.002, 0.05));
    assertEquals(
        List.of("1e-4", "0.001", "0.01", "0.1"),
        Arrays.stream(axis.ticks()).mapToObj(axis::label).toList());
    assertEquals(100, axis.place(1e-3, 0, 300), 1e-9);
    assertEquals(200, axis.place(1e-2, 0, 300), 1e-9);
    assertEquals(0, axis.place(0, 0, 300), "what has no logarithm is at the end");
    assertEquals(2, Axis.logarithmic(List.of(10.0, 10.0)).ticks().length);
  }

  private static List<String> labels(double low, double high) {
    Axis axis = Axis.linear(List.of(low, high), 5);
    return Arrays.stream(axis.ticks()).mapToObj(axis::label).toList();
  }
}
