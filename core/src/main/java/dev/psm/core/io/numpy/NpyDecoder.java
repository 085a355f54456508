package dev.psm.core.io.numpy;

import dev.psm.core.UserError;
import java.nio.ByteBuffer;

/**
 * Turns bytes into numbers. One change of value is allowed in silence, the rounding of an {@code
 * f8} to the nearest float; any other number that the target cannot hold is refused, because a
 * dataset whose indices or rewards were bent on the way in trains without complaint.
 */
final class NpyDecoder {
  private static final long FLOAT_EXACT = 1L << 24;
  private static final long DOUBLE_EXACT = 1L << 53;

  private final NpyType type;
  private final ByteBuffer bytes;
  private final Place place;

  /** Decodes the start of {@code bytes}, little-endian, which the caller refills. */
  NpyDecoder(NpyType type, ByteBuffer bytes, Place place) {
    this.type = type;
    this.bytes = bytes;
    this.place = place;
  }

  void floats(float[] into, int at, int count) {
    switch (type) {
      case F4 -> bytes.asFloatBuffer().get(into, at, count);
      case F2 -> {
        for (int i = 0; i < count; i++) {
          into[at + i] = half(bytes.getShort(2 * i));
        }
      }
      case F8 -> {
        for (int i = 0; i < count; i++) {
          into[at + i] = narrow(bytes.getDouble(8 * i));
        }
      }
      default -> {
        for (int i = 0; i < count; i++) {
          long value = integer(i);
          into[at + i] = (float) value;
          if (Math.abs(value) > FLOAT_EXACT || value == Long.MIN_VALUE) {
            requireExact(value, (long) into[at + i], "float");
          }
        }
      }
    }
  }

  void doubles(double[] into, int at, int count) {
    switch (type) {
      case F8 -> bytes.asDoubleBuffer().get(into, at, count);
      case F2 -> {
        for (int i = 0; i < count; i++) {
          into[at + i] = half(bytes.getShort(2 * i));
        }
      }
      case F4 -> {
        for (int i = 0; i < count; i++) {
          into[at + i] = bytes.getFloat(4 * i);
        }
      }
      default -> {
        for (int i = 0; i < count; i++) {
          long value = integer(i);
          into[at + i] = (double) value;
          if (Math.abs(value) > DOUBLE_EXACT || value == Long.MIN_VALUE) {
            requireExact(value, (long) into[at + i], "double");
          }
        }
      }
    }
  }

  void longs(long[] into, int at, int count) {
    if (type.isFloating()) {
      throw mismatch("whole numbers", "read it as float or double");
    }
    for (int i = 0; i < count; i++) {
      into[at + i] = integer(i);
    }
  }

  void booleans(boolean[] into, int at, int count) {
    if (type != NpyType.B1) {
      throw mismatch("truth values, |b1", "save x.astype(bool)");
    }
    for (int i = 0; i < count; i++) {
      into[at + i] = integer(i) != 0;
    }
  }

  private UserError mismatch(String expected, String fix) {
    return place.unsupported("its dtype is %s; expected %s: %s", type.descr(), expected, fix);
  }

  private long integer(int i) {
    return switch (type) {
      case I1 -> bytes.get(i);
      case U1 -> bytes.get(i) & 0xff;
      case I2 -> bytes.getShort(2 * i);
      case U2 -> Short.toUnsignedLong(bytes.getShort(2 * i));
      case I4 -> bytes.getInt(4 * i);
      case U4 -> Integer.toUnsignedLong(bytes.getInt(4 * i));
      case I8 -> bytes.getLong(8 * i);
      case B1 -> truth(bytes.get(i));
      case F2, F4, F8 -> throw new AssertionError(type);
    };
  }

  private long truth(byte value) {
    if ((value & ~1) != 0) {
      throw place.damaged("a truth value is the byte %d; expected 0 or 1", value & 0xff);
    }
    return value;
  }

  private float narrow(double value) {
    float narrow = (float) value;
    if (Float.isInfinite(narrow) && !Double.isInfinite(value)) {
      throw place.unsupported("%s is beyond the range of a float; read it as double", value);
    }
    return narrow;
  }

  // Long.MAX_VALUE rounds up to 2^63 and casts back to itself, so equality alone would not see it.
  private void requireExact(long value, long back, String target) {
    if (back != value || value == Long.MAX_VALUE) {
      throw place.unsupported("%d is not exact as a %s; read it as long", value, target);
    }
  }

  /** IEEE 754 binary16; the JDK has its own only from version 20. */
  static float half(short bits) {
    int sign = (bits & 0x8000) << 16;
    int exponent = bits >> 10 & 0x1f;
    int fraction = bits & 0x3ff;
    if (exponent == 0) {
      float magnitude = fraction * 0x1p-24f;
      return sign == 0 ? magnitude : -magnitude;
    }
    int wide = exponent == 0x1f ? 0xff : exponent + 112;
    return Float.intBitsToFloat(sign | wide << 23 | fraction << 13);
  }
}
