package dev.psm.lab;

import com.fasterxml.jackson.databind.JsonNode;
import dev.psm.core.UserError;
import dev.psm.core.env.GridMap;
import dev.psm.core.io.Json;
import dev.psm.core.io.TextFiles;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * A reward on the cells of a grid, received when a cell is entered: a CSV file drawn like the map
 * (one line per row, one number per column), or a JSON file {@code {"reward": [[…], …]}} of the
 * same shape. Cells that are walls are not read and may be empty or null.
 */
public final class RewardFile {
  private RewardFile() {}

  /** The reward of entering each state. */
  public static double[] read(Path file, GridMap map) {
    return file.toString().toLowerCase(Locale.ROOT).endsWith(".json")
        ? readJson(file, map)
        : readCsv(file, map);
  }

  private static double[] readCsv(Path file, GridMap map) {
    List<String> lines = TextFiles.lines(file, "a CSV file drawn like the map");
    while (!lines.isEmpty() && lines.get(lines.size() - 1).isBlank()) {
      lines = lines.subList(0, lines.size() - 1);
    }
    checkCount(file, "lines", map.height(), lines.size());
    double[] reward = new double[map.freeCellCount()];
    for (int row = 0; row < map.height(); row++) {
      String[] cells = lines.get(row).split(",", -1);
      checkCount(
          file, "numbers, separated by commas, in line " + (row + 1), map.width(), cells.length);
      for (int column = 0; column < cells.length; column++) {
        int state = map.stateAt(row, column);
        if (state >= 0) {
          reward[state] = number(file, row, column, cells[column].strip());
        }
      }
    }
    return reward;
  }

  private static double[] readJson(Path file, GridMap map) {
    JsonNode root = Json.read(file);
    JsonNode rows = root.path("reward");
    if (!rows.isArray()) {
      throw UserError.usage(
          "%s: field 'reward' is missing or not an array; expected {\"reward\": [[…], …]}", file);
    }
    checkCount(file, "rows in 'reward'", map.height(), rows.size());
    double[] reward = new double[map.freeCellCount()];
    for (int row = 0; row < map.height(); row++) {
      checkCount(file, "entries in reward[" + row + "]", map.width(), rows.get(row).size());
      for (int column = 0; column < map.width(); column++) {
        int state = map.stateAt(row, column);
        if (state >= 0) {
          reward[state] = number(file, row, column, rows.get(row).get(column).asText());
        }
      }
    }
    return reward;
  }

  private static void checkCount(Path file, String what, int expected, int found) {
    if (expected != found) {
      throw UserError.usage(
          "%s: expected %d %s, as many as the map has, found %d", file, expected, what, found);
    }
  }

  private static double number(Path file, int row, int column, String text) {
    try {
      double value = Double.parseDouble(text);
      if (Double.isFinite(value)) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Told below, together with numbers that are not finite.
    }
    throw UserError.usage(
        "%s: row %d, column %d: expected a finite number for this free cell, found '%s'",
        file, row, column, text);
  }
}
