package dev.psm.core.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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

  /** Each owner deletes the lock file, while the others are about to lock it. */
  @Test
  void aLockThatIsDeletedLetsNobodyInBesideTheNextOwner() throws Exception {
    Path folder = Files.createDirectory(root.resolve("a"));
    List<Process> takers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      takers.add(start(Taker.class, folder));
    }
    for (Process taker : takers) {
      assertEquals(0, taker.waitFor());
    }
  }

  /** A process that takes the folder again and again, and fails where it is not the only owner. */
  static final class Taker {
    private static final int TIMES = 1000;

    private Taker() {}

    public static void main(String[] arguments) throws IOException {
      Path folder = Path.of(arguments[0]);
      for (int taken = 0; taken < TIMES; ) {
        Optional<FolderLock> lock = FolderLock.tryTake(folder);
        if (lock.isPresent()) {
          taken++;
          try (FolderLock held = lock.get()) {
            Files.delete(Files.createFile(folder.resolveSibling("owner")));
            Files.delete(folder.resolve(".lock"));
          }
        }
      }
    }
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
    return start(Other.class, folder).waitFor();
  }

  private static Process start(Class<?> program, Path folder) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            program.getName(),
            folder.toString())
        .inheritIO()
        .start();
  }

  private static String refusal(Path folder) {
    return assertThrows(UserError.class, () -> FolderLock.take(folder, "busy")).getMessage();
  }
}
