package dev.psm.mujoco;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.jna.Memory;
import dev.psm.core.UserError;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.Set;
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
  }

  /** Every field that is read anywhere is in every file, or a robot would fail on one version. */
  @Test
  void everyFileHasTheSameFields() throws IOException {
    Set<String> fields = properties("2.2.2").stringPropertyNames();
    assertTrue(fields.size() > 80, fields.toString());
    for (String version : Layout.knownVersions()) {
      assertEquals(fields, properties(version).stringPropertyNames(), version);
    }
  }

  private static Properties properties(String version) throws IOException {
    Properties properties = new Properties();
    try (InputStream in = Layout.class.getResourceAsStream("layouts/" + version + ".properties")) {
      properties.load(in);
    }
    return properties;
  }

  @Test
  void anUnknownVersionIsRefusedWithTheKnownOnesAndWhatToDo() {
    UserError refused =
        assertThrows(UserError.class, () -> Layout.of("2.3.7", 237, "/opt/libmujoco.so"));
    assertEquals(
        "/opt/libmujoco.so is MuJoCo 2.3.7 (237), and psm knows the memory layout of 2.2.2, 3.14.0"
            + " only. "
            + MujocoLibrary.HOW_TO_INSTALL
            + " To make psm know 2.3.7, print its layout from its headers: see"
            + " mujoco/src/main/layout/layout.c.",
        refused.getMessage());
    assertEquals(UserError.Kind.FAILED, refused.kind());
  }

  /** A neighbour's layout is never taken, nor that of a build which only has the same name. */
  @Test
  void onlyTheVeryVersionDoes() {
    for (String near : List.of("3.14.1", "3.13.0", "3.14", "2.2.2-dev", "")) {
      assertThrows(UserError.class, () -> Layout.of(near, 3014000, "libmujoco"), near);
    }
    assertThrows(UserError.class, () -> Layout.of("3.14.0", 3014001, "libmujoco"));
    assertEquals(8, Layout.of("3.14.0", 3014000, "libmujoco").model("nv"));
    assertEquals(4, Layout.of("2.2.2", 222, "libmujoco").model("nv"));
  }

  @Test
  void countsAreReadInTheVersionsWidth() throws IOException {
    try (Memory structure = new Memory(16)) {
      structure.setInt(0, 7);
      structure.setInt(4, 1);
      Layout narrow = parse("model.nq=0\nmodel.nq.bytes=4\n");
      Layout wide = parse("model.nq=0\nmodel.nq.bytes=8\n");
      assertEquals(7, narrow.modelCount(structure, "nq"));
      assertEquals((1L << 32) + 7, wide.modelCount(structure, "nq"));
    }
  }

  @Test
  void whatIsNoNumberIsToldByVersionAndField() {
    for (String value : List.of("", "-8", "8 bytes", "0x10", "99999999999")) {
      IllegalStateException refused =
          assertThrows(IllegalStateException.class, () -> parse("model.nq=" + value));
      assertEquals(
          "the layout of MuJoCo 9.9.9: expected a number for 'model.nq', found '%s'; print it anew"
                  .formatted(value)
              + " with layout.c",
          refused.getMessage());
    }
  }

  private static Layout parse(String text) throws IOException {
    return Layout.parse("9.9.9", new StringReader(text));
  }

  @Test
  void aFieldWithoutAnOffsetIsToldByNameWithTheRemedy() {
    Layout layout = Layout.of("2.2.2", 222, "libmujoco");
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
    assertTrue(EngineMemory.holds(1000, 64, 1000, 64));
    assertTrue(EngineMemory.holds(1000, 64, 1064, 0));
    assertFalse(EngineMemory.holds(1000, 64, 1000, 65));
    assertFalse(EngineMemory.holds(1000, 64, 999, 1));
    assertFalse(EngineMemory.holds(1000, 64, 1065, 0));
    assertFalse(EngineMemory.holds(1000, 64, 1010, -1));
    assertFalse(EngineMemory.holds(1000, 64, 0, 8));
  }
}
