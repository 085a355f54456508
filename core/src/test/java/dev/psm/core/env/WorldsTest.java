package dev.psm.core.env;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorldsTest {
  @TempDir Path folder;

  @Test
  void gridsAreWorldsByNameAndByFile() throws IOException {
    assertEquals("four-rooms", Worlds.named("four-rooms").name());
    Path file = Files.writeString(folder.resolve("mine.txt"), "####\n#..#\n####\n");
    World mine = Worlds.named(file.toString());
    assertEquals("mine", mine.name());
    assertEquals(2, mine.allStates().orElseThrow().rows());
  }

  @Test
  void anUnknownNameIsToldWithTheNearest() {
    String message = assertThrows(UserError.class, () -> Worlds.named("four-room")).getMessage();
    assertTrue(message.contains("did you mean 'four-rooms'?"), message);
    assertThrows(UserError.class, () -> Worlds.named("\0"));
  }

  @Test
  void pluginsThatAreNoneAreRefused() throws IOException {
    Path text = Files.writeString(folder.resolve("x.txt"), "x");
    assertThrows(UserError.class, () -> Worlds.addPlugins(List.of(text)));
    assertThrows(UserError.class, () -> Worlds.addPlugins(List.of(folder.resolve("missing"))));
    assertThrows(UserError.class, () -> Worlds.addPlugins(List.of(folder)));
  }
}
