package dev.psm.core.io.numpy;

import dev.psm.core.UserError;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The end of an archive, from which all reading starts.
 *
 * <p>Other readers search for it backwards through whatever follows, and two of them can then find
 * two different archives in one file. Here it is at the very end or the file is refused: NumPy
 * writes no comment.
 *
 * <p>Layouts are those of PKWARE's APPNOTE.TXT, sections 4.3.14 to 4.3.16.
 *
 * @param entries the number of entries
 * @param start where the central directory starts
 * @param end where it ends
 */
record ZipEnd(long entries, long start, long end) {
  static final int END_BYTES = 22;
  private static final int LOCATOR_BYTES = 20;
  private static final int WIDE_BYTES = 56;
  static final int LOCAL = 0x04034b50;
  static final int END = 0x06054b50;
  private static final int LOCATOR = 0x07064b50;
  private static final int WIDE = 0x06064b50;
  private static final int MAX_COMMENT = 0xffff;

  static ZipEnd read(ByteSource source, Place place) {
    checkStart(source, place);
    long at = source.size() - END_BYTES;
    ByteBuffer end = at < 0 ? null : source.range(at, END_BYTES, place);
    if (end == null || end.getInt(0) != END) {
      throw noEnd(source, place);
    }
    int comment = u2(end, 20);
    if (comment != 0) {
      throw place.damaged(
          "it is truncated: a comment of %d bytes should follow its end record", comment);
    }
    if (u2(end, 4) != 0 || u2(end, 6) != 0 || u2(end, 8) != u2(end, 10)) {
      throw place.unsupported("it is one part of several; join the parts into one archive");
    }
    ZipEnd narrow = new ZipEnd(u2(end, 10), u4(end, 16), at);
    return wide(source, place, narrow, u4(end, 12)).checked(place);
  }

  private static void checkStart(ByteSource source, Place place) {
    if (source.size() == 0) {
      throw place.damaged("it is empty");
    }
    ByteBuffer start = source.range(0, (int) Math.min(6, source.size()), place);
    if (NpyHeader.isMagic(start)) {
      throw place.unsupported("it is a single array (.npy), not an archive (.npz); read it as one");
    }
    int magic = start.remaining() < 4 ? 0 : start.getInt(0);
    if (magic != LOCAL && magic != END) {
      StringBuilder found = new StringBuilder();
      for (int i = 0; i < Math.min(4, start.remaining()); i++) {
        found.append(" %02x".formatted(start.get(i)));
      }
      throw place.damaged(
          "it does not start as a .npz does; expected the bytes 50 4b 03 04, found%s", found);
    }
  }

  /** Says which of the reasons it is that the last bytes are not an end record. */
  private static UserError noEnd(ByteSource source, Place place) {
    int length = (int) Math.min(source.size(), MAX_COMMENT + END_BYTES);
    ByteBuffer tail = source.range(source.size() - length, length, place);
    for (int i = length - END_BYTES; i >= 0; i--) {
      if (tail.getInt(i) == END) {
        int after = length - END_BYTES - i;
        return u2(tail, i + 20) == after
            ? place.unsupported(
                "it carries a comment of %d bytes, which can hide a second archive; save it again"
                    + " without",
                after)
            : place.damaged("%d bytes follow its end record", after);
      }
    }
    return place.damaged("it is truncated: it has no zip end record");
  }

  private static ZipEnd wide(ByteSource source, Place place, ZipEnd narrow, long directoryBytes) {
    long at = narrow.end - LOCATOR_BYTES;
    ByteBuffer locator = at < 0 ? null : source.range(at, LOCATOR_BYTES, place);
    if (locator == null || locator.getInt(0) != LOCATOR) {
      if (directoryBytes == ZipExtra.SATURATED || narrow.start == ZipExtra.SATURATED) {
        throw place.damaged("it refers to a zip64 end record that it does not have");
      }
      return new ZipEnd(narrow.entries, narrow.start, narrow.end).sized(directoryBytes, place);
    }
    long record = locator.getLong(8);
    if (locator.getInt(4) != 0 || locator.getInt(16) != 1) {
      throw place.unsupported("it is one part of several; join the parts into one archive");
    }
    if (record < 0 || record != at - WIDE_BYTES) {
      throw place.damaged(
          "its zip64 end record should be at byte %d; its locator says %s",
          at - WIDE_BYTES, Long.toUnsignedString(record));
    }
    ByteBuffer wide = source.range(record, WIDE_BYTES, place);
    if (wide.getInt(0) != WIDE || wide.getLong(4) != WIDE_BYTES - 12) {
      throw place.damaged("there is no zip64 end record at byte %d, where there should be", record);
    }
    long entries = wide.getLong(32);
    if (wide.getInt(16) != 0 || wide.getInt(20) != 0 || wide.getLong(24) != entries) {
      throw place.unsupported("it is one part of several; join the parts into one archive");
    }
    long size = wide.getLong(40);
    long start = wide.getLong(48);
    if (!agrees(narrow.entries, entries, 0xffff)
        || !agrees(directoryBytes, size, ZipExtra.SATURATED)
        || !agrees(narrow.start, start, ZipExtra.SATURATED)) {
      throw place.damaged("its zip64 end record and its end record disagree");
    }
    return new ZipEnd(entries, start, record).sized(size, place);
  }

  private static boolean agrees(long narrow, long wide, long saturated) {
    return narrow == wide || narrow == saturated;
  }

  private ZipEnd sized(long bytes, Place place) {
    if (start < 0 || bytes < 0 || start > end || bytes != end - start) {
      throw place.damaged(
          "its directory of %s bytes at byte %s should end where its end record starts, at %d",
          Long.toUnsignedString(bytes), Long.toUnsignedString(start), end);
    }
    return this;
  }

  private ZipEnd checked(Place place) {
    if (entries < 0) {
      throw place.damaged("it announces %s entries", Long.toUnsignedString(entries));
    }
    return this;
  }

  static int u2(ByteBuffer bytes, int at) {
    return Short.toUnsignedInt(bytes.getShort(at));
  }

  static long u4(ByteBuffer bytes, int at) {
    return Integer.toUnsignedLong(bytes.getInt(at));
  }

  static ByteBuffer slice(ByteBuffer bytes, int at, int length) {
    return bytes.slice(at, length).order(ByteOrder.LITTLE_ENDIAN);
  }
}
