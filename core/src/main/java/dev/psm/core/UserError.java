package dev.psm.core;

import com.google.errorprone.annotations.FormatMethod;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * A mistake in what the user gave us, told in words the user can act on.
 *
 * <p>The message names the file or field, what was expected, what was found and the fix. The
 * command line prints it without a stack trace and exits with {@link #exitCode()}: 2 when the
 * command itself was used wrongly, 1 when the work failed.
 */
public class UserError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What may be quoted from a file can be of any length; both ends say more than the middle. */
  private static final int MAX_LENGTH = 4000;

  private final int exitCode;

  /** For a kind of failure that some caller can go on after. */
  protected UserError(int exitCode, String message, Throwable cause) {
    super(bounded(message), cause);
    this.exitCode = exitCode;
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

  /** Wrong use: a bad option, a malformed file, an impossible setting. */
  @FormatMethod
  public static UserError usage(String message, Object... arguments) {
    return new UserError(2, formatted(message, arguments), null);
  }

  /** The request was sound but the work could not be done: a full disk, a missing library. */
  @FormatMethod
  public static UserError failed(Throwable cause, String message, Object... arguments) {
    return new UserError(1, formatted(message, arguments), cause);
  }

  public final int exitCode() {
    return exitCode;
  }
}
