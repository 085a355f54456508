package dev.psm.core.settings;

import dev.psm.core.UserError;

/**
 * The ranges that settings of learning may have. Networks compute in single precision, so a value
 * counts as it is there: one that becomes 0 or infinite would make training impossible.
 */
public final class Limits {
  /** Of a batch, a layer or a vector; far beyond what memory is for, far below what overflows. */
  private static final int MAX_SIZE = 1 << 16;

  private static final int MAX_LAYERS = 64;

  private Limits() {}

  public static void requireAtLeast(int least, String key, int value) {
    if (value < least) {
      throw UserError.invalid("%s must be at least %d, found %d", key, least, value);
    }
  }

  public static void requireAtMost(int most, String key, int value) {
    if (value > most) {
      throw UserError.invalid("%s must be at most %d, found %d", key, most, value);
    }
  }

  /** The size of a batch, a layer or a vector. */
  public static void requireSize(int least, String key, int value) {
    if (value < least || value > MAX_SIZE) {
      throw UserError.invalid("%s must be from %d to %d, found %d", key, least, MAX_SIZE, value);
    }
  }

  /** How many layers a network has. */
  public static void requireLayers(String key, int value) {
    if (value < 1 || value > MAX_LAYERS) {
      throw UserError.invalid("%s must be from 1 to %d, found %d", key, MAX_LAYERS, value);
    }
  }

  /** Above 0 and finite. */
  public static void requirePositive(String key, double value) {
    if (!((float) value > 0 && isFinite(value))) {
      throw UserError.invalid(
          "%s must be a positive number of single precision, from %s to %s, found %s",
          key, Float.MIN_VALUE, Float.MAX_VALUE, value);
    }
  }

  /** 0 or more, and finite. */
  public static void requireNotNegative(String key, double value) {
    if (!(value >= 0 && isFinite(value))) {
      throw UserError.invalid(
          "%s must be a number of single precision that is not negative, from 0 to %s, found %s",
          key, Float.MAX_VALUE, value);
    }
  }

  /** From 0 to 1, both included. */
  public static void requireShare(String key, double value) {
    if (!(value >= 0 && value <= 1)) {
      throw UserError.invalid("%s must be from 0 to 1, found %s", key, value);
    }
  }

  /** The rate at which an average follows: above 0, at most 1. */
  public static void requireAverageRate(String key, double value) {
    if (!((float) value > 0 && value <= 1)) {
      throw UserError.invalid("%s must be above 0 and at most 1, found %s", key, value);
    }
  }

  /** 0 or more, below 1. */
  public static void requireDiscount(String key, double value) {
    if (!(value >= 0 && (float) value < 1)) {
      throw UserError.invalid(
          "%s must be at least 0 and less than 1, in single precision too, found %s", key, value);
    }
  }

  private static boolean isFinite(double value) {
    return Float.isFinite((float) value);
  }
}
