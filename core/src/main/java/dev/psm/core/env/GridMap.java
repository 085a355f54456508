package dev.psm.core.env;

import dev.psm.core.Nearest;
import dev.psm.core.UserError;
import dev.psm.core.io.TextFiles;
import dev.psm.core.mdp.FiniteMdp;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A grid of walls and free cells, drawn in text: {@code #} is a wall; {@code .}, a space and {@code
 * s} are free.
 *
 * <p>States are the free cells, numbered row by row. Actions are {@link #UP}, {@link #RIGHT},
 * {@link #DOWN}, {@link #LEFT} and {@link #STAY}; moving into a wall or off the map stays put. All
 * free cells are connected, so every goal can be reached from every start.
 */
public final class GridMap {
  public static final int UP = 0;
  public static final int RIGHT = 1;
  public static final int DOWN = 2;
  public static final int LEFT = 3;
  public static final int STAY = 4;
  public static final int ACTION_COUNT = 5;

  /** The maps that come with psm, for {@link #named}. */
  public static final List<String> NAMES =
      List.of("gridworld", "four-rooms", "four-rooms-dark", "four-rooms-large", "spiral");

  private static final int[] ROW_STEP = {-1, 0, 1, 0, 0};
  private static final int[] COLUMN_STEP = {0, 1, 0, -1, 0};
  private static final int MAX_BYTES = 4 << 20;

  private final String name;
  private final List<String> lines;
  private final int[] rows;
  private final int[] columns;
  private final int[][] states;
  private final int[][] next;

  private GridMap(String name, List<String> lines) {
    this.name = name;
    this.lines = List.copyOf(lines);
    states = new int[lines.size()][lines.get(0).length()];
    int count = 0;
    for (int row = 0; row < states.length; row++) {
      for (int column = 0; column < states[row].length; column++) {
        states[row][column] = lines.get(row).charAt(column) == '#' ? -1 : count++;
      }
    }
    rows = new int[count];
    columns = new int[count];
    for (int row = 0; row < states.length; row++) {
      for (int column = 0; column < states[row].length; column++) {
        if (states[row][column] >= 0) {
          rows[states[row][column]] = row;
          columns[states[row][column]] = column;
        }
      }
    }
    next = new int[count][ACTION_COUNT];
    for (int state = 0; state < count; state++) {
      for (int action = 0; action < ACTION_COUNT; action++) {
        int entered = stateAt(rows[state] + ROW_STEP[action], columns[state] + COLUMN_STEP[action]);
        next[state][action] = entered < 0 ? state : entered;
      }
    }
  }

  /** One of {@link #NAMES}. */
  public static GridMap named(String name) {
    if (!NAMES.contains(name)) {
      throw UserError.invalid("no map is called '%s'; %s", name, Nearest.hint(name, NAMES));
    }
    try (InputStream in = GridMap.class.getResourceAsStream(name + ".txt")) {
      return parse(name, new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads a map from a UTF-8 text file. */
  public static GridMap read(Path file) {
    return parse(nameOf(file), file.toString(), TextFiles.read(file, "a map", MAX_BYTES));
  }

  /**
   * Reads a map from text. Blank lines at the end are ignored, unless one is as wide as the map and
   * so a row of free cells.
   *
   * @param name what the map is called, in errors too
   */
  public static GridMap parse(String name, String text) {
    return parse(name, name, text);
  }

  /**
   * Reads a map from text, as {@link #parse(String, String)} does.
   *
   * @param source where the text comes from, for errors
   */
  public static GridMap parse(String name, String source, String text) {
    List<String> lines = new ArrayList<>(List.of(text.replace("\r\n", "\n").split("\n", -1)));
    int width = lines.get(0).length();
    for (int last = lines.size() - 1;
        last >= 0 && lines.get(last).isBlank() && (width == 0 || lines.get(last).length() != width);
        last--) {
      lines.remove(last);
    }
    GridMapChecks.shape(source, lines);
    GridMap map = new GridMap(name, lines);
    GridMapChecks.connected(map, source);
    return map;
  }

  /** The file's own name without its ending: runs are filed under a map's name. */
  private static String nameOf(Path file) {
    String name = file.getFileName().toString();
    int dot = name.lastIndexOf('.');
    return dot > 0 ? name.substring(0, dot) : name;
  }

  public String name() {
    return name;
  }

  /** The drawing, one string a row. */
  public List<String> lines() {
    return lines;
  }

  public int height() {
    return states.length;
  }

  public int width() {
    return states[0].length;
  }

  /** Number of free cells, which is the number of states. */
  public int freeCellCount() {
    return rows.length;
  }

  public int row(int state) {
    return rows[state];
  }

  public int column(int state) {
    return columns[state];
  }

  /** The state of a cell, rows and columns counted from 0; −1 for a wall and for off the map. */
  public int stateAt(int row, int column) {
    return row < 0 || row >= height() || column < 0 || column >= width() ? -1 : states[row][column];
  }

  /** The state entered by an action. */
  public int nextState(int state, int action) {
    return next[state][action];
  }

  /** The states entered, by state and action. */
  public int[][] next() {
    int[][] copy = new int[next.length][];
    for (int state = 0; state < copy.length; state++) {
      copy[state] = next[state].clone();
    }
    return copy;
  }

  /** What an agent sees of a state: (row / height, column / width). */
  public float[] observation(int state) {
    return new float[] {(float) rows[state] / height(), (float) columns[state] / width()};
  }

  /** The dynamics as an MDP with uniform start. */
  public FiniteMdp toMdp(double discount) {
    return FiniteMdp.deterministic(next, discount);
  }

  /** The state of a goal written {@code row,column}, both counted from 0. */
  public int goal(String text) {
    return GridMapChecks.goal(this, text);
  }

  /** Maps are equal by name and drawing. */
  @Override
  public boolean equals(Object other) {
    return other instanceof GridMap map && name.equals(map.name) && lines.equals(map.lines);
  }

  @Override
  public int hashCode() {
    return lines.hashCode();
  }
}
