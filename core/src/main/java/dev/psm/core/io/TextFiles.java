package dev.psm.core.io;

import dev.psm.core.UserError;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Reads text files that a user named, whole and never more than a stated size. The size that the
 * system tells is not trusted: a device or a pipe has none, and a file may grow.
 */
public final class TextFiles {
  /** The most that is read of any file: an MDP of a million pairs has about half of it. */
  public static final int MAX_BYTES = 128 << 20;

  private TextFiles() {}

  /**
   * Reads UTF-8.
   *
   * @param expected what the file should be, such as {@code a map}, for errors
   */
  public static String read(Path file, String expected) {
    return read(file, expected, MAX_BYTES);
  }

  /** Reads UTF-8 of at most so many bytes. */
  public static String read(Path file, String expected, int maxBytes) {
    if (Files.isDirectory(file)) {
      throw UserError.invalid("cannot read %s: it is a directory; expected %s", file, expected);
    }
    byte[] bytes;
    try (InputStream in = Files.newInputStream(file)) {
      bytes = in.readNBytes(maxBytes + 1);
    } catch (IOException e) {
      throw AtomicFiles.explain("read", file, e);
    }
    if (bytes.length > maxBytes) {
      throw UserError.invalid(
          "cannot read %s: it has more than %,d bytes, the most that is read; expected %s",
          file, maxBytes, expected);
    }
    try {
      return withoutMark(
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
    } catch (CharacterCodingException e) {
      throw UserError.invalid("cannot read %s: it is not UTF-8 text; expected %s", file, expected);
    }
  }

  /** Editors of some systems begin every UTF-8 file with a mark that is no part of its text. */
  private static String withoutMark(String text) {
    return text.startsWith("\uFEFF") ? text.substring(1) : text;
  }

  /** Reads the lines of UTF-8, without their ends. */
  public static List<String> lines(Path file, String expected) {
    return read(file, expected).lines().toList();
  }
}
