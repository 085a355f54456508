package dev.psm.mujoco;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import dev.psm.core.UserError;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LayoutTest {
  @Test
  void everyListedVersionHasItsFileAndEveryFileIsListed() throws IOException, URISyntaxException {
    Path folder = Path.of(Layout.class.getResource("layouts/versions.txt").toURI()).getParent();
    try (Stream<Path> files = Files.list(folder)) {
      List<String> versions =
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> name.endsWith(".properties"))
              .map(name -> name.replace(".properties", ""))
              .sorted()
              .toList();
      assertEquals(Layout.knownVersions().stream().sorted().toList(), versions);
    }
    for (String version : Layout.knownVersions()) {
      int number = Integer.parseInt(version.replace(".", ""));
      Layout layout = Layout.of(number, version, "libmujoco");
      assertTrue(layout.data("buffer") > layout.data("time"), version);
    }
  }

  @Test
  void anUnknownVersionIsRefusedWithTheKnownOnesAndWhatToDo() {
    UserError refused =
        assertThrows(UserError.class, () -> Layout.of(237, "2.3.7", "/opt/libmujoco.so"));
    assertEquals(
        "/opt/libmujoco.so is MuJoCo 2.3.7, and psm knows the memory layout of 2.2.2 only. "
            + MujocoLibrary.HOW_TO_INSTALL,
        refused.getMessage());
    assertEquals(1, refused.exitCode());
  }

  @Test
  void aFieldWithoutAnOffsetIsToldByNameWithTheRemedy() {
    Layout layout = Layout.of(222, "2.2.2", "libmujoco");
    IllegalArgumentException missing =
        assertThrows(IllegalArgumentException.class, () -> layout.data("flux"));
    assertTrue(
        missing.getMessage().contains("'data.flux'") && missing.getMessage().contains("layout.c"),
        missing.getMessage());
    assertThrows(IllegalArgumentException.class, () -> layout.model("flux"));
    assertThrows(IllegalArgumentException.class, () -> layout.constant("flux"));
  }

  @Test
  void whatLiesOutsideTheBlockOfArraysIsFoundOut() {
    try (Memory structure = new Memory(16)) {
      structure.setLong(0, 1000);
      structure.setInt(8, 64);
      long address = Pointer.nativeValue(structure);
      assertTrue(EngineMemory.holds(address, 0, 8, 1000, 64));
      assertTrue(EngineMemory.holds(address, 0, 8, 1064, 0));
      assertFalse(EngineMemory.holds(address, 0, 8, 1000, 65));
      assertFalse(EngineMemory.holds(address, 0, 8, 999, 1));
      assertFalse(EngineMemory.holds(address, 0, 8, 1065, 0));
      assertFalse(EngineMemory.holds(address, 0, 8, 1010, -1));
      assertFalse(EngineMemory.holds(address, 0, 8, 0, 8));
    }
  }
}
