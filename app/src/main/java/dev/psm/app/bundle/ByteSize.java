package dev.psm.app.bundle;

import dev.psm.core.UserError;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sizes as people write them: 60M is 60 times 1024 times 1024 bytes. */
public final class ByteSize {
  private static final Pattern SIZE = Pattern.compile("(\\d{1,9})([KMG]?)");
  private static final long SMALLEST_PART = 64 << 10;

  private ByteSize() {}

  /** The bytes of a part, at least 64K: smaller ones would be tens of thousands of files. */
  public static long part(String text) {
    Matcher matcher = SIZE.matcher(text.strip().toUpperCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw UserError.usage(
          "--split: expected a size such as 60M (with K, M or G behind the number), found '%s'",
          text);
    }
    int shift = 10 * " KMG".indexOf(matcher.group(2).isEmpty() ? " " : matcher.group(2));
    long bytes = Long.parseLong(matcher.group(1)) << shift;
    if (bytes < SMALLEST_PART) {
      throw UserError.usage("--split: a part must have 64K or more, found '%s'", text);
    }
    return bytes;
  }

  /** A few digits and a unit. */
  public static String words(long bytes) {
    return bytes < 1 << 20
        ? String.format(Locale.ROOT, "%.1f KB", bytes / 1024.0)
        : String.format(Locale.ROOT, "%.1f MB", bytes / (1024.0 * 1024));
  }
}
