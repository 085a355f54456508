package dev.psm.core.io;

import dev.psm.core.UserError;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Numbers as text files and settings write them: decimal digits, a point, an exponent. Java's own
 * parser is too generous for data: it also takes {@code 1f}, {@code 0x1p3} and {@code NaN}.
 */
public final class DecimalNumber {
  private static final Pattern NUMBER =
      Pattern.compile("[+-]?([0-9]++(\\.[0-9]*+)?|\\.[0-9]++)([eE][+-]?[0-9]{1,9})?");
  private static final int SHOWN_CHARACTERS = 40;

  /** Far more than any double needs; exact arithmetic on millions of digits takes hours. */
  private static final int MAX_CHARACTERS = 1000;

  private DecimalNumber() {}

  /** The number that a text spells, exactly; empty where it spells none. */
  public static Optional<BigDecimal> parse(String text) {
    return text.length() <= MAX_CHARACTERS && NUMBER.matcher(text).matches()
        ? Optional.of(new BigDecimal(text))
        : Optional.empty();
  }

  /**
   * A number of a data file.
   *
   * @param largest magnitude that can be used
   * @param place file, line and column, for the refusal of anything else
   */
  public static double read(String text, double largest, String place) {
    Optional<BigDecimal> exact = parse(text);
    if (exact.isPresent() && Math.abs(exact.get().doubleValue()) <= largest) {
      return exact.get().doubleValue();
    }
    throw UserError.invalid(
        "%s: expected a finite decimal number, such as -1.5 or 2e-3, found '%s'%s",
        place,
        text.length() > SHOWN_CHARACTERS ? text.substring(0, SHOWN_CHARACTERS) + "…" : text,
        exact.isPresent() ? ", which is too large" : "");
  }
}
