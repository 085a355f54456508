package dev.psm.core.reward.formula;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.psm.core.reward.Task;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PartsTest {
  private static final Vocabulary TASKS =
      Vocabulary.of(
          List.of(Words.X, Words.Y, Words.VELOCITY),
          List.of(task("walk", "(x + 2) * y"), task("stand", "abs(x)")));

  private static Task task(String name, String formula) {
    return Words.formula(formula).task(name, "for trying");
  }

  private static List<String> parts(String text) {
    return Formula.parse(text, TASKS).parts(TASKS).stream().map(Formula::text).toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "x + y - velocity; x, y, -velocity",
        "  x+y  ; x, y",
        "x - -y; x, --y",
        "-x + y; -x, y",
        "x - y * velocity + 1; x, -y * velocity, 1",
        "x - (y - velocity); x, -(y - velocity)",
        "(x + y) + velocity; (x + y), velocity",
        "x * y * velocity; x, y, velocity",
        "x * y / velocity ^ 2; x, y, 1 / velocity ^ 2",
        "x / -y; x, 1 / -y",
        "-x * y; -x, y",
        "1 / x / y; 1 / x, 1 / y",
        "x * y + velocity; x * y, velocity",
        "x + y * velocity; x, y * velocity",
        "(x + y); x, y",
        "((x * (y)) ); x, (y)",
        "+(x + y); x, y",
        "x + (y > 0 ? 1 : 2); x, (y > 0 ? 1 : 2)",
        "walk; (x + 2), y",
        "( walk ); (x + 2), y",
        "walk + stand; walk, stand",
        "2 * walk; 2, walk",
        "max(x, y) * tanh(x + y); max(x@ y), tanh(x + y)",
      })
  void theOperandsOfTheOutermostOperation(String text, String parts) {
    List<String> expected =
        Arrays.stream(parts.split(", ")).map(part -> part.replace("@", ",")).toList();
    assertEquals(expected, parts(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x",
        "3",
        "(x)",
        "-x",
        "-(x + y)",
        "!(x + y)",
        "x ^ 2",
        "(x + y) ^ 2",
        "1 / (1 + x)",
        "1 / x",
        "1 * x",
        "sin(x + y)",
        "max(x + y, x * y)",
        "x + y < velocity",
        "x < y + velocity",
        "x + y == 1 && y > 0",
        "x > 0 || x + y",
        "x > 0 ? x + y : x * y",
        "x + 1 ? 1 : 0",
        "stand",
        "walk > 0",
        "-walk",
        "x / 1e-310",
      })
  void whatIsNeitherASumNorAProductHasNoParts(String text) {
    assertEquals(List.of(), parts(text));
  }

  @Test
  void theLastOfTooManyHoldsTheRest() {
    assertEquals(
        List.of("x", "1", "-2", "3", "-4", "5", "-6", "7 - 8 + 9"),
        parts("x + 1 - 2 + 3 - 4 + 5 - 6 + 7 - 8 + 9"));
    assertEquals(
        List.of("x", "2", "3", "4", "5", "6", "7", "1 / y * 8 / velocity"),
        parts("x * 2 * 3 * 4 * 5 * 6 * 7 / y * 8 / velocity"));
    assertEquals(8, parts("x + 1 + 2 + 3 + 4 + 5 + 6 + 7").size());
  }

  @Test
  void theVocabularyIsTheOneItWasReadWith() {
    Formula walk = Formula.parse("walk", TASKS);
    assertThrows(FormulaError.class, () -> walk.parts(Words.VOCABULARY));
  }
}
