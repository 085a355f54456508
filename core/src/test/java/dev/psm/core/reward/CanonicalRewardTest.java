package dev.psm.core.reward;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CanonicalRewardTest {
  private static double[] random(int count) {
    return new Random(5).doubles(count, -1, 3).toArray();
  }

  private static double[] each(double[] rewards, DoubleUnaryOperator change) {
    return Arrays.stream(rewards).map(change).toArray();
  }

  @ParameterizedTest
  @ValueSource(doubles = {-1e6, -100, -10, -1, 0, 1, 10, 100, 1e6})
  void anOffsetChangesNothing(double offset) {
    for (int count : new int[] {101, 100}) {
      double[] rewards = random(count);
      assertArrayEquals(
          CanonicalReward.of(rewards).values(),
          CanonicalReward.of(each(rewards, r -> r + offset)).values(),
          1e-9);
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {1e-300, 1e-14, 1, 1e14, 1e300})
  void aFactorChangesNothingButTheScale(double factor) {
    CanonicalReward plain = CanonicalReward.of(random(100));
    CanonicalReward scaled = CanonicalReward.of(each(random(100), r -> r * factor));
    assertArrayEquals(plain.values(), scaled.values(), 1e-9);
    assertEquals(1, scaled.scale() / plain.scale() / factor, 1e-9);
  }

  /** Values are multiplied by it, and doubles below the normal ones have fewer digits. */
  @Test
  void theScaleOfTheSmallestRewardsKeepsAllDigits() {
    CanonicalReward tiny = CanonicalReward.of(new double[] {0, 1e-320, 3e-320, 4e-320});
    double value = 1.0 / 3;
    assertEquals(value, value * tiny.scale() / tiny.scale(), 1e-15);
  }

  @Test
  void valuesTimesScaleAreTheRewardsLessTheirQuantile() {
    // Two fifths of the way from the first to the sixth in order: the third.
    double[] rewards = {5, -3, 1, 0, 2, 4};
    CanonicalReward canonical = CanonicalReward.of(rewards);
    assertArrayEquals(new double[] {1, -1, 0, -0.25, 0.25, 0.75}, canonical.values(), 1e-15);
    assertEquals(4, canonical.scale());
    // Of four it lies between the second and the third: 1.2.
    assertArrayEquals(
        new double[] {-1.2 / 1.8, 0.8 / 1.8, -0.2 / 1.8, 1},
        CanonicalReward.of(new double[] {0, 2, 1, 3}).values(),
        1e-15);
  }

  @Test
  void aGoalStaysAsItIs() {
    double[] goal = new double[50];
    goal[7] = 1;
    assertArrayEquals(goal, CanonicalReward.of(goal).values());
    assertEquals(1, CanonicalReward.of(goal).scale());
  }

  @Test
  void theLargestDoublesDoNotOverflow() {
    double max = Double.MAX_VALUE;
    CanonicalReward extreme = CanonicalReward.of(new double[] {-max, max, 0, 0, max, -max});
    assertArrayEquals(new double[] {-1, 1, 0, 0, 1, -1}, extreme.values());
    CanonicalReward lopsided = CanonicalReward.of(new double[] {-max, max, max, max});
    assertArrayEquals(new double[] {-1, 0, 0, 0}, lopsided.values());
    assertTrue(Double.isFinite(lopsided.scale()));
    assertArrayEquals(
        new double[] {0, 1, 0}, CanonicalReward.of(new double[] {0, Double.MIN_VALUE, 0}).values());
  }

  @Test
  void whatIsTheSameEverywhereUpToRoundingIsConstant() {
    for (double[] constant :
        List.of(
            new double[3],
            new double[] {0.0, -0.0, 0.0},
            new double[] {7, 7, 7},
            new double[] {0.1 + 0.2, 0.3, 0.3},
            new double[] {1e300, 1e300, 1e300},
            new double[] {4})) {
      CanonicalReward canonical = CanonicalReward.of(constant);
      assertTrue(canonical.isConstant(), Arrays.toString(constant));
      assertArrayEquals(new double[constant.length], canonical.values());
    }
    assertFalse(CanonicalReward.of(new double[] {1e9, 1e9, 1e9 + 1}).isConstant());
  }
}
