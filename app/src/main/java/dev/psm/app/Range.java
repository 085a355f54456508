package dev.psm.app;

import dev.psm.core.UserError;

/** Bounds of numbers on the command line. */
final class Range {
  /** More episodes would only fill the memory with returns. */
  static final int MAX_EPISODES = 100_000;

  static final int MAX_THREADS = 1_024;

  private Range() {}

  static void check(String option, long value, long least, long most) {
    if (value < least || value > most) {
      throw UserError.invalid(
          "%s must be at least %d and at most %d, found %d", option, least, most, value);
    }
  }
}
