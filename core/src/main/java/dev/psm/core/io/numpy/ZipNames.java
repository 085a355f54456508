package dev.psm.core.io.numpy;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/**
 * The names in an archive. Nothing here is ever unpacked to a disk, yet a name that would climb out
 * of a folder if it were is never an accident, and one that others unpack should not pass through
 * us unremarked.
 */
final class ZipNames {
  static final String SUFFIX = ".npy";
  static final int MAX_BYTES = 1024;
  private static final int UTF8 = 1 << 11;

  private ZipNames() {}

  static int flags(String name) {
    return StandardCharsets.US_ASCII.newEncoder().canEncode(name) ? 0 : UTF8;
  }

  /** The name of the array behind the name of an entry. */
  static String decode(byte[] raw, int flags, Place place) {
    if (raw.length > MAX_BYTES) {
      throw place.damaged("it has a name of %d bytes; expected at most %d", raw.length, MAX_BYTES);
    }
    Charset charset = (flags & UTF8) != 0 ? StandardCharsets.UTF_8 : StandardCharsets.US_ASCII;
    String entry;
    try {
      entry = charset.newDecoder().decode(ByteBuffer.wrap(raw)).toString();
    } catch (CharacterCodingException e) {
      throw place.damaged(
          "the name %s is not %s, as it claims to be",
          Place.quote(new String(raw, StandardCharsets.ISO_8859_1)), charset);
    }
    String fault = fault(entry);
    if (fault != null) {
      throw place.unsupported(
          "the name %s %s; expected NAME.npy as np.savez writes, and only such files are read",
          Place.quote(entry), fault);
    }
    return entry.substring(0, entry.length() - SUFFIX.length());
  }

  /** What is wrong with an entry's name, or null. */
  static String fault(String entry) {
    if (entry.indexOf('\0') >= 0) {
      return "contains a NUL";
    }
    if (entry.codePoints().anyMatch(Character::isISOControl)) {
      return "contains a control character";
    }
    if (entry.indexOf('\\') >= 0) {
      return "contains a backslash";
    }
    if (entry.startsWith("/")) {
      return "is an absolute path";
    }
    if (entry.length() > 1 && entry.charAt(1) == ':') {
      return "starts with a drive letter";
    }
    for (String part : entry.split("/", -1)) {
      if (part.equals("..")) {
        return "climbs out of its folder";
      }
      if (part.equals(".") || (part.isEmpty() && !entry.endsWith("/"))) {
        return "has an empty folder";
      }
    }
    if (entry.endsWith("/")) {
      return "is a folder";
    }
    if (!entry.endsWith(SUFFIX)) {
      return "does not end in .npy";
    }
    if (entry.equals(SUFFIX) || entry.endsWith("/" + SUFFIX)) {
      return "has nothing before .npy";
    }
    return null;
  }
}
