package dev.psm.core.env;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.UserError;
import dev.psm.core.reward.formula.Formula;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GridQuantitiesTest {
  private static final GridMap MAP = GridMap.parse("bent", "..#\n#..\n...\n");

  private static double[] rewards(GridMap map, String text) {
    return Formula.parse(text, GridQuantities.vocabulary(map)).of(GridQuantities.cells(map));
  }

  @Test
  void rowsAndColumnsCountFromZero() {
    assertArrayEquals(new double[] {0, 0, 1, 1, 2, 2, 2}, rewards(MAP, "row"));
    assertArrayEquals(new double[] {0, 1, 1, 2, 0, 1, 2}, rewards(MAP, "col"));
    assertArrayEquals(new double[] {0, 0, 0, 1, 0, 0, 0}, rewards(MAP, "row == 1 && col == 2"));
  }

  @Test
  void distanceGoesAroundWalls() {
    assertArrayEquals(new double[] {0, 1, 2, 3, 4, 3, 4}, rewards(MAP, "distance(0, 0)"));
  }

  @Test
  void distanceIsTheOraclesEverywhere() {
    GridMap map = GridMap.named("spiral");
    GridOracle oracle = new GridOracle(map);
    int goal = map.freeCellCount() / 3;
    double[] found =
        rewards(map, "distance(%d, %d - 1)".formatted(map.row(goal), map.column(goal) + 1));
    for (int state = 0; state < found.length; state++) {
      assertEquals(oracle.distance(goal, state), found[state]);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "distance(0, 2); column 10; row 0, column 2 is not a free cell of bent",
        "1 + distance(-1, 0); column 14; rows 0 to 2 and columns 0 to 2",
        "distance(1.5, 0); column 10; row 1.5, column 0",
        "distance(inf, 0); column 10; not a free cell",
        "distance(1e300, 0); column 10; not a free cell",
        "distance(0, col); column 13; the c of distance must not depend on the state",
        "cols; column 1; did you mean 'col'?"
      })
  void aGoalMustBeAFreeCell(String text, String column, String words) {
    UserError error = assertThrows(UserError.class, () -> rewards(MAP, text));
    assertTrue(error.getMessage().contains(column + ":"), error.getMessage());
    assertTrue(error.getMessage().contains(words), error.getMessage());
  }

  @Test
  void soManySearchesAreRefused() {
    UserError error =
        assertThrows(UserError.class, () -> rewards(MAP, "0" + " + distance(0, 0)".repeat(500)));
    assertTrue(error.getMessage().contains("a cost of 5,000"), error.getMessage());
  }
}
