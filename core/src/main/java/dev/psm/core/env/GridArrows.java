package dev.psm.core.env;

import java.util.function.IntUnaryOperator;

/** Draws the action taken in every free cell of a map. */
public final class GridArrows {
  private static final String SYMBOLS = "↑→↓←·";

  private GridArrows() {}

  /**
   * The map with an arrow in each free cell, {@code ·} for staying and {@code ?} where the action
   * is −1; the goal's cell is drawn {@code G}.
   *
   * @param goal a state, or −1 for none
   */
  public static String draw(GridMap map, IntUnaryOperator actionOf, int goal) {
    StringBuilder drawing = new StringBuilder();
    for (int row = 0; row < map.height(); row++) {
      for (int column = 0; column < map.width(); column++) {
        int state = map.stateAt(row, column);
        if (state < 0) {
          drawing.append('#');
        } else if (state == goal) {
          drawing.append('G');
        } else {
          int action = actionOf.applyAsInt(state);
          drawing.append(action < 0 ? '?' : SYMBOLS.charAt(action));
        }
      }
      drawing.append('\n');
    }
    return drawing.toString();
  }
}
