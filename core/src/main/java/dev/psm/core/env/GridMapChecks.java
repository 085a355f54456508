package dev.psm.core.env;

import dev.psm.core.UserError;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The ways in which a drawn map or a goal on it can be wrong, each told at its place. */
final class GridMapChecks {
  private static final String FREE = ". s";
  private static final Pattern GOAL = Pattern.compile("\\s*(-?\\d{1,9})\\s*,\\s*(-?\\d{1,9})\\s*");

  private GridMapChecks() {}

  static void shape(String name, List<String> lines) {
    if (lines.isEmpty()) {
      throw UserError.invalid("%s, line 1, column 1: the map is empty; draw a free cell '.'", name);
    }
    int width = lines.get(0).length();
    boolean free = false;
    for (int row = 0; row < lines.size(); row++) {
      String line = lines.get(row);
      for (int column = 0; column < line.length(); column++) {
        if (line.charAt(column) != '#' && FREE.indexOf(line.charAt(column)) < 0) {
          throw UserError.invalid(
              "%s, line %d, column %d: expected '#' for a wall or '.', ' ' or 's' for a free cell,"
                  + " found %s",
              name, row + 1, column + 1, shown(line.codePointAt(column)));
        }
        free |= line.charAt(column) != '#';
      }
      if (line.length() != width) {
        throw UserError.invalid(
            "%s, line %d, column %d: expected %d characters as in line 1, found %d; make all lines"
                + " equally long",
            name, row + 1, Math.min(width, line.length()) + 1, width, line.length());
      }
    }
    if (!free) {
      throw UserError.invalid(
          "%s, line 1, column 1: expected at least one free cell ('.', ' ' or 's') in %d lines,"
              + " found only walls",
          name, lines.size());
    }
  }

  private static String shown(int character) {
    if (character == '\t') {
      return "a tab; use spaces";
    }
    return Character.isISOControl(character)
        ? "the control character U+%04X".formatted(character)
        : "'%s'".formatted(Character.toString(character));
  }

  static void connected(GridMap map, String source) {
    int[] region = new int[map.freeCellCount()];
    Arrays.fill(region, -1);
    int first = flood(map, 0, 0, region);
    if (first == region.length) {
      return;
    }
    int other = 0;
    while (region[other] == 0) {
      other++;
    }
    int second = flood(map, other, 1, region);
    int lost = second <= first ? other : 0;
    int home = second <= first ? 0 : other;
    throw UserError.invalid(
        "%s, line %d, column %d: expected all free cells to be connected, found a region of %d"
            + " that cannot be reached from line %d, column %d; open a door or fill it with '#'",
        source,
        map.row(lost) + 1,
        map.column(lost) + 1,
        Math.min(first, second),
        map.row(home) + 1,
        map.column(home) + 1);
  }

  private static int flood(GridMap map, int start, int label, int[] region) {
    ArrayDeque<Integer> open = new ArrayDeque<>(List.of(start));
    region[start] = label;
    int count = 0;
    while (!open.isEmpty()) {
      int state = open.remove();
      count++;
      for (int action = 0; action < GridMap.ACTION_COUNT; action++) {
        int next = map.nextState(state, action);
        if (region[next] < 0) {
          region[next] = label;
          open.add(next);
        }
      }
    }
    return count;
  }

  static int goal(GridMap map, String text) {
    Matcher matcher = GOAL.matcher(text);
    if (!matcher.matches()) {
      throw UserError.invalid(
          "goal: expected ROW,COLUMN counted from 0 (for example %d,%d), found '%s'",
          map.row(0), map.column(0), text);
    }
    int row = Integer.parseInt(matcher.group(1));
    int column = Integer.parseInt(matcher.group(2));
    int state = map.stateAt(row, column);
    if (state >= 0) {
      return state;
    }
    boolean outside = row < 0 || row >= map.height() || column < 0 || column >= map.width();
    int nearest = nearest(map, row, column);
    throw UserError.invalid(
        "goal: expected a free cell of %s, found row %d, column %d%s (rows 0 to %d, columns 0 to"
            + " %d); the nearest free cell is %d,%d",
        map.name(),
        row,
        column,
        outside ? ", outside the map" : " in a wall",
        map.height() - 1,
        map.width() - 1,
        map.row(nearest),
        map.column(nearest));
  }

  private static int nearest(GridMap map, int row, int column) {
    int best = 0;
    long bestDistance = Long.MAX_VALUE;
    for (int state = 0; state < map.freeCellCount(); state++) {
      long distance =
          Math.abs((long) map.row(state) - row) + Math.abs((long) map.column(state) - column);
      if (distance < bestDistance) {
        best = state;
        bestDistance = distance;
      }
    }
    return best;
  }
}
