package dev.psm.core.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.UserError;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FolderLockTest {
  @TempDir Path root;

  @Test
  void oneFolderHasOneOwnerWhateverItIsCalled() throws Exception {
    Path folder = root.resolve("a");
    FolderLock first = FolderLock.take(folder, "busy");
    Path alias = Files.createSymbolicLink(root.resolve("b"), folder);
    assertEquals("busy", refusal(folder));
    assertEquals("busy", refusal(alias));
    first.close();
    FolderLock.take(folder, "busy").close();
  }

  @Test
  void aRefusalWithinTheProcessLeavesOtherProcessesLockedOut() throws Exception {
    Path folder = root.resolve("a");
    FolderLock held = FolderLock.take(folder, "busy");
    assertEquals("busy", refusal(folder));
    assertEquals(Other.BUSY, other(folder));
    held.close();
    assertEquals(0, other(folder));
  }

  @Test
  void aPlaceThatIsNoFolderIsExplained() throws Exception {
    Path file = Files.writeString(root.resolve("file"), "");
    assertTrue(refusal(file).contains("not a directory"), refusal(file));
  }

  /** Another process that wants the folder. */
  static final class Other {
    static final int BUSY = 7;

    private Other() {}

    public static void main(String[] arguments) {
      try {
        FolderLock.take(Path.of(arguments[0]), "busy").close();
      } catch (UserError e) {
        System.exit(BUSY);
      }
    }
  }

  private static int other(Path folder) throws Exception {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            Other.class.getName(),
            folder.toString())
        .inheritIO()
        .start()
        .waitFor();
  }

  private static String refusal(Path folder) {
    return assertThrows(UserError.class, () -> FolderLock.take(folder, "busy")).getMessage();
  }
}
