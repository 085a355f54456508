package dev.psm.core.reward;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MilestoneTest {
  @ParameterizedTest
  @CsvSource({"0, false", "-0.0, false", "1, true", "-0.5, true", "NaN, false", "Infinity, true"})
  void itHoldsWhereItsValueIsANumberOtherThanZero(double value, boolean expected) {
    Milestone milestone = new Milestone("far", "x", quantity -> value);
    assertEquals(expected, milestone.holds(quantity -> 0));
  }
}
