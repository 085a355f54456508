package dev.psm.lab.infer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OrderStatisticsTest {
  /** With few different values nearly all are equal. */
  @ParameterizedTest
  @CsvSource({
    "1,1",
    "2,1",
    "1000,2",
    "1000,1000000",
    "5000,7",
    "5000,1",
    "20000,1000000",
    "40000,1000000",
    "40000,3"
  })
  void placesAreThoseOfSorting(int count, int different) {
    SplittableRandom random = new SplittableRandom(count);
    for (int trial = 0; trial < 20; trial++) {
      double[] values = random.doubles(count, 0, different).map(Math::floor).toArray();
      double[] sorted = values.clone();
      Arrays.sort(sorted);
      int from = random.nextInt(count);
      int to = random.nextInt(from, count);
      OrderStatistics.place(values, from, to);
      for (int i = from; i <= to; i++) {
        assertEquals(sorted[i], values[i]);
      }
    }
  }

  /** A sample at equal distances sees small values only. */
  @Test
  void aSampleThatMisleadsDoesNotShow() {
    int count = 1 << 16;
    double[] values = new double[count];
    for (int i = 0; i < count; i++) {
      values[i] = i % 16 == 0 ? i : count + i;
    }
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    OrderStatistics.place(values, count / 2, count / 2 + 100);
    assertArrayEquals(
        Arrays.copyOfRange(sorted, count / 2, count / 2 + 101),
        Arrays.copyOfRange(values, count / 2, count / 2 + 101));
  }
}
