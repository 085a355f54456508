package dev.psm.core.reward.formula;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.Remedy;
import dev.psm.core.UserError;
import dev.psm.core.reward.Task;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MistakesTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "x * velocty; 5; there is no quantity 'velocty'; did you mean 'velocity'?",
        "VELOCITY; 1; did you mean 'velocity'?",
        "1 + zebra; 5; known: inf, pi, velocity, x, y",
        "sine(x); 1; did you mean 'sin'?",
        "tolerence(x, 0, 1); 1; did you mean 'tolerance'?",
        "distanse(x, 0); 1; did you mean 'distance'?",
        "x(2); 1; 'x' is not a function; to multiply, write x * (...)",
        "1 + sin; 5; sin is a function: sin(x)",
        "distance + 1; 1; distance is a function: distance(x, y)",
        "x and y; 3; an operator is missing before 'and'",
        "not(x); 1; write !",
        "x > 0 ? true : 0; 9; write 1",
        "pow(x, 2); 1; write x^y",
        "x = 3; 3; to compare, write ==",
        "x =< 3; 3; write <=",
        "x => 3; 3; write >=",
        "x ** 2; 3; a power is written ^",
        "x & y; 3; &&",
        "x | y; 3; ||",
        "x % 2; 3; no remainder",
        "x; 0; ",
        "[x]; 1; group with ( and )",
        "x @ y; 3; the character '@' is not known here",
        "0 < x < 1; 7; comparisons cannot be chained",
        "0 < x == 1; 7; comparisons cannot be chained",
        "x < 1 + y > 2; 11; comparisons cannot be chained",
        "1 +; 4; expected a number, a name or '(' here, found the end",
        "1 + * 2; 5; found '*'",
        "(x + 1; 1; this '(' is never closed",
        "((x) + 1; 1; this '(' is never closed",
        "sin(x; 4; this '(' is never closed",
        "x + 1); 6; this ')' closes nothing",
        "(x y); 4; expected an operator, or ')' for the '(' in column 1, found 'y'",
        "x y; 3; an operator is missing before 'y'",
        "x 2; 3; an operator is missing before '2'",
        "2x; 2; an operator is missing after the number, as in 2 * x",
        "0x10; 2; an operator is missing",
        "2(x); 2; an operator is missing before '('",
        "x, y; 2; an operator is missing before ','",
        "(x)(y); 4; an operator is missing before '('",
        "(); 2; found ')'",
        "sin(); 1; sin takes 1 argument, found 0: sin(x)",
        "sin(x, y); 1; sin takes 1 argument, found 2",
        "min(x); 1; min takes 2 or more arguments, found 1",
        "clip(x, 1); 1; clip takes 3 arguments, found 2: clip(x, low, high)",
        "distance(1); 1; distance takes 2 arguments, found 1: distance(x, y)",
        "tolerance(x, 1); 1; tolerance takes 3 to 6 arguments, found 2",
        "tolerance(x, 0, 1, 1, 0.1, linear, 2); 1; tolerance takes 3 to 6 arguments, found 7",
        "min(x,); 7; found ')'",
        "min(, x); 5; found ','",
        "x ? y; 6; the '?' in column 3 needs a ':' here",
        "x ? y, 1; 6; but found ','",
        "x : y; 3; an operator is missing before ':'",
        "clip(x, 2, 1); 9; the lower bound 2.0 is above the upper one, 1.0",
        "tolerance(x, 2, 1); 14; the lower bound 2.0 is above the upper one, 1.0",
        "tolerance(x, y, 1); 14; the lower bound of tolerance must not depend on the state",
        "tolerance(x, 0, y); 17; the upper bound of tolerance must not depend on the state",
        "tolerance(x, 0, 1, y); 20; the margin of tolerance must not",
        "tolerance(x, 0, 1, 1, y); 23; the value at the margin of tolerance must not",
        "tolerance(x, 0, 1, -1); 20; a margin must be finite and not negative, found -1.0",
        "tolerance(x, 0, 1, inf); 20; a margin must be finite and not negative, found inf",
        "tolerance(x, 0, 1, 1, 0); 23; must be below 1 and above 0 for gaussian, found 0.0",
        "tolerance(x, 0, 1, 1, 1, linear); 23; must be below 1 and at least 0 for linear",
        "tolerance(x, 0, 1, 1, 0.1, liner); 28; did you mean 'linear'?",
        "tolerance(x, 0, 1, 1, 0.1, 3); 28; '3' is not a sigmoid",
        "tolerance(x, 0, 1, 1, linear); 23; linear is a sigmoid, which only the sixth argument",
        "1e999; 1; 1e999 is too large",
        "x + 1e-999; 5; is too small",
        "1e; 2; digits are missing",
        "1e+; 2; digits are missing",
        "1.2.3; 4; one decimal point",
        ".; 1; the character '.' is not known here",
      })
  void aMistakeIsMarkedAtItsColumn(String text, int column, String words) {
    if (column == 0) {
      assertThrows(UserError.class, () -> Words.formula(text + ";"));
    } else {
      Marks.check(text, column, words);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "x \u2212 1; 3; write -",
        "x \u2264 1; 3; write <=",
        "2 \u00d7 x; 3; write *",
        "\u03c0; 1; write pi",
        "v\u00e9locity; 2; U+00E9",
        "x + \ud83d\ude00 + zebra; 5; U+1F600",
        "x \u0301 1; 3; U+0301",
        "x + \u4f60\u597d; 5; U+4F60",
        "\ud83d; 1; U+D83D",
      })
  void whatIsNotAsciiIsNamedAndDoesNotMoveTheMark(String text, int column, String words) {
    UserError error = Marks.check(text, column, words);
    String shown = error.getMessage().split(System.lineSeparator(), -1)[1];
    assertEquals(2 + text.codePointCount(0, text.length()), shown.length());
    assertTrue(shown.chars().allMatch(c -> c >= ' ' && c <= '~'), shown);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\u0000", "\u001b[31m", "\u0007", "\u007f", "\u202e", "\u0085"})
  void controlCharactersAreNotPrinted(String control) {
    UserError error = Marks.check("x + " + control + " y", 5, "U+");
    assertTrue(
        error.getMessage().chars().allMatch(c -> (c >= ' ' && c <= '~') || c == '\n' || c == '\r'));
  }

  @Test
  void aFormulaOnManyLinesIsShownOnOne() {
    Marks.check("x\n  + velocty\n\t* 2", 7, "did you mean 'velocity'?");
  }

  @Test
  void aLongFormulaIsShownAroundItsMistake() {
    String text = "x + ".repeat(100) + "velocty" + " + x".repeat(100);
    UserError error = Marks.check(text, 401, "did you mean 'velocity'?");
    String[] lines = error.getMessage().split(System.lineSeparator(), -1);
    assertTrue(lines[1].length() <= 2 + 76 + 6, lines[1]);
    assertTrue(lines[1].startsWith("  ..."), lines[1]);
    assertTrue(lines[1].endsWith("..."), lines[1]);
    assertTrue(lines[1].startsWith("velocty", lines[2].length() - 1), error.getMessage());
  }

  @Test
  void aLongWordIsCut() {
    UserError error = Marks.check("x + " + "z".repeat(5000), 5, "zzz...'");
    assertTrue(error.getMessage().length() < 400, error.getMessage());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "x * velocty | 4 | there is no quantity 'velocty'; did you mean 'velocity'?",
        "1 + | 3 | expected a number, a name or '(' here, found the end",
        "x ? y | 5 | the '?' in column 3 needs a ':' here, as in a ? b : c, but found the end",
        "x \ud83d\ude00 | 2 | the character U+1F600 is not known here; formulas are plain ASCII text",
      })
  void anEditorIsToldThePlaceAndTheBareSentence(String text, int index, String problem) {
    FormulaError error = assertThrows(FormulaError.class, () -> Words.formula(text));
    assertEquals(index, error.index());
    assertEquals(problem, error.problem());
  }

  @Test
  void aMistakeInATaskIsPlacedAtItsName() {
    Task broken = new Task("broken", "wrong in its tenth column", "x + 1 + zebra", state -> 0);
    Vocabulary vocabulary = Vocabulary.of(List.of(Words.X), List.of(broken));
    FormulaError error =
        assertThrows(FormulaError.class, () -> Formula.parse("2 * broken", vocabulary));
    assertEquals(4, error.index());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "\n\t"})
  void nothingIsNotAFormula(String text) {
    FormulaError error = assertThrows(FormulaError.class, () -> Words.formula(text));
    assertEquals("the reward formula is empty", error.getMessage());
    assertEquals(error.getMessage(), error.problem());
    assertEquals(text.length(), error.index());
    assertEquals(Optional.of(Remedy.LIST_REWARDS), error.remedy());
    assertEquals(UserError.Kind.INVALID, error.kind());
  }
}
