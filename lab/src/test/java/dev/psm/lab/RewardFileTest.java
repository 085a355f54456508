package dev.psm.lab;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.UserError;
import dev.psm.core.env.GridMap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RewardFileTest {
  private static final GridMap MAP = GridMap.parse("corner", "..\n#.\n");

  @TempDir private Path folder;

  private double[] read(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.writeString(file, text);
    return RewardFile.read(file, MAP);
  }

  @Test
  void csvAndJsonMeanTheSameAndWallsAreNotRead() throws IOException {
    double[] expected = {1, -2.5, 1e-3};
    assertArrayEquals(expected, read("reward.csv", "1, -2.5\n,1e-3\n\n"));
    assertArrayEquals(expected, read("reward.CSV", "1,-2.5\nwall,0.001"));
    assertArrayEquals(expected, read("marked.csv", "\uFEFF1,-2.5\r\n,+1E-3\r\n"));
    assertArrayEquals(expected, read("r.json", "{\"reward\": [[1, -2.5], [null, 1e-3]]}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "reward.csv|1,2|expected 2 lines, as many as the map has, found 1",
        "reward.csv|1,2;3|expected 2 numbers, separated by commas, in line 2, as many as the map has, found 1",
        "reward.csv|1,NaN;0,3|line 1, column 2, a free cell: expected a finite decimal number",
        "reward.csv|1,2;0,1e999|line 2, column 2, a free cell: expected a finite decimal number",
        "reward.csv|1,;0,3|line 1, column 2, a free cell: expected a finite decimal number, such as -1.5 or 2e-3, found ''",
        "reward.csv|1,1f;0,3|line 1, column 2, a free cell: expected a finite decimal number",
        "reward.csv|1,2;0,0x1p3|line 2, column 2, a free cell: expected a finite decimal number",
        "reward.csv|one,2;0,3|line 1, column 1, a free cell: expected a finite decimal number",
        "reward.csv|``|expected 2 lines",
        "r.json|[1, 2]|field 'reward' is missing or not an array",
        "r.json|{\"rewards\": [[1, 2], [0, 3]]}|unknown key 'rewards'; did you mean 'reward'?",
        "r.json|{\"reward\": [[1, 2], [0, 3]], \"scale\": 2}|unknown key 'scale'; known: reward",
        "r.json|{\"reward\": 3}|field 'reward' is missing or not an array",
        "r.json|{\"reward\": [[1, 2]]}|expected 2 rows in 'reward'",
        "r.json|{\"reward\": [[1, 2], 3]}|expected 2 entries in reward[1]",
        "r.json|{\"reward\": [[1, 2], {\"a\": 0, \"b\": 3}]}|expected 2 entries in reward[1]",
        "r.json|{\"reward\": [[1, null], [0, 3]]}|reward[0][1], a free cell: expected a finite decimal number",
        "r.json|{\"reward\": [[1, \"NaN\"], [0, 3]]}|reward[0][1], a free cell: expected a finite decimal number",
        "r.json|{\"reward\": [[1, \"2\"], [0, 3]]}|reward[0][1], a free cell: expected a finite decimal number",
        "r.json|{\"reward\": [[1, [2]], [0, 3]]}|reward[0][1], a free cell: expected a finite decimal number",
        "r.json|{\"reward\": [[1, 2]|line 1, column",
      })
  void aWrongFileIsRefusedAtItsPlace(String name, String text, String expected) {
    UserError error = assertThrows(UserError.class, () -> read(name, text.replace(';', '\n')));
    assertTrue(error.getMessage().contains(expected), error.getMessage());
    assertTrue(error.getMessage().contains(name), error.getMessage());
    assertEquals(UserError.Kind.INVALID, error.kind());
  }

  @ParameterizedTest
  @CsvSource({"missing.csv", "missing.json"})
  void aMissingFileIsWrongUse(String name) {
    UserError error =
        assertThrows(UserError.class, () -> RewardFile.read(folder.resolve(name), MAP));
    assertTrue(error.getMessage().contains("no such file"), error.getMessage());
    assertEquals(UserError.Kind.INVALID, error.kind());
  }
}
