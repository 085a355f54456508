package dev.psm.core;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * A mistake in what the user gave us, told in words the user can act on.
 *
 * <p>The message names the file or field, what was expected, what was found and the fix; it needs
 * no stack trace. It knows nothing of the program that the user sees: such a program may put its
 * own name for the {@link #argument()} in, and tell how the {@link #remedy()} is asked for there.
 *
 * <p>What it quotes of a file cannot steer the terminal that it is printed on.
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
  private final String argument;
  private final Remedy remedy;
  private final String subject;

  /** For a failure that some caller can go on after. */
  protected UserError(Kind kind, String message, Throwable cause) {
    this(kind, message, cause, null);
  }

  /** For an error that some caller wants to know more of, with what can be done about it. */
  protected UserError(Kind kind, String message, Throwable cause, Remedy remedy) {
    this(kind, message, cause, null, remedy, null);
  }

  private UserError(
      Kind kind, String message, Throwable cause, String argument, Remedy remedy, String subject) {
    super(Wording.printable(bounded(message)), cause);
    this.kind = kind;
    this.argument = argument;
    this.remedy = remedy;
    this.subject = subject;
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

  /**
   * Of {@link Kind#INVALID}, about a parameter of whoever was called; the message begins with its
   * name and a colon.
   *
   * @param name such as {@code fromStep}
   */
  @FormatMethod
  public static UserError argument(String name, @FormatString String message, Object... arguments) {
    return new UserError(
        Kind.INVALID, name + ": " + formatted(message, arguments), null, name, null, null);
  }

  /** Of {@link Kind#FAILED}. */
  @FormatMethod
  public static UserError failed(Throwable cause, String message, Object... arguments) {
    return new UserError(Kind.FAILED, formatted(message, arguments), cause);
  }

  /** The same error, with what can be done about it. */
  public UserError with(Remedy remedy) {
    return new UserError(kind, getMessage(), getCause(), argument, remedy, null);
  }

  /**
   * The same error, with what can be done about it.
   *
   * @param subject what the remedy is to be done with; see there
   */
  public UserError with(Remedy remedy, Object subject) {
    return new UserError(kind, getMessage(), getCause(), argument, remedy, subject.toString());
  }

  public final Kind kind() {
    return kind;
  }

  /** The parameter that was wrong, which the message begins with. */
  public final Optional<String> argument() {
    return Optional.ofNullable(argument);
  }

  public final Optional<Remedy> remedy() {
    return Optional.ofNullable(remedy);
  }

  /** What the remedy is to be done with. */
  public final Optional<String> subject() {
    return Optional.ofNullable(subject);
  }
}
