package dev.psm.core.io;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.UserError;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AtomicFilesTest {
  @TempDir Path directory;

  @Test
  void parentsAreCreatedAndTheOldFileIsReplaced() throws IOException {
    Path file = directory.resolve("a/b/c.txt");
    AtomicFiles.writeText(file, "old");
    AtomicFiles.writeText(file, "néw");
    assertEquals("néw", Files.readString(file));
    assertEquals(List.of("c.txt"), names(file.getParent()));
  }

  @Test
  void aFailureLeavesTheOldFileAndNothingElse() throws IOException {
    Path file = directory.resolve("file");
    AtomicFiles.writeText(file, "old");
    IllegalStateException thrown =
        assertThrows(
            IllegalStateException.class,
            () ->
                AtomicFiles.write(
                    file,
                    out -> {
                      out.write(new byte[1 << 20]);
                      throw new IllegalStateException("content broke");
                    }));
    assertEquals("content broke", thrown.getMessage());
    assertEquals("old", Files.readString(file));
    assertEquals(List.of("file"), names(directory));
  }

  @Test
  void aDiskThatFillsUpIsNamedAndLeavesNothing() throws IOException {
    Path file = directory.resolve("file");
    UserError error =
        assertThrows(
            UserError.class,
            () ->
                AtomicFiles.write(
                    file,
                    out -> {
                      throw new IOException("No space left on device");
                    }));
    assertTrue(error.getMessage().contains("the disk is full"), error.getMessage());
    assertEquals(UserError.Kind.FAILED, error.kind());
    assertEquals(List.of(), names(directory));
  }

  @Test
  void aFileInThePlaceOfAFolderIsNamed() {
    AtomicFiles.writeText(directory.resolve("plain"), "");
    UserError error =
        assertThrows(
            UserError.class, () -> AtomicFiles.writeText(directory.resolve("plain/x/y"), ""));
    assertTrue(error.getMessage().contains("not a directory"), error.getMessage());
    assertTrue(error.getMessage().contains("plain"), error.getMessage());
  }

  @Test
  void aDirectoryIsNotOverwritten() {
    UserError error = assertThrows(UserError.class, () -> AtomicFiles.writeText(directory, "text"));
    assertTrue(error.getMessage().contains("it is a directory"), error.getMessage());
  }

  @Test
  void refusalsOfTheFileSystemBecomeSentences() {
    Path file = Path.of("run/model");
    assertEquals(
        "cannot write run/model: no permission for run; choose another place or change its"
            + " permissions",
        AtomicFiles.explain("write", file, new AccessDeniedException("run")).getMessage());
    assertEquals(
        "cannot write run/model: the file system is read-only; choose another place",
        AtomicFiles.explain(
                "write", file, new FileSystemException("run", null, "Read-only file system"))
            .getMessage());
    assertEquals(
        "cannot read run/model: Input/output error",
        AtomicFiles.explain("read", file, new IOException("Input/output error")).getMessage());
  }

  private static List<String> names(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void whatALinkNamesIsReplacedAndNotTheLink(@TempDir Path folder) throws IOException {
    Path real = folder.resolve("real.txt");
    Path link = Files.createSymbolicLink(folder.resolve("link.txt"), Path.of("real.txt"));
    Files.writeString(real, "old");
    AtomicFiles.writeText(link, "new");
    assertTrue(Files.isSymbolicLink(link));
    assertEquals("new", Files.readString(real));
    Path dangling = Files.createSymbolicLink(folder.resolve("dangling"), Path.of("later.txt"));
    AtomicFiles.writeText(dangling, "made");
    assertEquals("made", Files.readString(folder.resolve("later.txt")));
  }

  @Test
  void aPipeIsWrittenIntoAndStaysAPipe(@TempDir Path folder) throws Exception {
    Path pipe = folder.resolve("pipe");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    Process reader = new ProcessBuilder("cat", pipe.toString()).start();
    AtomicFiles.writeText(pipe, "through");
    assertEquals("through", new String(reader.getInputStream().readAllBytes(), UTF_8));
    assertFalse(Files.isRegularFile(pipe));
  }
}
