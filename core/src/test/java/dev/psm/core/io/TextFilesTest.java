package dev.psm.core.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TextFilesTest {
  @TempDir private Path folder;

  @Test
  void readsUpToTheBoundAndNoFurther() throws IOException {
    Path file = Files.writeString(folder.resolve("a.txt"), "äb\nc\n");
    assertEquals("äb\nc\n", TextFiles.read(file, "a map", 6));
    assertEquals(List.of("äb", "c"), TextFiles.lines(file, "a map"));
    refused(file, 5, "more than 5 bytes", "expected a map");
  }

  @Test
  void aByteOrderMarkAndTheKindOfLineEndsAreNoPartOfTheText() throws IOException {
    Path file = folder.resolve("a.csv");
    for (String text : new String[] {"1,2\n3\n", "\uFEFF1,2\r\n3\r\n", "\uFEFF1,2\n3"}) {
      Files.writeString(file, text);
      assertEquals(List.of("1,2", "3"), TextFiles.lines(file, "numbers"));
    }
  }

  @Test
  void whatIsNoTextFileIsRefusedInWords() throws IOException {
    refused(Path.of("/dev/zero"), 1 << 20, "/dev/zero: it has more than 1,048,576 bytes");
    refused(folder, 10, "it is a directory; expected a map");
    refused(folder.resolve("none"), 10, "no such file");
    Path binary = Files.write(folder.resolve("b"), new byte[] {(byte) 0xff, 1});
    refused(binary, 10, "it is not UTF-8 text; expected a map");
  }

  /** As a shell passes {@code <(command)}. */
  @Test
  void aPipeIsReadToItsEnd() throws IOException, InterruptedException {
    Path pipe = folder.resolve("pipe");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    Process writer =
        new ProcessBuilder("sh", "-c", "echo through > \"$0\"", pipe.toString()).start();
    assertEquals("through\n", TextFiles.read(pipe, "a map"));
    assertTrue(writer.waitFor(10, TimeUnit.SECONDS));
  }

  private static void refused(Path file, int bound, String... words) {
    UserError error = assertThrows(UserError.class, () -> TextFiles.read(file, "a map", bound));
    assertEquals(UserError.Kind.INVALID, error.kind());
    for (String word : words) {
      assertTrue(error.getMessage().contains(word), error.getMessage());
    }
  }
}
