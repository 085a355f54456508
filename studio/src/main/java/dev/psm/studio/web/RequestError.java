package dev.psm.studio.web;

import com.google.errorprone.annotations.FormatMethod;

/** A request that cannot be answered, with the HTTP status that says why. */
public final class RequestError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;

  @FormatMethod
  public RequestError(int status, String message, Object... arguments) {
    super(message.formatted(arguments));
    this.status = status;
  }

  /** The thing that a path names does not exist. */
  @FormatMethod
  public static RequestError notFound(String message, Object... arguments) {
    return new RequestError(404, message, arguments);
  }

  /** The request itself is wrong. */
  @FormatMethod
  public static RequestError invalid(String message, Object... arguments) {
    return new RequestError(400, message, arguments);
  }

  public int status() {
    return status;
  }
}
