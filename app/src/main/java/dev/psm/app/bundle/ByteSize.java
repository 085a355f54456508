package dev.psm.app.bundle;

import dev.psm.core.UserError;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sizes as people write and read them: a part of 60M has 60 times 1024 times 1024 bytes. */
public final class ByteSize {
  private static final Pattern SIZE = Pattern.compile("(\\d{1,9})([KMG]?)");
  private static final long SMALLEST_PART = 64 << 10;

  private ByteSize() {}

  /** The bytes of a part, at least 64K: smaller ones would be tens of thousands of files. */
  public static long part(String text) {
    Matcher matcher = SIZE.matcher(text.strip().toUpperCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw UserError.invalid(
          "--split: expected a size such as 60M (with K, M or G behind the number), found '%s'",
          text);
    }
    int shift = 10 * " KMG".indexOf(matcher.group(2).isEmpty() ? " " : matcher.group(2));
    long bytes = Long.parseLong(matcher.group(1)) << shift;
    if (bytes < SMALLEST_PART) {
      throw UserError.invalid("--split: a part must have 64K or more, found '%s'", text);
    }
    return bytes;
  }

  /** Three digits and a unit, of thousands or millions of bytes. */
  public static String words(long bytes) {
    // What would round to 1000 KB is 1.00 MB.
    boolean small = bytes < 999_500;
    double count = bytes / (small ? 1e3 : 1e6);
    int decimals = count < 10 ? 2 : count < 100 ? 1 : 0;
    return String.format(Locale.ROOT, "%." + decimals + "f %s", count, small ? "KB" : "MB");
  }
}
