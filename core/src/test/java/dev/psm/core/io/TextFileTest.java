package dev.psm.core.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.psm.core.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TextFileTest {
  @TempDir private Path folder;

  @Test
  void aByteOrderMarkAndTheKindOfLineEndsAreNoPartOfTheText() throws IOException {
    Path file = folder.resolve("a.csv");
    for (String text : new String[] {"1,2\n3\n", "\uFEFF1,2\r\n3\r\n", "\uFEFF1,2\n3"}) {
      Files.writeString(file, text);
      assertEquals(List.of("1,2", "3"), TextFile.lines(file, "numbers"));
    }
  }

  @Test
  void whatIsNoTextIsRefused() throws IOException {
    Path bytes = Files.write(folder.resolve("a.bin"), new byte[] {(byte) 0xff, (byte) 0xfe});
    refused(bytes, bytes + ": not text; expected numbers");
    refused(folder, folder + " is a folder; expected numbers");
    refused(folder.resolve("no"), folder.resolve("no") + ": no such file");
  }

  private static void refused(Path file, String expected) {
    UserError refused = assertThrows(UserError.class, () -> TextFile.lines(file, "numbers"));
    assertEquals(expected, refused.getMessage());
    assertEquals(2, refused.exitCode());
  }
}
