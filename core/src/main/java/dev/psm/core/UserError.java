package dev.psm.core;

import com.google.errorprone.annotations.FormatMethod;

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

  private static String bounded(String message) {
    int half = MAX_LENGTH / 2;
    return message.length() <= MAX_LENGTH
        ? message
        : message.substring(0, half) + " … " + message.substring(message.length() - half);
  }

  /** Wrong use: a bad option, a malformed file, an impossible setting. */
  @FormatMethod
  public static UserError usage(String message, Object... arguments) {
    return new UserError(2, message.formatted(arguments), null);
  }

  /** The request was sound but the work could not be done: a full disk, a missing library. */
  @FormatMethod
  public static UserError failed(Throwable cause, String message, Object... arguments) {
    return new UserError(1, message.formatted(arguments), cause);
  }

  public final int exitCode() {
    return exitCode;
  }
}
