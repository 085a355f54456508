package dev.psm.core.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputFolderTest {
  @TempDir private Path root;

  private static boolean holds(Path folder) {
    return OutputFolder.holds(
        folder, "a thing", found -> Files.exists(found.resolve("thing.json")));
  }

  private static void refused(Path folder, String expected) {
    UserError refused = assertThrows(UserError.class, () -> holds(folder));
    assertEquals(expected, refused.getMessage());
    assertEquals(UserError.Kind.INVALID, refused.kind());
  }

  @Test
  void absentEmptyAndOwnFoldersAreTaken() throws IOException {
    assertFalse(holds(root.resolve("a/b")));
    assertFalse(holds(root));
    Files.writeString(root.resolve(".lock"), "");
    assertFalse(holds(root), "hidden files do not count");
    Files.writeString(root.resolve("thing.json"), "{}");
    Files.writeString(root.resolve("notes.txt"), "mine");
    assertTrue(holds(root));
  }

  @Test
  void anythingElseIsRefusedByName() throws IOException {
    Path file = Files.writeString(root.resolve("notes.txt"), "mine");
    refused(
        root,
        "out: %s is not a thing but holds other files, such as notes.txt; choose another folder"
            .formatted(root));
    refused(file, "out: %s is a file, not a folder; choose another".formatted(file));
    refused(
        file.resolve("below"),
        "out: %s cannot be made, since %s is a file, not a folder; choose another"
            .formatted(file.resolve("below"), file));
    refused(Path.of(""), "out: a folder's name is missing");
  }

  @Test
  void aFolderMadeForALockGoesWithItUnlessItIsUsed() throws IOException {
    Path made = root.resolve("made");
    FolderLock.take(made, "busy").close();
    assertFalse(Files.exists(made));
    try (FolderLock lock = FolderLock.take(made, "busy")) {
      Files.writeString(made.resolve("thing.json"), "{}");
    }
    assertTrue(Files.exists(made.resolve("thing.json")));
    Path empty = Files.createDirectory(root.resolve("empty"));
    FolderLock.take(empty, "busy").close();
    assertTrue(Files.exists(empty), "it was there before");
  }
}
