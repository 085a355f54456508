package dev.psm.core.io.numpy;

import com.google.errorprone.annotations.FormatMethod;
import dev.psm.core.UserError;
import java.nio.file.Path;

/**
 * What an error speaks of: a file and, where {@code array} is not null, one array in it.
 *
 * <p>There are two sorts of error because there are two sorts of remedy. A {@link #damaged} file
 * contradicts itself and must be fetched again; an {@link #unsupported} one is sound but not for
 * us, and its message says how to convert it.
 */
record Place(Path file, String array) {
  private static final int MAX_QUOTED = 60;

  static Place of(Path file) {
    return new Place(file, null);
  }

  Place in(String name) {
    return new Place(file, name);
  }

  @FormatMethod
  UserError damaged(String message, Object... arguments) {
    return UserError.invalid(
        "%s: %s; the file is damaged or was tampered with, copy or download it again",
        this, message.formatted(arguments));
  }

  @FormatMethod
  UserError unsupported(String message, Object... arguments) {
    return UserError.invalid("%s: %s", this, message.formatted(arguments));
  }

  @Override
  public String toString() {
    return array == null ? file.toString() : file + ", array " + quote(array);
  }

  /** Text from the file for an error message: short, and unable to steer a terminal. */
  static String quote(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    text.codePoints()
        .limit(MAX_QUOTED)
        .forEach(
            c -> {
              if (c == '"' || c == '\\') {
                quoted.append('\\').appendCodePoint(c);
              } else if (isVisible(c)) {
                quoted.appendCodePoint(c);
              } else {
                quoted.append("\\u{%x}".formatted(c));
              }
            });
    return quoted
        .append(text.codePointCount(0, text.length()) > MAX_QUOTED ? "…\"" : "\"")
        .toString();
  }

  private static boolean isVisible(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }
}
