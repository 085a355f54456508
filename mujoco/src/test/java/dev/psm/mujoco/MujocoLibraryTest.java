package dev.psm.mujoco;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.psm.core.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Finding the library, and refusing what is not it without disturbing the one that is bound. */
class MujocoLibraryTest {
  @TempDir Path folder;
  private Simulation before;

  @BeforeEach
  void open() {
    before = Pendulum.open();
  }

  @AfterEach
  void theBoundLibraryStillWorksAndStillComplainsToUs() {
    assertTrue(before.step(1));
    before.qpos().set(0, Double.NaN);
    assertFalse(before.step(1));
    before.close();
    Pendulum.open().close();
  }

  private static UserError refused(String named, String... words) {
    UserError refused = assertThrows(UserError.class, () -> MujocoLibrary.open(named));
    for (String word : words) {
      assertTrue(refused.getMessage().contains(word), refused.getMessage());
    }
    assertEquals(UserError.Kind.FAILED, refused.kind());
    return refused;
  }

  @Test
  void aFileThatDoesNotExistIsToldByNameAndVariable() {
    refused(
        "/no/such/libmujoco.so",
        "MUJOCO_LIBRARY names /no/such/libmujoco.so, which does not exist",
        MujocoLibrary.HOW_TO_INSTALL);
  }

  @Test
  void aFolderWithoutTheLibraryIsTold() {
    refused(folder.toString(), "MUJOCO_LIBRARY names " + folder + ", which holds no libmujoco");
  }

  @Test
  void aTextFileIsToldWithTheLoadersReason() throws IOException {
    Path file = Files.writeString(folder.resolve("libmujoco.so"), "not a library");
    UserError refused = refused(file.toString(), file + ", which cannot be loaded: ");
    assertTrue(refused.getCause() instanceof UnsatisfiedLinkError);
    refused(folder.toString(), file + ", which cannot be loaded: ");
  }

  @Test
  void anotherLibraryIsToldNotToBeMujoco() {
    Path libc = Path.of("/lib/x86_64-linux-gnu/libc.so.6");
    assumeTrue(Files.exists(libc), "a library that is surely not MuJoCo");
    refused(libc.toString(), "libc.so.6 is not MuJoCo", MujocoLibrary.HOW_TO_INSTALL);
  }

  @Test
  void aFileAndAFolderThatHoldItBothDo() throws IOException {
    Path file = installed();
    MujocoLibrary byFile = MujocoLibrary.open(file.toString());
    assertEquals(MujocoLibrary.load().version(), byFile.version());
    assertEquals(file.toString(), byFile.file());
    // Not the usual name: JNA remembers libraries by theirs.
    Path link = Files.createSymbolicLink(folder.resolve("libmujoco-linked.so"), file);
    assertEquals(link.toString(), MujocoLibrary.open(folder.toString()).file());
  }

  /** Where the process has mapped the library from. */
  private static Path installed() throws IOException {
    Path maps = Path.of("/proc/self/maps");
    assumeTrue(Files.exists(maps), "the library's place is read from /proc");
    try (Stream<String> lines = Files.lines(maps)) {
      return Path.of(
          lines
              .filter(line -> line.contains("libmujoco"))
              .map(line -> line.substring(line.indexOf('/')))
              .findFirst()
              .orElseThrow());
    }
  }

  @Test
  void aBlankVariableAsksTheSystem() {
    assumeTrue(System.getenv(MujocoLibrary.VARIABLE) == null, "the system has it");
    for (String blank : List.of("", "  ")) {
      assertEquals(MujocoLibrary.load().version(), MujocoLibrary.open(blank).version());
    }
  }

  @Test
  void itIsLoadedOnce() {
    MujocoLibrary loaded = MujocoLibrary.load();
    assertEquals("2.2.2", loaded.version());
    assertSame(loaded, OnThread.call(MujocoLibrary::load));
  }
}
