package dev.psm.core.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.UserError;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AtomicFoldersTest {
  @TempDir Path directory;

  private void write(Path folder, String text) {
    AtomicFolders.write(
        folder, temporary -> AtomicFiles.writeText(temporary.resolve("file"), text));
  }

  private List<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void aFolderAppearsWholeWithItsParents() throws IOException {
    Path folder = directory.resolve("a/b");
    write(folder, "one");
    assertEquals("one", Files.readString(folder.resolve("file")));
    assertEquals(List.of("b"), names(directory.resolve("a")));
  }

  @Test
  void theOldFolderGoesWithAllThatWasInIt() throws IOException {
    Path folder = directory.resolve("a");
    Files.createDirectories(folder.resolve("deep/er"));
    write(folder, "two");
    assertEquals(List.of("file"), names(folder));
    assertEquals(List.of("a"), names(directory));
  }

  @Test
  void aFailureLeavesTheOldFolderAndNothingBeside() throws IOException {
    Path folder = directory.resolve("a");
    write(folder, "one");
    assertThrows(
        IllegalStateException.class,
        () ->
            AtomicFolders.write(
                folder,
                temporary -> {
                  AtomicFiles.writeText(temporary.resolve("file"), "two");
                  throw new IllegalStateException("on purpose");
                }));
    assertEquals("one", Files.readString(folder.resolve("file")));
    assertEquals(List.of("a"), names(directory));
  }

  /** Nobody was asked whether that may go. */
  @Test
  void whatSomebodyElsePutsThereMeanwhileStays() throws IOException {
    for (boolean empty : List.of(false, true)) {
      Path folder = directory.resolve("taken-" + empty);
      if (empty) {
        Files.createDirectory(folder);
      }
      UserError refused =
          assertThrows(
              UserError.class,
              () ->
                  AtomicFolders.writeNew(
                      folder,
                      temporary -> {
                        AtomicFiles.writeText(temporary.resolve("file"), "ours");
                        AtomicFiles.writeText(folder.resolve("notes"), "theirs");
                      }));
      assertTrue(
          refused.getMessage().contains("has written there meanwhile"), refused.getMessage());
      assertEquals(List.of("notes"), names(folder));
    }
    assertEquals(List.of("taken-false", "taken-true"), names(directory));
  }

  @Test
  void whatAKilledProcessLeftIsSweptAndALivingOnesWorkStays() throws IOException {
    long living = ProcessHandle.current().pid();
    Files.createDirectories(directory.resolve(".a.999999999999.1f.tmp/deep"));
    Files.createDirectories(directory.resolve(".a." + living + ".1f.tmp"));
    Files.createDirectories(directory.resolve(".b.999999999999.1f.tmp"));
    write(directory.resolve("a"), "one");
    assertEquals(
        List.of(".a." + living + ".1f.tmp", ".b.999999999999.1f.tmp", "a"), names(directory));
  }

  @Test
  void whatAnOrphanOfAKilledProcessWritesLaterIsSweptToo() throws IOException {
    Path late = directory.resolve(".a.999999999999.1f.tmp");
    AtomicFolders.write(
        directory.resolve("a"),
        folder -> {
          try {
            Files.createDirectories(late.resolve("jre"));
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
    assertEquals(List.of("a"), names(directory));
  }

  @Test
  void whatALinkNamesIsReplacedAndNotTheLink() throws IOException {
    Path real = directory.resolve("real");
    write(real, "one");
    Path link = Files.createSymbolicLink(directory.resolve("link"), Path.of("real"));
    write(link, "two");
    assertTrue(Files.isSymbolicLink(link));
    assertFalse(Files.isSymbolicLink(real));
    assertEquals("two", Files.readString(real.resolve("file")));
  }

  @Test
  void aFileInTheWayIsRefused() throws IOException {
    Path file = Files.writeString(directory.resolve("a"), "x");
    UserError error = assertThrows(UserError.class, () -> write(file, "one"));
    assertTrue(error.getMessage().contains("is a file"), error.getMessage());
    assertThrows(UserError.class, () -> write(file.resolve("b"), "one"));
    assertEquals("x", Files.readString(file));
  }
}
