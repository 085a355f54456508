package dev.psm.core;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestTest {
  private static final List<String> KNOWN = List.of("states", "actions", "discount");

  @Test
  void aSlipOfTheKeyboardIsRecognised() {
    assertEquals("did you mean 'states'?", Nearest.hint("sates", KNOWN));
    assertEquals("did you mean 'discount'?", Nearest.hint("dicsount", KNOWN));
    assertEquals("did you mean 'actions'?", Nearest.hint("ACTION", KNOWN));
  }

  @Test
  void equallyNearNamesAreAllOffered() {
    assertEquals("did you mean 'cat' or 'car'?", Nearest.hint("cab", List.of("cat", "car")));
  }

  @Test
  void aStrangeNameGetsTheList() {
    assertEquals("known: actions, discount, states", Nearest.hint("zebra", KNOWN));
    assertEquals("none is known", Nearest.hint("zebra", List.of()));
  }

  @Test
  void distanceCountsASwapOfNeighboursOnce() {
    assertEquals(1, Nearest.editDistance("gird", "grid"));
    assertEquals(3, Nearest.editDistance("kitten", "sitting"));
    assertEquals(4, Nearest.editDistance("", "grid"));
  }
}
