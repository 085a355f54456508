package dev.psm.core.stats;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class HistogramTest {

  @Test
  void stepsAreEqualAndTheLastIncludesItsEnd() {
    Histogram histogram = Histogram.of(new double[] {0, 1, 2, 2.5, 4}, 4);
    assertArrayEquals(new int[] {1, 1, 2, 1}, histogram.counts());
    assertEquals(1, histogram.edge(1));
    assertEquals(4, histogram.edge(4));
  }

  @Test
  void equalValuesShareOneStep() {
    assertArrayEquals(new int[] {3}, Histogram.of(new double[] {7, 7, 7}, 20).counts());
  }

  @Test
  void theWidestRangeThereIsHasSteps() {
    double most = Double.MAX_VALUE;
    Histogram histogram = Histogram.of(new double[] {-most, 0, most}, 2);
    assertArrayEquals(new int[] {1, 2}, histogram.counts());
    assertEquals(0, histogram.edge(1));
  }

  @Test
  void whatIsThereIsDrawn() {
    double[] values = new double[1001];
    values[1000] = 1;
    String drawn = Histogram.of(values, 2).draw(10);
    assertTrue(drawn.contains("|########## 1,000"), drawn);
    assertTrue(drawn.contains("|#          1"), drawn);
  }

  @Test
  void quantilesLieBetweenNeighbours() {
    double[] sorted = {0, 10, 20, 30};
    assertEquals(0, Histogram.quantile(sorted, 0));
    assertEquals(15, Histogram.quantile(sorted, 0.5));
    assertEquals(30, Histogram.quantile(sorted, 1));
    assertEquals(7.5, Histogram.quantile(sorted, 0.25));
    assertEquals(5, Histogram.quantile(new double[] {5}, 0.9));
  }
}
