package dev.psm.core.io.numpy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The extra fields of an entry, of which one matters: zip64's, which holds the numbers that did not
 * fit in 32 bits. NumPy asks for it on every array, however small.
 */
final class ZipExtra {
  static final long SATURATED = 0xffff_ffffL;
  private static final int ZIP64 = 1;

  private ZipExtra() {}

  /** Replaces each number that is saturated by its 64-bit form, in the order they are given. */
  static long[] widen(ByteBuffer extra, Place place, long... numbers) {
    List<Long> wide = zip64(extra, place);
    int used = 0;
    long[] widened = numbers.clone();
    for (int i = 0; i < numbers.length; i++) {
      if (numbers[i] == SATURATED) {
        if (wide == null || used == wide.size()) {
          throw place.damaged("it refers to a zip64 size that it does not have");
        }
        widened[i] = wide.get(used++);
        if (widened[i] < 0) {
          throw place.damaged(
              "its zip64 size is %s, beyond any file", Long.toUnsignedString(widened[i]));
        }
      }
    }
    if (wide != null && used != wide.size()) {
      throw place.damaged("its zip64 field holds %d numbers; expected %d", wide.size(), used);
    }
    return widened;
  }

  private static List<Long> zip64(ByteBuffer extra, Place place) {
    List<Long> found = null;
    while (extra.hasRemaining()) {
      int left = extra.remaining();
      int id = left < 4 ? 0 : Short.toUnsignedInt(extra.getShort());
      int length = left < 4 ? 0 : Short.toUnsignedInt(extra.getShort());
      if (left < 4 || length > extra.remaining()) {
        throw place.damaged("its extra fields end inside a field");
      }
      if (id == ZIP64) {
        if (found != null) {
          throw place.damaged("it has two zip64 fields");
        }
        if (length % Long.BYTES != 0 || length > 3 * Long.BYTES) {
          throw place.damaged("its zip64 field has %d bytes; expected 8, 16 or 24", length);
        }
        found = new ArrayList<>();
        for (int i = 0; i < length / Long.BYTES; i++) {
          found.add(extra.getLong());
        }
      } else {
        extra.position(extra.position() + length);
      }
    }
    return found;
  }
}
