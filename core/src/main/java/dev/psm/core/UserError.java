package dev.psm.core;

import com.google.errorprone.annotations.FormatMethod;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * A mistake in what the user gave us, told in words the user can act on.
 *
 * <p>The message names the file or field, what was expected, what was found and the fix; it needs
 * no stack trace.
 */
public class UserError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What may be quoted from a file can be of any length; both ends say more than the middle. */
  private static final int MAX_LENGTH = 4000;

  /** Where the fault lies. */
  public enum Kind {
    /** What was given is wrong: a parameter, a malformed file, an impossible setting. */
    INVALID,
    /** What was given is sound but the work could not be done: a full disk, a missing library. */
    FAILED
  }

  private final Kind kind;

  /** For a failure that some caller can go on after. */
  protected UserError(Kind kind, String message, Throwable cause) {
    super(bounded(message), cause);
    this.kind = kind;
  }

  /** Texts may be psm's own and have lines, paths are names that others chose. */
  private static String formatted(String message, Object... arguments) {
    return message.formatted(
        Arrays.stream(arguments)
            .map(each -> each instanceof Path path ? Wording.oneLine(path) : each)
            .toArray());
  }

  private static String bounded(String message) {
    int half = MAX_LENGTH / 2;
    return message.length() <= MAX_LENGTH
        ? message
        : message.substring(0, half) + " … " + message.substring(message.length() - half);
  }

  /** Of {@link Kind#INVALID}. */
  @FormatMethod
  public static UserError invalid(String message, Object... arguments) {
    return new UserError(Kind.INVALID, formatted(message, arguments), null);
  }

  /** Of {@link Kind#FAILED}. */
  @FormatMethod
  public static UserError failed(Throwable cause, String message, Object... arguments) {
    return new UserError(Kind.FAILED, formatted(message, arguments), cause);
  }

  public final Kind kind() {
    return kind;
  }
}
