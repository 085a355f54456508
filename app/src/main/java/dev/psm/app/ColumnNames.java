package dev.psm.app;

import dev.psm.core.UserError;
import dev.psm.core.io.TextFiles;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Names as an option is given them: with commas between them, or in a file, also one a line. */
final class ColumnNames {
  private ColumnNames() {}

  /**
   * @param text null for none
   */
  static List<String> of(String text) {
    if (text == null) {
      return List.of();
    }
    List<String> names = new ArrayList<>();
    for (String line : isFile(text) ? TextFiles.lines(Path.of(text), "text") : List.of(text)) {
      String content = line.replaceFirst("#.*", "").strip().replaceFirst(",$", "");
      if (!content.isEmpty()) {
        names.addAll(List.of(content.split("\\s*,\\s*", -1)));
      }
    }
    if (names.isEmpty() || names.contains("")) {
      throw UserError.invalid("--names: expected names with commas between them, found '%s'", text);
    }
    return names;
  }

  private static boolean isFile(String text) {
    try {
      return Files.isRegularFile(Path.of(text));
    } catch (InvalidPathException e) {
      return false;
    }
  }
}
