package dev.psm.core.reward;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class QuantityTableTest {
  private static final Quantity HEIGHT = new Quantity("height", "m", "how high it is");
  private static final Quantity SPEED = new Quantity("speed", "m/s", "how fast it is");
  private static final Quantity MASS = new Quantity("mass", "kg", "how heavy it is");
  private static final Task CLIMB =
      new Task("climb", "high and slow", q -> q.get(HEIGHT) - 10 * q.get(SPEED));

  private static double reading(Quantity quantity, int row) {
    return quantity.equals(HEIGHT) ? row : 1.0 / (row + 1);
  }

  @Test
  void aTaskIsPaidOnStoredQuantitiesAsOnTheStatesThemselves() {
    int rows = 10_000;
    QuantityTable table = new QuantityTable(List.of(HEIGHT, SPEED), rows);
    assertEquals(rows, table.rows());
    // Out of order: rows are filled by several threads as states come in.
    for (int row = rows - 1; row >= 0; row--) {
      int state = row;
      table.measure(row, quantity -> reading(quantity, state));
    }
    double[] rewards = table.rewards(CLIMB);
    assertEquals(rows, rewards.length);
    for (int row = 0; row < rows; row++) {
      int state = row;
      assertEquals(CLIMB.reward(quantity -> reading(quantity, state)), rewards[row]);
    }
  }

  @Test
  void eachQuantityOfAStateIsMeasuredOnceAndOnlyThatRowChanges() {
    QuantityTable table = new QuantityTable(List.of(SPEED, HEIGHT), 3);
    List<Quantity> asked = new ArrayList<>();
    table.measure(
        1,
        quantity -> {
          asked.add(quantity);
          return 7;
        });
    assertEquals(List.of(SPEED, HEIGHT), asked);
    assertArrayEquals(new double[] {0, 7, 0}, table.column(SPEED));
    assertArrayEquals(new double[] {0, 7, 0}, table.column(HEIGHT));
  }

  @Test
  void aQuantityThatWasNotMeasuredIsNamedWithThoseThatWere() {
    QuantityTable table = new QuantityTable(List.of(HEIGHT, SPEED), 4);
    String message =
        assertThrows(IllegalArgumentException.class, () -> table.column(MASS)).getMessage();
    assertEquals("'mass' was not measured; the table has [height, speed]", message);
    Task heavy = new Task("heavy", "weight", q -> q.get(MASS));
    String told =
        assertThrows(IllegalArgumentException.class, () -> table.rewards(heavy)).getMessage();
    assertTrue(told.contains("'mass' was not measured"), told);
  }

  @Test
  void aTableWithoutRowsPaysNothing() {
    assertEquals(0, new QuantityTable(List.of(HEIGHT, SPEED), 0).rewards(CLIMB).length);
  }
}
