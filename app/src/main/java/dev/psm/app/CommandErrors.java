package dev.psm.app;

import dev.psm.core.UserError;

/** A library's errors as the command tells them. */
final class CommandErrors {
  private CommandErrors() {}

  static int exitCode(UserError error) {
    return switch (error.kind()) {
      case INVALID -> 2;
      case FAILED -> 1;
    };
  }

  static String message(UserError error) {
    return error.getMessage();
  }
}
