package dev.psm.lab.infer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class OffsetsTest {
  private static final int STATES = 101;

  private static Plan plan(boolean whole) {
    double[] none = {0};
    return new Plan(
        new double[] {5},
        new double[] {1},
        new double[] {4},
        new double[] {6},
        none,
        none,
        none,
        none,
        new double[0],
        whole);
  }

  /** One bin, of more states than an int counts. */
  private static Offsets of(long below, long between, double states, boolean whole) {
    RewardSums sums = RewardSums.zero(1, 1, false, 1);
    sums.counts()[RewardSums.STATES] = states;
    sums.below()[0] = below;
    sums.between()[0] = between;
    sums.binLeast()[0] = 4.5;
    sums.binMost()[0] = 5.5;
    return Offsets.of(0, plan(whole), sums);
  }

  @Test
  void theBinHoldsTheQuantile() {
    assertEquals(new Offsets(5, 1), of(30, 21, STATES, false));
    assertEquals(5, of(3_000_000_000L, 2_000_000_001L, 1e10 + 1, false).value(), 1e-9);
  }

  @Test
  void theQuantileOfAllIsExact() {
    assertEquals(new Offsets(5, 0), of(41, 0, STATES, true));
  }

  @Test
  void whereTheBoundsMissNothingIsSaidOfTheError() {
    assertEquals(new Offsets(5, Double.NaN), of(60, 21, STATES, false));
    assertEquals(new Offsets(5, Double.NaN), of(0, 21, STATES, false));
  }
}
