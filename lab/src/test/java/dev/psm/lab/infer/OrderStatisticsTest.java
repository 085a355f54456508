package dev.psm.lab.infer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OrderStatisticsTest {
  /** With few different values nearly all are equal. */
  @ParameterizedTest
  @CsvSource({"1,1", "2,1", "1000,2", "1000,1000000", "5000,7", "5000,1", "20000,1000000"})
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
      Arrays.sort(values);
      assertEquals(Arrays.toString(sorted), Arrays.toString(values), "nothing is lost");
    }
  }
}
