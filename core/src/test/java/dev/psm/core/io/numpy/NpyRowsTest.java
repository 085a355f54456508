package dev.psm.core.io.numpy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.psm.core.UserError;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

final class NpyRowsTest {
  @Test
  void rowsInPiecesAreTheWholeArray() {
    float[] values = new float[7 * 40_000];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) Math.sin(i);
    }
    Npz npz = Memory.npz(NpzWriter.deflated().add("x", values, 40_000, 7).toBytes());
    float[] pieces = new float[values.length];
    try (NpyRows rows = npz.rows("x")) {
      assertEquals(40_000, rows.remaining());
      int done = 0;
      for (int size = 1; rows.remaining() > 0; size = size * 3 + 1) {
        done += rows.read(pieces, done * 7, size);
      }
      assertEquals(0, rows.read(pieces, 0, 5));
    }
    assertArrayEquals(values, pieces);
    assertArrayEquals(values, npz.floats("x"));
  }

  @Test
  void bothTargetsAreFilledFromEveryType() {
    for (String type : new String[] {"f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4"}) {
      byte[] npy = numbers(type, 0, 0, 0, 0, 0, 0, 0, 0);
      assertArrayEquals(
          new float[8 / Integer.parseInt(type.substring(1))], Memory.npy(npy).floats());
      assertArrayEquals(
          new double[8 / Integer.parseInt(type.substring(1))], Memory.npy(npy).doubles());
    }
    assertArrayEquals(new float[] {1, 0}, Memory.npy(numbers("b1", 1, 0)).floats());
    assertArrayEquals(new double[] {-1, 255 - 256}, Memory.npy(numbers("i1", 255, 255)).doubles());
    assertArrayEquals(new float[] {255}, Memory.npy(numbers("u1", 255)).floats());
  }

  @Test
  void everyHalfIsExact() {
    for (int bits = 0; bits < 1 << 16; bits++) {
      int exponent = bits >> 10 & 31;
      int fraction = bits & 1023;
      double expected =
          exponent == 31
              ? fraction == 0 ? Double.POSITIVE_INFINITY : Double.NaN
              : exponent == 0
                  ? fraction * 0x1p-24
                  : (1024 + fraction) * Math.scalb(1.0, exponent - 25);
      double signed = bits < 1 << 15 ? expected : -expected;
      assertEquals(signed, NpyDecoder.half((short) bits), 0.0, "bits " + bits);
    }
    assertEquals(
        Float.floatToRawIntBits(-0f), Float.floatToRawIntBits(NpyDecoder.half((short) 0x8000)));
  }

  @Test
  void aDoubleIsRoundedToAFloatAndNeverToInfinity() {
    Npz npz =
        Memory.npz(
            NpzWriter.stored()
                .add("fine", new double[] {0.1, Double.NaN, Double.NEGATIVE_INFINITY}, 3)
                .add("large", new double[] {1e39}, 1)
                .toBytes());
    assertArrayEquals(new float[] {0.1f, Float.NaN, Float.NEGATIVE_INFINITY}, npz.floats("fine"));
    refused(() -> npz.floats("large"), "1.0E39 is beyond the range of a float; read it as double");
    assertArrayEquals(new double[] {1e39}, npz.doubles("large"));
  }

  @Test
  void aWholeNumberIsExactOrRefused() {
    assertExact(1 << 24, true, true);
    assertExact((1 << 24) + 1, false, true);
    assertExact(-(1 << 24) - 1, false, true);
    assertExact((1 << 24) + 2, true, true);
    assertExact((1L << 53) + 1, false, false);
    assertExact(Long.MAX_VALUE, false, false);
    assertExact(Long.MIN_VALUE, true, true);
  }

  private static void assertExact(long value, boolean asFloat, boolean asDouble) {
    Npz npz = Memory.npz(NpzWriter.stored().add("x", new long[] {value}, 1).toBytes());
    assertArrayEquals(new long[] {value}, npz.longs("x"));
    if (asFloat) {
      assertArrayEquals(new float[] {value}, npz.floats("x"));
    } else {
      refused(() -> npz.floats("x"), value + " is not exact as a float; read it as long");
    }
    if (asDouble) {
      assertArrayEquals(new double[] {value}, npz.doubles("x"));
    } else {
      refused(() -> npz.doubles("x"), value + " is not exact as a double; read it as long");
    }
  }

  @Test
  void truthIsZeroOrOne() {
    refused(() -> Memory.npy(numbers("b1", 0, 2)).booleans(), "a truth value is the byte 2");
    refused(() -> Memory.npy(numbers("b1", 0, 255)).floats(), "a truth value is the byte 255");
  }

  @Test
  void aTypeIsNotMistakenForAnother() {
    refused(
        () -> Memory.npy(numbers("f4", 0, 0, 0, 0)).longs(), "its dtype is <f4; expected whole");
    refused(() -> Memory.npy(numbers("u1", 0)).booleans(), "its dtype is |u1; expected truth");
  }

  @Test
  void aWholeReadStaysWithinItsLimitAndAStreamNeedsNone() {
    byte[] bytes = NpzWriter.deflated().add("x", new boolean[1000], 1000).toBytes();
    Npz npz = Npz.open(Memory.FILE, new Memory(bytes), new NpzLimits(3999, 1 << 20, 9));
    assertEquals(1000, npz.booleans("x").length);
    refused(() -> npz.floats("x"), "has 1000 elements; at most 999 of 4 bytes are read whole here");
    try (NpyRows rows = npz.rows("x")) {
      assertEquals(1000, rows.read(new float[1000], 0, 1000));
    }
  }

  @Test
  void anArrayBeyondTwoToThe31IsStreamedAndNotReadWhole() {
    long size = (1L << 33) + 5;
    Npy npy = Npy.open(Memory.FILE, new Zeros(NpyHeader.of(NpyType.U1, size)), NpzLimits.DEFAULT);
    refused(npy::booleans, "expected truth");
    refused(npy::floats, "has 8589934597 elements");
    Npy limitless =
        Npy.open(
            Memory.FILE,
            new Zeros(NpyHeader.of(NpyType.U1, size)),
            new NpzLimits(Long.MAX_VALUE, Long.MAX_VALUE, 1));
    refused(limitless::floats, "at most 2147483639 of 4 bytes");
    try (NpyRows rows = npy.rows()) {
      assertEquals(1000, rows.read(new float[1000], 0, 1000));
      assertEquals(size - 1000, rows.remaining());
    }
  }

  @Test
  void aRowTooLongForJavaIsRefused() {
    Zeros zeros = new Zeros(NpyHeader.of(NpyType.U1, 2, 1L << 31));
    try (NpyRows rows = Npy.open(Memory.FILE, zeros, NpzLimits.DEFAULT).rows()) {
      refused(() -> rows.read(new float[1], 0, 1), "has 2147483648 elements; at most 2147483639");
    }
  }

  @Test
  void rowsWithoutElementsAreNotCountedOut() {
    byte[] npy =
        NpyHeaderTest.npy(
            1, "{'descr':'<f4','fortran_order':False,'shape':(2305843009213693951,0)}", 0);
    Npy open = Memory.npy(npy);
    assertEquals(0, open.floats().length);
    try (NpyRows rows = open.rows()) {
      assertEquals(0, rows.read(new float[0], 0, 1));
    }
  }

  @Test
  void theLastRowsAreNotHandedOutUnverified() {
    HostileZip zip = HostileZip.stored();
    zip.set(zip.directory() - 1, (byte) 9);
    try (NpyRows rows = Memory.npz(zip.bytes()).rows("x")) {
      assertEquals(2, rows.read(new float[3], 0, 2));
      refused(() -> rows.read(new float[3], 0, 1), "its checksum is");
      assertThrows(IllegalStateException.class, () -> rows.read(new float[3], 0, 1));
    }
  }

  @Test
  void aTargetTooSmallIsTheCallersMistake() {
    Npz npz = Memory.npz(NpzWriter.stored().add("x", new float[6], 2, 3).toBytes());
    try (NpyRows rows = npz.rows("x")) {
      assertThrows(IndexOutOfBoundsException.class, () -> rows.read(new float[5], 0, 2));
      assertEquals(1, rows.read(new float[5], 0, 1));
    }
  }

  @Test
  void aRefusedFileIsClosed() {
    Memory memory = new Memory(new byte[100]);
    refused(() -> Npz.open(Memory.FILE, memory, NpzLimits.DEFAULT), "does not start");
    assertTrue(memory.isClosed());
    Memory other = new Memory(new byte[100]);
    refused(() -> Npy.open(Memory.FILE, other, NpzLimits.DEFAULT), "does not start");
    assertTrue(other.isClosed());
    Memory sound = new Memory(HostileZip.stored().bytes());
    try (Npz npz = Npz.open(Memory.FILE, sound, NpzLimits.DEFAULT)) {
      assertFalse(sound.isClosed());
      assertEquals(3, npz.floats("x").length);
    }
    assertTrue(sound.isClosed());
  }

  /** An array of zeros of any size. */
  private static final class Zeros implements ByteSource {
    private final byte[] prefix;
    private final long size;

    Zeros(NpyHeader header) {
      prefix = header.prefix();
      size = prefix.length + header.dataBytes();
    }

    @Override
    public long size() {
      return size;
    }

    @Override
    public int read(long position, byte[] into, int offset, int length) {
      if (position >= prefix.length) {
        Arrays.fill(into, offset, offset + length, (byte) 0);
        return length;
      }
      into[offset] = prefix[(int) position];
      return 1;
    }

    @Override
    public void close() {}
  }

  private static byte[] numbers(String type, int... bytes) {
    int size = Integer.parseInt(type.substring(1));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(
        NpyHeaderTest.npy(
            1,
            "{'descr':'<%s','fortran_order':False,'shape':(%d,)}"
                .formatted(type, bytes.length / size),
            0));
    for (int b : bytes) {
      out.write(b);
    }
    return out.toByteArray();
  }

  private static void refused(org.junit.jupiter.api.function.Executable work, String words) {
    UserError error = assertThrows(UserError.class, work);
    assertTrue(error.getMessage().contains(words), error.getMessage());
  }
}
