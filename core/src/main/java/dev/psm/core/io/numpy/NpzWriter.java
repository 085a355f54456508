package dev.psm.core.io.numpy;

import dev.psm.core.io.AtomicFiles;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.zip.CRC32;
import java.util.zip.CheckedOutputStream;
import java.util.zip.Deflater;

/**
 * Writes named arrays as a {@code .npz} that {@code np.load} reads: of at most 2 GiB, without
 * zip64. The same arrays give the same bytes: the time stamp is zip's zero, 1 January 1980, as
 * NumPy's is.
 */
public final class NpzWriter {
  private static final int ENTRY = 0x02014b50;
  private static final int DATE_ZERO = 0x0021;
  private static final int VERSION = 20;
  private static final int MAX_ARRAYS = 4096;

  private final boolean deflated;
  private final Map<String, Array> arrays = new LinkedHashMap<>();

  /** What is left of the 2 GiB for names, headers and small arrays. */
  private static final int OVERHEAD = 1 << 20;

  /**
   * An array as a {@code .npy}.
   *
   * @param start its first bytes: all of them, or the header of those in a file
   * @param rest a file that goes on, or null
   */
  @SuppressWarnings("ArrayRecordComponent")
  private record Array(byte[] start, Path rest, long restBytes) {
    int bytes() {
      return Math.toIntExact(start.length + restBytes);
    }

    void writeTo(OutputStream out) throws IOException {
      out.write(start);
      if (rest != null) {
        Files.copy(rest, out);
      }
    }

    int checksum() throws IOException {
      CRC32 crc = new CRC32();
      try (OutputStream sum = new CheckedOutputStream(OutputStream.nullOutputStream(), crc)) {
        writeTo(sum);
      }
      return (int) crc.getValue();
    }
  }

  private NpzWriter(boolean deflated) {
    this.deflated = deflated;
  }

  /** As {@code np.savez}. */
  public static NpzWriter stored() {
    return new NpzWriter(false);
  }

  /** As {@code np.savez_compressed}. */
  public static NpzWriter deflated() {
    return new NpzWriter(true);
  }

  /** Adds an array of f4; no shape is that of a scalar. */
  public NpzWriter add(String name, float[] values, long... shape) {
    NpyHeader header = header(NpyType.F4, values.length, shape);
    return add(name, header, data -> data.asFloatBuffer().put(values));
  }

  /** The most numbers of f4 that a file has room for, beside so many bytes of others. */
  public static long mostFloats(long others) {
    return (Integer.MAX_VALUE - OVERHEAD - others) / Float.BYTES;
  }

  /**
   * Adds a row of numbers of f4 that are too many for memory.
   *
   * @param file where they lie, little-endian; read when this is written
   */
  public NpzWriter addFloats(String name, Path file, long count) {
    if (deflated) {
      throw new IllegalStateException("arrays out of files are stored as they are");
    }
    NpyHeader header = NpyHeader.of(NpyType.F4, count);
    return add(name, new Array(header.prefix(), file, header.dataBytes()));
  }

  /** Adds an array of f8. */
  public NpzWriter add(String name, double[] values, long... shape) {
    NpyHeader header = header(NpyType.F8, values.length, shape);
    return add(name, header, data -> data.asDoubleBuffer().put(values));
  }

  /** Adds an array of i8. */
  public NpzWriter add(String name, long[] values, long... shape) {
    NpyHeader header = header(NpyType.I8, values.length, shape);
    return add(name, header, data -> data.asLongBuffer().put(values));
  }

  /** Adds an array of b1. */
  public NpzWriter add(String name, boolean[] values, long... shape) {
    NpyHeader header = header(NpyType.B1, values.length, shape);
    return add(
        name,
        header,
        data -> {
          for (boolean value : values) {
            data.put((byte) (value ? 1 : 0));
          }
        });
  }

  /** Adds the bytes of a {@code .npy}, unchecked. */
  NpzWriter add(String name, byte[] npy) {
    return add(name, new Array(npy, null, 0));
  }

  private NpzWriter add(String name, Array array) {
    String fault = ZipNames.fault(name + ZipNames.SUFFIX);
    if (fault != null) {
      throw new IllegalArgumentException("the name " + Place.quote(name) + " " + fault);
    }
    if (arrays.size() == MAX_ARRAYS) {
      throw new IllegalArgumentException("more than " + MAX_ARRAYS + " arrays");
    }
    if (arrays.putIfAbsent(name, array) != null) {
      throw new IllegalArgumentException("two arrays called " + Place.quote(name));
    }
    return this;
  }

  public void write(Path file) {
    AtomicFiles.write(file, this::writeTo);
  }

  byte[] toBytes() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      writeTo(out);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return out.toByteArray();
  }

  private static NpyHeader header(NpyType type, int count, long... shape) {
    NpyHeader header = NpyHeader.of(type, shape);
    if (header.elements() != count) {
      throw new IllegalArgumentException(header + " of " + count + " elements");
    }
    return header;
  }

  private NpzWriter add(String name, NpyHeader header, Consumer<ByteBuffer> data) {
    byte[] prefix = header.prefix();
    byte[] npy = Arrays.copyOf(prefix, Math.toIntExact(prefix.length + header.dataBytes()));
    data.accept(
        ByteBuffer.wrap(npy).position(prefix.length).slice().order(ByteOrder.LITTLE_ENDIAN));
    return add(name, npy);
  }

  private void writeTo(OutputStream out) throws IOException {
    ByteArrayOutputStream directory = new ByteArrayOutputStream();
    int offset = 0;
    for (Map.Entry<String, Array> entry : arrays.entrySet()) {
      byte[] name = (entry.getKey() + ZipNames.SUFFIX).getBytes(StandardCharsets.UTF_8);
      Array array = entry.getValue();
      Array data = deflated ? new Array(deflate(array.start()), null, 0) : array;
      byte[] facts = facts(entry.getKey(), array, data.bytes(), name.length);
      out.write(little(4).putInt(ZipEnd.LOCAL).array());
      out.write(facts);
      out.write(name);
      data.writeTo(out);
      directory.write(little(6).putInt(ENTRY).putShort((short) VERSION).array());
      directory.write(facts);
      // Comment length, disk, internal and external attributes: none.
      directory.write(little(14).putInt(10, offset).array());
      directory.write(name);
      offset = Math.addExact(offset, Math.addExact(4 + 26 + name.length, data.bytes()));
    }
    directory.writeTo(out);
    short count = (short) arrays.size();
    out.write(
        little(ZipEnd.END_BYTES)
            .putInt(ZipEnd.END)
            .putInt(0)
            .putShort(count)
            .putShort(count)
            .putInt(directory.size())
            .putInt(offset)
            .array());
  }

  /** The run of fields that the local header and the directory have in common. */
  private byte[] facts(String name, Array array, int stored, int nameBytes) throws IOException {
    return little(26)
        .putShort((short) VERSION)
        .putShort((short) ZipNames.flags(name))
        .putShort((short) (deflated ? ZipMember.DEFLATED : ZipMember.STORED))
        .putShort((short) 0)
        .putShort((short) DATE_ZERO)
        .putInt(array.checksum())
        .putInt(stored)
        .putInt(array.bytes())
        .putShort((short) nameBytes)
        .array();
  }

  private static ByteBuffer little(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static byte[] deflate(byte[] bytes) {
    Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
    try {
      deflater.setInput(bytes);
      deflater.finish();
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      byte[] buffer = new byte[1 << 14];
      while (!deflater.finished()) {
        out.write(buffer, 0, deflater.deflate(buffer));
      }
      return out.toByteArray();
    } finally {
      deflater.end();
    }
  }
}
