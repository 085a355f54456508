package dev.psm.core.io;

import dev.psm.core.UserError;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** A user's file of UTF-8 text, with or without a byte order mark. */
public final class TextFile {
  private static final String BYTE_ORDER_MARK = "\uFEFF";

  private TextFile() {}

  /**
   * The lines without their ends.
   *
   * @param expected what the file should be, for the refusal of anything else
   */
  public static List<String> lines(Path file, String expected) {
    if (Files.isDirectory(file)) {
      throw UserError.usage("%s is a folder; expected %s", file, expected);
    }
    try {
      return withoutMark(Files.readString(file)).lines().toList();
    } catch (NoSuchFileException e) {
      throw UserError.usage("%s: no such file", file);
    } catch (CharacterCodingException e) {
      throw UserError.usage("%s: not text; expected %s", file, expected);
    } catch (IOException e) {
      throw AtomicFiles.explain("read", file, e);
    }
  }

  /** Editors of some systems begin every UTF-8 file with a mark that is no part of its text. */
  public static String withoutMark(String text) {
    return text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
  }
}
