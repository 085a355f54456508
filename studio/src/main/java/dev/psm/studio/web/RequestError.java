package dev.psm.studio.web;

import com.google.errorprone.annotations.FormatMethod;

/** A request that cannot be answered, with the HTTP status that says why. */
public final class RequestError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;
  private final int retrySeconds;

  @FormatMethod
  public RequestError(int status, String message, Object... arguments) {
    this(status, 0, message.formatted(arguments));
  }

  private RequestError(int status, int retrySeconds, String message) {
    // Refusals must stay cheap when there are thousands of them, and nobody reads their traces.
    super(message, null, false, false);
    this.status = status;
    this.retrySeconds = retrySeconds;
  }

  /** Sound, but not now: the same request may be answered a second later. */
  @FormatMethod
  public static RequestError later(int status, String message, Object... arguments) {
    return new RequestError(status, 1, message.formatted(arguments));
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

  /** After how many seconds to ask again; 0 where that would be of no use. */
  public int retrySeconds() {
    return retrySeconds;
  }
}
