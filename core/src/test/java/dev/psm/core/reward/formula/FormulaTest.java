package dev.psm.core.reward.formula;

import static dev.psm.core.reward.formula.Words.VELOCITY;
import static dev.psm.core.reward.formula.Words.X;
import static dev.psm.core.reward.formula.Words.Y;
import static dev.psm.core.reward.formula.Words.formula;
import static dev.psm.core.reward.formula.Words.value;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.QuantityTable;
import dev.psm.core.reward.Task;
import dev.psm.core.reward.Tolerance;
import dev.psm.core.reward.Tolerance.Sigmoid;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class FormulaTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "7; 7",
        "0.25; 0.25",
        ".5; 0.5",
        "5.; 5",
        "1e3; 1000",
        "1E-3; 0.001",
        "2.5e+1; 25",
        "0e9; 0",
        "x; 3",
        "x + y; 1",
        "x - y; 5",
        "x * y; -6",
        "x / y; -1.5",
        "x ^ 2; 9",
        "-x; -3",
        "+x; 3",
        "- - x; 3",
        "x < 4; 1",
        "x < 3; 0",
        "x <= 3; 1",
        "x > 3; 0",
        "x >= 3; 1",
        "x == 3; 1",
        "x != 3; 0",
        "x > 0 && y > 0; 0",
        "x > 0 && y < 0; 1",
        "x > 0 || y > 0; 1",
        "x < 0 || y > 0; 0",
        "x && y; 1",
        "!x; 0",
        "!0; 1",
        "!!x; 1",
        "x > 0 ? 10 : 20; 10",
        "x < 0 ? 10 : 20; 20",
        "abs(y); 2",
        "sqrt(x + 1); 2",
        "min(x, y); -2",
        "max(x, y); 3",
        "min(x, y, -7, 2); -7",
        "max(x, y, velocity); 3",
        "clip(x, 0, 1); 1",
        "clip(y, 0, 1); 0",
        "clip(velocity, 0, 1); 0.5",
        "clip(velocity, x, y); -2",
        "distance(0, 2); 5",
        "distance(x, y); 0",
        "tolerance(x, 2, 4); 1",
        "tolerance(x, 4, 5); 0"
      })
  void aFormulaHasItsValue(String text, double expected) {
    assertEquals(expected, value(text));
  }

  @Test
  void spaceMeansNothing() {
    assertEquals(9, value("\t x\r\n^ 2 "));
  }

  @Test
  void functionsAreThoseOfJava() {
    assertEquals(Math.exp(-2), value("exp(y)"));
    assertEquals(Math.log(3), value("log(x)"));
    assertEquals(Math.sin(3), value("sin(x)"));
    assertEquals(Math.cos(3), value("cos(x)"));
    assertEquals(Math.tanh(0.5), value("tanh(velocity)"));
    assertEquals(Math.pow(3, 0.5), value("x ^ velocity"));
    assertEquals(Math.PI, value("pi"));
    assertEquals(Double.POSITIVE_INFINITY, value("inf"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "1 + 2 * 3; 7",
        "(1 + 2) * 3; 9",
        "10 - 4 - 3; 3",
        "24 / 4 / 2; 3",
        "2 ^ 3 ^ 2; 512",
        "(2 ^ 3) ^ 2; 64",
        "-2 ^ 2; -4",
        "(-2) ^ 2; 4",
        "2 ^ -1; 0.5",
        "2 ^ -1 * 4; 2",
        "-x ^ 2; -9",
        "-3 - -3; 0",
        "2 * -3; -6",
        "!x == 0; 1",
        "!(x == 0); 1",
        "1 < 2 == 1; error",
        "1 + 1 < 3; 1",
        "2 < 3 && 3 < 2 || 1; 1",
        "1 || 0 && 0; 1",
        "0 ? 1 : 0 ? 2 : 3; 3",
        "1 ? 0 ? 4 : 5 : 6; 5",
        "1 || 0 ? 7 : 8; 7",
        "1 ? 2 : 3 + 10; 2",
        "(1 ? 2 : 3) + 10; 12"
      })
  void operatorsHoldAsInMathematicsAndThenAsInC(String text, String expected) {
    if (expected.equals("error")) {
      assertThrows(RuntimeException.class, () -> value(text));
    } else {
      assertEquals(Double.parseDouble(expected), value(text));
    }
  }

  @ParameterizedTest
  @EnumSource(Sigmoid.class)
  void toleranceIsTheOneOfTheBuiltInTasks(Sigmoid sigmoid) {
    String name = sigmoid.name().toLowerCase(Locale.ROOT);
    Formula formula = formula("tolerance(x, -1, 2, 1.5, 0.3, " + name + ")");
    Formula halfOpen = formula("tolerance(x, 1, inf, 2, 0.25, " + name + ")");
    for (double x = -6; x < 7; x += 0.01) {
      assertEquals(
          Tolerance.tolerance(x, -1, 2, 1.5, 0.3, sigmoid), formula.value(Words.state(x, 0, 0)));
      assertEquals(
          Tolerance.tolerance(x, 1, Double.POSITIVE_INFINITY, 2, 0.25, sigmoid),
          halfOpen.value(Words.state(x, 0, 0)));
    }
  }

  @Test
  void toleranceHasTheDefaultsOfDmControl() {
    assertEquals(Tolerance.tolerance(3, 0, 1, 4), value("tolerance(x, 0, 1, 4)"));
    assertEquals(
        Tolerance.tolerance(3, 0, 1, 4, 0.7, Sigmoid.GAUSSIAN),
        value("tolerance(x, 0, 1, 4, 0.7)"));
    assertEquals(0, value("tolerance(x, 0, 1)"));
  }

  @Test
  void argumentsOfToleranceMayBeWorkedOut() {
    assertEquals(value("tolerance(x, 0, 1, 4)"), value("tolerance(x, 1 - 1, 2 / 2, 2 ^ 2)"));
  }

  @Test
  void itKnowsWhatItUses() {
    Formula formula = formula("velocity * (x > 0) + velocity");
    assertEquals(List.of(VELOCITY, X), formula.quantities());
    assertEquals(List.of(X, Y), formula("distance(1, 2)").quantities());
    assertEquals(List.of(), formula("1 + 1").quantities());
  }

  @Test
  void aWholeTableComesOutAsItsRowsDo() {
    RandomGenerator random = RandomGenerator.of("L64X128MixRandom");
    Formula formula =
        formula(
            "tolerance(x, 0, 1, 2) * (y > 0 ? exp(-y) : 1) + clip(velocity / x, -3, 3) ^ 2 - 1");
    for (int rows : new int[] {0, 1, 255, 256, 257, 1000, 50_000}) {
      QuantityTable table = new QuantityTable(List.of(X, Y, VELOCITY), rows);
      for (int row = 0; row < rows; row++) {
        table.measure(row, quantity -> random.nextGaussian());
      }
      double[] expected = new double[rows];
      for (int row = 0; row < rows; row++) {
        int at = row;
        expected[row] = formula.value(quantity -> table.column(quantity)[at]);
      }
      assertArrayEquals(expected, formula.values(table));
      assertArrayEquals(expected, table.rewards(formula.task("mine", "mine")));
    }
  }

  @Test
  void aConstantIsAFormulaToo() {
    QuantityTable table = new QuantityTable(List.of(X), 300);
    double[] ones = formula("1").of(table);
    assertEquals(300, ones.length);
    assertEquals(1, ones[299]);
  }

  @Test
  void itBecomesATask() {
    Task task = formula("x ^ 2").task("square", "x squared");
    assertEquals("x ^ 2", task.formula());
    assertEquals(9, task.reward(Words.state(3, 0, 0)));
  }

  @Test
  void everyFunctionAndConstantIsDescribed() {
    Map<String, String> functions = Formula.functions();
    for (String name : Functions.names()) {
      assertTrue(functions.keySet().stream().anyMatch(usage -> usage.startsWith(name + "(")), name);
    }
    assertEquals(Functions.CONSTANTS.keySet(), Formula.constants().keySet());
  }

  @Test
  void aVocabularyKeepsItsNamesApart() {
    for (String name : List.of("sin", "pi", "tolerance", "distance", "two words", "", "1x")) {
      Quantity quantity = new Quantity(name, "1", "");
      assertThrows(
          IllegalArgumentException.class,
          () -> Vocabulary.of(List.of(quantity), Words.VOCABULARY.functions().get(0)),
          name);
    }
    assertThrows(IllegalArgumentException.class, () -> Vocabulary.of(List.of(X, X)));
  }
}
