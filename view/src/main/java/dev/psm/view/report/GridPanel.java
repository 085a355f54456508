package dev.psm.view.report;

import java.util.Arrays;

/**
 * One grid: a value per free cell, and optionally an action per cell and a goal. All arrays are
 * {@code [row][column]} from the top left.
 */
public final class GridPanel {
  /** The actions that can be drawn: one step in a direction, or none. */
  public static final int UP = 0;

  public static final int RIGHT = 1;
  public static final int DOWN = 2;
  public static final int LEFT = 3;
  public static final int STAY = 4;

  private static final int NONE = -1;

  final String title;
  final double[][] values;
  int[][] actions;
  boolean[][] wrong;
  int goalRow = NONE;
  int goalColumn = NONE;

  private GridPanel(String title, double[][] values) {
    this.title = title;
    this.values = values;
  }

  /** NaN marks a wall. */
  public static GridPanel of(String title, double[][] values) {
    if (values.length == 0 || values[0].length == 0) {
      throw new IllegalArgumentException("panel \"" + title + "\" has no cell");
    }
    for (double[] row : values) {
      requireWidth(title, row.length, values);
    }
    return new GridPanel(
        title, Arrays.stream(values).map(double[]::clone).toArray(double[][]::new));
  }

  /**
   * Draws a policy.
   *
   * @param newActions {@link #UP} to {@link #STAY}, or −1 for a cell without an action
   * @param newWrong which of them to draw in the other colour; null for none
   */
  public GridPanel policy(int[][] newActions, boolean[][] newWrong) {
    requireHeight(newActions.length);
    for (int[] row : newActions) {
      requireWidth(title, row.length, values);
      for (int action : row) {
        if (action < NONE || action > STAY) {
          throw new IllegalArgumentException("panel \"" + title + "\": no action " + action);
        }
      }
    }
    actions = Arrays.stream(newActions).map(int[]::clone).toArray(int[][]::new);
    wrong = new boolean[rows()][columns()];
    if (newWrong != null) {
      requireHeight(newWrong.length);
      for (int row = 0; row < rows(); row++) {
        requireWidth(title, newWrong[row].length, values);
        wrong[row] = newWrong[row].clone();
      }
    }
    return this;
  }

  /** Marks a cell with a "G". */
  public GridPanel goal(int row, int column) {
    if (row < 0 || row >= rows() || column < 0 || column >= columns()) {
      throw new IllegalArgumentException(
          "panel \"%s\": no cell (%d, %d)".formatted(title, row, column));
    }
    goalRow = row;
    goalColumn = column;
    return this;
  }

  int rows() {
    return values.length;
  }

  int columns() {
    return values[0].length;
  }

  boolean hasWrong() {
    return wrong != null && Arrays.stream(wrong).anyMatch(GridPanel::any);
  }

  private static boolean any(boolean[] row) {
    for (boolean cell : row) {
      if (cell) {
        return true;
      }
    }
    return false;
  }

  private void requireHeight(int height) {
    if (height != rows()) {
      throw new IllegalArgumentException(
          "panel \"%s\": %d rows, expected %d".formatted(title, height, rows()));
    }
  }

  private static void requireWidth(String title, int width, double[][] values) {
    if (width != values[0].length) {
      throw new IllegalArgumentException(
          "panel \"%s\": a row of %d cells, expected %d".formatted(title, width, values[0].length));
    }
  }
}
