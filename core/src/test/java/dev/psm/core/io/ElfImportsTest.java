package dev.psm.core.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.UserError;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ElfImportsTest {
  private static final int STRINGS = 0x180;
  private static final long ADDRESS = 0x400000;

  @TempDir private Path folder;

  @Test
  void namesComeInTheFilesOrder() throws IOException {
    assertEquals(List.of("libb.so.1", "liba.so"), ElfImports.of(write(library())));
  }

  @Test
  void otherFilesAreRefusedByName() throws IOException {
    Path script = Files.writeString(folder.resolve("script"), "#!/bin/sh\n".repeat(20));
    assertFalse(ElfImports.isElf(script));
    assertFalse(ElfImports.isElf(folder.resolve("absent")));
    UserError error = assertThrows(UserError.class, () -> ElfImports.of(script));
    assertTrue(error.getMessage().contains("script is not a 64-bit ELF file"), error.getMessage());
  }

  @Test
  void aCutFileIsDamagedAndNothingWorse() throws IOException {
    byte[] whole = library();
    for (int length = 64; length < STRINGS; length += 8) {
      Path cut = write(Arrays.copyOf(whole, length));
      assertThrows(UserError.class, () -> ElfImports.of(cut));
    }
  }

  @Test
  void arbitraryTablesNeverEscapeAsAnythingButAUserError() throws IOException {
    Random random = new Random(0);
    for (int i = 0; i < 500; i++) {
      byte[] bytes = library();
      for (int flips = 0; flips < 3; flips++) {
        bytes[16 + random.nextInt(bytes.length - 16)] = (byte) random.nextInt();
      }
      Path file = write(bytes);
      try {
        ElfImports.of(file);
      } catch (UserError expected) {
        assertTrue(expected.getMessage().contains("library.so"), expected.getMessage());
      }
    }
  }

  private Path write(byte[] bytes) throws IOException {
    return Files.write(folder.resolve("library.so"), bytes);
  }

  /** A header, a loaded segment and a dynamic one that imports two libraries. */
  private static byte[] library() {
    ByteBuffer file = ByteBuffer.allocate(0x200).order(ByteOrder.LITTLE_ENDIAN);
    file.putInt(0, 0x464c457f).put(4, (byte) 2).put(5, (byte) 1);
    file.putLong(32, 64).putShort(54, (short) 56).putShort(56, (short) 2);
    file.putInt(64, 1).putLong(64 + 8, 0).putLong(64 + 16, ADDRESS).putLong(64 + 32, 0x200);
    file.putInt(120, 2).putLong(120 + 8, 0x100);
    long[] dynamic = {1, 1, 5, ADDRESS + STRINGS, 1, 11, 0, 0};
    for (int i = 0; i < dynamic.length; i++) {
      file.putLong(0x100 + 8 * i, dynamic[i]);
    }
    file.put(STRINGS, "\0libb.so.1\0liba.so\0".getBytes(StandardCharsets.US_ASCII));
    return file.array();
  }
}
