package dev.psm.core.reward;

import static dev.psm.core.reward.Tolerance.tolerance;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.reward.Tolerance.Sigmoid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ToleranceTest {
  private static final double INF = Double.POSITIVE_INFINITY;
  private static final double[] VALUES = {0.01, 0.1, 0.3, 0.5, 0.9, 0.999};
  private static final double[] DISTANCES = {1e-6, 0.1, 0.5, 0.9, 1, 1.1, 1.5, 2, 5, 40};

  /** dm_control's formulas, spelled by other means where there are any. */
  private static double formula(Sigmoid sigmoid, double d, double v) {
    return switch (sigmoid) {
      case GAUSSIAN -> Math.pow(v, d * d);
      case HYPERBOLIC -> {
        // 2 / (e^y + e^-y), where e^y is the d-th power of that at the margin.
        double e = Math.pow(1 / v + Math.sqrt(1 / (v * v) - 1), d);
        yield 2 / (e + 1 / e);
      }
      case LONG_TAIL -> 1 / (d * d * (1 / v - 1) + 1);
      case RECIPROCAL -> 1 / (d * (1 / v - 1) + 1);
      case COSINE -> {
        double angle = d * Math.acos(2 * v - 1);
        yield angle < Math.PI ? Math.pow(Math.cos(angle / 2), 2) : 0;
      }
      case LINEAR -> Math.max(0, 1 - d * (1 - v));
      case QUADRATIC -> Math.max(0, 1 - d * d * (1 - v));
      case TANH_SQUARED -> {
        double root = Math.sqrt(1 - v);
        double cosh = Math.cosh(d * 0.5 * Math.log((1 + root) / (1 - root)));
        yield 1 / (cosh * cosh);
      }
    };
  }

  @ParameterizedTest
  @EnumSource
  void everySigmoidIsItsFormula(Sigmoid sigmoid) {
    for (double v : VALUES) {
      for (double d : DISTANCES) {
        double expected = formula(sigmoid, d, v);
        String place = "v " + v + ", d " + d;
        assertEquals(expected, tolerance(2 + 4 * d, 1, 2, 4, v, sigmoid), 1e-9, place);
        assertEquals(expected, tolerance(1 - 4 * d, 1, 2, 4, v, sigmoid), 1e-9, place);
      }
    }
  }

  /** Worked by hand, so that formula and code cannot be wrong alike. */
  @ParameterizedTest
  @CsvSource({
    "GAUSSIAN, 0.1, 2, 0.0001",
    "GAUSSIAN, 0.5, 0.5, 0.8408964152537145",
    "HYPERBOLIC, 0.5, 2, 0.14285714285714285",
    "LONG_TAIL, 0.5, 2, 0.2",
    "RECIPROCAL, 0.5, 3, 0.25",
    "COSINE, 0.5, 1.5, 0.14644660940672624",
    "COSINE, 0, 0.5, 0.5",
    "COSINE, 0.5, 2, 0",
    "LINEAR, 0, 0.25, 0.75",
    "LINEAR, 0.5, 1.5, 0.25",
    "LINEAR, 0.5, 2.5, 0",
    "QUADRATIC, 0, 0.5, 0.75",
    "QUADRATIC, 0.75, 1.5, 0.4375",
    "QUADRATIC, 0, 1.5, 0",
    "TANH_SQUARED, 0.75, 2, 0.36"
  })
  void knownValues(Sigmoid sigmoid, double v, double d, double expected) {
    assertEquals(expected, tolerance(d, 0, 0, 1, v, sigmoid), 1e-12);
  }

  @ParameterizedTest
  @EnumSource
  void atTheMarginItIsWorthWhatWasAskedFor(Sigmoid sigmoid) {
    for (double v : VALUES) {
      assertEquals(v, tolerance(-3 - 0.7, -3, 5, 0.7, v, sigmoid), 1e-12);
      assertEquals(v, tolerance(5 + 0.7, -3, 5, 0.7, v, sigmoid), 1e-12);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"COSINE", "LINEAR", "QUADRATIC"})
  void thoseThatVanishMayDoSoAtTheMargin(Sigmoid sigmoid) {
    assertEquals(0, tolerance(1.5, 0, 1, 0.5, 0, sigmoid));
    assertEquals(0, tolerance(7, 0, 1, 0.5, 0, sigmoid));
    assertTrue(tolerance(1.499, 0, 1, 0.5, 0, sigmoid) > 0);
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"COSINE", "LINEAR", "QUADRATIC"})
  void theOthersNeverVanishAndSoCannotBeAskedTo(Sigmoid sigmoid) {
    assertTrue(tolerance(4, 0, 1, 1, 0.1, sigmoid) > 0);
    String message = refusal(() -> tolerance(1, 0, 1, 1, 0, sigmoid));
    assertTrue(message.contains("above 0 for " + sigmoid), message);
  }

  @ParameterizedTest
  @EnumSource
  void theBoundsThemselvesAreInsideAndTheFallBeginsThereWithoutAJump(Sigmoid sigmoid) {
    assertEquals(1, tolerance(1, 1, 2, 0.5, 0.1, sigmoid));
    assertEquals(1, tolerance(2, 1, 2, 0.5, 0.1, sigmoid));
    assertEquals(1, tolerance(1.7, 1, 2, 0.5, 0.1, sigmoid));
    assertEquals(1, tolerance(1 - 1e-9, 1, 2, 0.5, 0.1, sigmoid), 1e-7);
    assertEquals(1, tolerance(2 + 1e-9, 1, 2, 0.5, 0.1, sigmoid), 1e-7);
  }

  @ParameterizedTest
  @EnumSource
  void itFallsEverFurtherAndAlikeOnBothSides(Sigmoid sigmoid) {
    double last = 1;
    for (double d = 0.05; d < 3; d += 0.05) {
      double right = tolerance(2 + d, -2, 2, 1.3, 0.2, sigmoid);
      assertEquals(right, tolerance(-2 - d, -2, 2, 1.3, 0.2, sigmoid));
      assertTrue(right < last || (right == 0 && last == 0), sigmoid + " at " + d);
      last = right;
    }
  }

  @ParameterizedTest
  @EnumSource
  void infiniteBoundsAreOpenAndInfinitelyFarIsWorthless(Sigmoid sigmoid) {
    assertEquals(1, tolerance(1e300, 3, INF, 1, 0.1, sigmoid));
    assertEquals(1, tolerance(INF, 3, INF, 1, 0.1, sigmoid));
    assertEquals(1, tolerance(-INF, -INF, 3, 1, 0.1, sigmoid));
    assertEquals(1, tolerance(0, -INF, INF, 0, 0.1, sigmoid));
    assertEquals(0.1, tolerance(2, 3, INF, 1, 0.1, sigmoid), 1e-12);
    assertEquals(0.1, tolerance(4, -INF, 3, 1, 0.1, sigmoid), 1e-12);
    assertEquals(0, tolerance(-INF, 3, INF, 1, 0.1, sigmoid));
    assertEquals(0, tolerance(INF, -INF, 3, 1, 0.1, sigmoid));
  }

  @ParameterizedTest
  @EnumSource
  void withoutAMarginTheEdgeIsSharp(Sigmoid sigmoid) {
    assertEquals(1, tolerance(2, 1, 2, 0, 0.1, sigmoid));
    assertEquals(0, tolerance(Math.nextUp(2.0), 1, 2, 0, 0.1, sigmoid));
    assertEquals(0, tolerance(Math.nextDown(1.0), 1, 2, 0, 0.1, sigmoid));
  }

  @ParameterizedTest
  @EnumSource
  void nanStaysNanRatherThanBeingPaid(Sigmoid sigmoid) {
    assertEquals(Double.NaN, tolerance(Double.NaN, 1, 2, 1, 0.1, sigmoid));
    assertEquals(Double.NaN, tolerance(Double.NaN, 1, 2, 0, 0.1, sigmoid));
    assertEquals(Double.NaN, tolerance(Double.NaN, -INF, INF, 1, 0.1, sigmoid));
  }

  @Test
  void theShortFormIsGaussianWithATenth() {
    assertEquals(0.1, tolerance(0.6, 1.2, INF, 0.6), 1e-15);
    assertEquals(
        tolerance(0.9, 1.2, INF, 0.6, 0.1, Sigmoid.GAUSSIAN), tolerance(0.9, 1.2, INF, 0.6));
  }

  @ParameterizedTest
  @CsvSource({"2, 1", "NaN, 1", "1, NaN", "Infinity, -Infinity"})
  void boundsMustBeInOrder(double low, double high) {
    String message = refusal(() -> tolerance(0, low, high, 1));
    assertTrue(message.contains("lower bound " + low + " must not exceed"), message);
    assertTrue(message.contains("upper one " + high), message);
  }

  @ParameterizedTest
  @ValueSource(doubles = {-1e-9, -INF, Double.NaN})
  void aMarginIsNotNegative(double margin) {
    String message = refusal(() -> tolerance(0, 0, 1, margin));
    assertEquals("tolerance: a margin cannot be " + margin, message);
  }

  @ParameterizedTest
  @EnumSource
  void theValueAtTheMarginLiesBetweenZeroAndOne(Sigmoid sigmoid) {
    for (double v : new double[] {1, 1.5, -0.1, Double.NaN, INF}) {
      // Inside the bounds too, so that a wrong task is found out at its first state.
      String message = refusal(() -> tolerance(0.5, 0, 1, 1, v, sigmoid));
      assertTrue(message.contains("must be below 1"), message);
      assertTrue(message.endsWith("found " + v), message);
    }
  }

  private static String refusal(Runnable wrong) {
    return assertThrows(IllegalArgumentException.class, wrong::run).getMessage();
  }
}
