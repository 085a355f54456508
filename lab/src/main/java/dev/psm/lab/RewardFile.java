package dev.psm.lab;

import com.fasterxml.jackson.databind.JsonNode;
import dev.psm.core.UserError;
import dev.psm.core.env.GridMap;
import dev.psm.core.io.DecimalNumber;
import dev.psm.core.io.Json;
import dev.psm.core.io.JsonField;
import dev.psm.core.io.TextFiles;
import dev.psm.core.reward.Reward;
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
          reward[state] =
              number(
                  cells[column].strip(),
                  "%s, line %d, column %d".formatted(file, row + 1, column + 1));
        }
      }
    }
    return reward;
  }

  private static double[] readJson(Path file, GridMap map) {
    JsonNode root = Json.read(file);
    if (root.isObject()) {
      JsonField.of(file, root).checkKeys(List.of("reward"));
    }
    JsonNode rows = root.path("reward");
    if (!rows.isArray()) {
      throw UserError.invalid(
          "%s: field 'reward' is missing or not an array; expected {\"reward\": [[…], …]}", file);
    }
    checkCount(file, "rows in 'reward'", map.height(), rows.size());
    double[] reward = new double[map.freeCellCount()];
    for (int row = 0; row < map.height(); row++) {
      int found = rows.get(row).isArray() ? rows.get(row).size() : 0;
      checkCount(file, "entries in reward[" + row + "]", map.width(), found);
      for (int column = 0; column < map.width(); column++) {
        int state = map.stateAt(row, column);
        if (state >= 0) {
          JsonNode entry = rows.get(row).get(column);
          String text = entry.isNumber() ? entry.asText() : entry.toString();
          reward[state] = number(text, "%s, reward[%d][%d]".formatted(file, row, column));
        }
      }
    }
    return reward;
  }

  private static void checkCount(Path file, String what, int expected, int found) {
    if (expected != found) {
      throw UserError.invalid(
          "%s: expected %d %s, as many as the map has, found %d", file, expected, what, found);
    }
  }

  private static double number(String text, String place) {
    return DecimalNumber.read(text, Reward.LARGEST, place + ", a free cell");
  }
}
