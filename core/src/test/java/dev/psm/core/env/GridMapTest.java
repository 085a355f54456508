package dev.psm.core.env;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.UserError;
import dev.psm.core.mdp.FiniteMdp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GridMapTest {
  private static String errorOf(String text) {
    UserError error = assertThrows(UserError.class, () -> GridMap.parse("room.txt", text));
    assertEquals(UserError.Kind.INVALID, error.kind());
    return error.getMessage();
  }

  @ParameterizedTest
  @CsvSource({
    "gridworld, 9, 10, 50",
    "four-rooms, 11, 11, 68",
    "four-rooms-dark, 11, 11, 68",
    "four-rooms-large, 21, 21, 328",
    "spiral, 13, 13, 71"
  })
  void namedMapsHaveTheirKnownSize(String name, int height, int width, int free) {
    GridMap map = GridMap.named(name);
    assertEquals(height, map.height());
    assertEquals(width, map.width());
    assertEquals(free, map.freeCellCount());
  }

  @Test
  void doorsAreWhereTheLiteratureHasThem() {
    assertTrue(GridMap.named("four-rooms").stateAt(5, 7) >= 0);
    assertEquals(-1, GridMap.named("four-rooms").stateAt(5, 8));
    assertTrue(GridMap.named("four-rooms-dark").stateAt(5, 8) >= 0);
    GridMap large = GridMap.named("four-rooms-large");
    for (int[] door : new int[][] {{3, 10}, {10, 4}, {10, 14}, {14, 10}}) {
      assertTrue(large.stateAt(door[0], door[1]) >= 0);
    }
  }

  @Test
  void anUnknownNameGetsTheNearestOne() {
    UserError error = assertThrows(UserError.class, () -> GridMap.named("four-room"));
    assertEquals("no map is called 'four-room'; did you mean 'four-rooms'?", error.getMessage());
  }

  @Test
  void actionsMoveUpRightDownLeftAndStayAndBumpsStayPut() {
    GridMap map = GridMap.parse("m", "..\n..");
    assertArrayEquals(new int[] {0, 1, 2, 0, 0}, map.next()[0]);
    assertArrayEquals(new int[] {1, 3, 3, 2, 3}, map.next()[3]);
  }

  @Test
  void observationsAreDividedByTheSizeOfTheMap() {
    GridMap map = GridMap.named("gridworld");
    float[] observation = map.observation(map.stateAt(7, 8));
    assertArrayEquals(new float[] {7f / 9, 8f / 10}, observation);
  }

  @Test
  void theMdpWalksLikeTheMap() {
    GridMap map = GridMap.named("four-rooms");
    FiniteMdp mdp = map.toMdp(0.9);
    assertTrue(mdp.isDeterministic());
    for (int pair = 0; pair < mdp.pairCount(); pair++) {
      assertEquals(map.nextState(pair / 5, pair % 5), mdp.successor(mdp.rowStart(pair)));
    }
  }

  @Test
  void windowsLineEndsAndTrailingBlankLinesAreTolerated() {
    GridMap map = GridMap.parse("m", "###\r\n#s#\r\n###\r\n\r\n  \r\n");
    assertEquals(3, map.height());
    assertEquals(1, map.freeCellCount());
  }

  @Test
  void aRaggedMapIsToldAtTheMissingCell() {
    assertTrue(errorOf("####\n#.#\n####").startsWith("room.txt, line 2, column 4: expected 4"));
    assertTrue(errorOf("###\n#..#\n###").startsWith("room.txt, line 2, column 4: expected 3"));
    assertTrue(errorOf("###\n\n###").startsWith("room.txt, line 2, column 1: expected 3"));
  }

  @Test
  void anUnknownCharacterIsToldAtItsPlace() {
    assertTrue(errorOf("###\n#.X\n###").startsWith("room.txt, line 2, column 3: expected '#'"));
    assertTrue(errorOf("###\n#.X\n###").endsWith("found 'X'"));
    assertTrue(errorOf("###\n#\t#\n###").endsWith("found a tab; use spaces"));
    assertTrue(errorOf("#🙂#").endsWith("found '🙂'"));
    assertTrue(errorOf("#\u0000#").endsWith("found the control character U+0000"));
  }

  @Test
  void aMapWithoutFreeCellsIsRefused() {
    assertTrue(errorOf("###\n###").contains("expected at least one free cell"));
    assertTrue(errorOf("").contains("the map is empty"));
    assertTrue(errorOf("\n\n").contains("the map is empty"));
  }

  @Test
  void aRegionCutOffIsToldAtTheSmallerSide() {
    String text = errorOf("#####\n#.#.#\n#.#.#\n###.#\n#####");
    assertTrue(text.startsWith("room.txt, line 2, column 2: expected all free cells"), text);
    assertTrue(text.contains("a region of 2 that cannot be reached from line 2, column 4"), text);
  }

  @Test
  void goalsAreResolvedOrRefusedWithTheNearestFreeCell() {
    GridMap map = GridMap.named("gridworld");
    assertEquals(map.stateAt(3, 7), map.goal("3,7"));
    assertEquals(map.stateAt(3, 7), map.goal(" 3 , 7 "));
    String wall = assertThrows(UserError.class, () -> map.goal("0,1")).getMessage();
    assertTrue(wall.contains("row 0, column 1 in a wall"), wall);
    assertTrue(wall.endsWith("the nearest free cell is 1,1"), wall);
    String outside = assertThrows(UserError.class, () -> map.goal("9,4")).getMessage();
    assertTrue(outside.contains("outside the map (rows 0 to 8, columns 0 to 9)"), outside);
    String malformed = assertThrows(UserError.class, () -> map.goal("3;7")).getMessage();
    assertTrue(malformed.contains("expected ROW,COLUMN"), malformed);
  }

  @Test
  void filesAreReadAndTheirFaultsNamed(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("m.txt");
    Files.writeString(file, "...\n");
    assertEquals(3, GridMap.read(file).freeCellCount());
    assertFalse(GridMap.read(file).name().contains("/"), "runs are filed under the name");
    Files.write(file, new byte[] {'.', (byte) 0xff});
    assertTrue(
        assertThrows(UserError.class, () -> GridMap.read(file)).getMessage().contains("UTF-8"));
    Path missing = folder.resolve("none.txt");
    assertTrue(
        assertThrows(UserError.class, () -> GridMap.read(missing))
            .getMessage()
            .endsWith("none.txt: there is no such file"));
  }
}
