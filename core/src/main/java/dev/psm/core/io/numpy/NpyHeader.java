package dev.psm.core.io.numpy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What an array says of itself: its element type and its shape, in row-major order. An empty shape
 * is a single number, and a dimension of zero is legal.
 *
 * <p>The format is NumPy enhancement proposal 1: six bytes of magic, two of version, the length of
 * a header that is a Python dict, the dict, the data.
 */
public record NpyHeader(NpyType type, List<Long> shape) {
  static final int MAX_TEXT_BYTES = 1 << 16;
  static final int MAX_DIMENSIONS = 64; // NumPy's own
  private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};
  private static final int ALIGNMENT = 64;

  /**
   * @throws ArithmeticException when a dimension is negative or the size overflows, which counts
   *     the dimensions that are not zero, so that no product of some of them can overflow either
   */
  public NpyHeader {
    shape = List.copyOf(shape);
    long product = type.bytes();
    for (long size : shape) {
      if (size < 0) {
        throw new ArithmeticException("negative dimension " + size);
      }
      product = Math.multiplyExact(product, Math.max(1, size));
    }
  }

  static NpyHeader of(NpyType type, long... shape) {
    List<Long> sizes = new ArrayList<>();
    for (long size : shape) {
      sizes.add(size);
    }
    return new NpyHeader(type, sizes);
  }

  /** The number of elements: 1 for a scalar. */
  public long elements() {
    return product(shape);
  }

  /** The size of the first dimension: 1 for a scalar. */
  public long rows() {
    return shape.isEmpty() ? 1 : shape.get(0);
  }

  /** The number of elements in one row, all dimensions after the first: 1 for a scalar. */
  public long rowElements() {
    return shape.isEmpty() ? 1 : product(shape.subList(1, shape.size()));
  }

  long dataBytes() {
    return elements() * type.bytes();
  }

  private static long product(List<Long> sizes) {
    return sizes.contains(0L) ? 0 : sizes.stream().reduce(1L, (a, b) -> a * b);
  }

  /** As NumPy shows it, such as {@code <f4(1001, 24)}. */
  @Override
  public String toString() {
    return type.descr() + tuple();
  }

  private String tuple() {
    String sizes = shape.stream().map(String::valueOf).collect(Collectors.joining(", "));
    return "(" + sizes + (shape.size() == 1 ? ",)" : ")");
  }

  static boolean isMagic(ByteBuffer bytes) {
    return bytes.remaining() >= MAGIC.length
        && bytes.slice(bytes.position(), MAGIC.length).equals(ByteBuffer.wrap(MAGIC));
  }

  /** Reads up to the data, and holds the size that the header promises against the real one. */
  static NpyHeader read(ArrayBytes bytes, Place place) {
    ByteBuffer start = bytes.next(MAGIC.length + 2, "its magic and version");
    if (!isMagic(start)) {
      throw place.damaged(
          "it does not start as a .npy does; expected the bytes 93 4e 55 4d 50 59, found %s",
          hex(start));
    }
    int major = start.get(MAGIC.length) & 0xff;
    int minor = start.get(MAGIC.length + 1) & 0xff;
    if (major < 1 || major > 3 || minor != 0) {
      throw place.unsupported(
          "its format version is %d.%d; expected 1.0, 2.0 or 3.0: save it with np.save",
          major, minor);
    }
    long length =
        major == 1
            ? Short.toUnsignedLong(bytes.next(2, "its header length").getShort())
            : Integer.toUnsignedLong(bytes.next(4, "its header length").getInt());
    if (length > MAX_TEXT_BYTES) {
      throw place.damaged(
          "it announces a header of %d bytes; expected at most %d", length, MAX_TEXT_BYTES);
    }
    byte[] text = bytes.next((int) length, "its header").array();
    // Latin-1 keeps every byte; only the field names of structured arrays are ever not ASCII.
    NpyHeader header =
        new NpyHeaderText(new String(text, StandardCharsets.ISO_8859_1), place).parse();
    if (header.dataBytes() != bytes.remaining()) {
      throw place.damaged(
          "its header promises %s, %d bytes of data, and %d bytes follow it",
          header, header.dataBytes(), bytes.remaining());
    }
    return header;
  }

  /** Everything before the data, as NumPy writes it. */
  byte[] prefix() {
    String text =
        "{'descr': '%s', 'fortran_order': False, 'shape': %s, }".formatted(type.descr(), tuple());
    int fixed = MAGIC.length + 4;
    int total = (fixed + text.length() + ALIGNMENT) / ALIGNMENT * ALIGNMENT;
    String padded = text + " ".repeat(total - fixed - text.length() - 1) + "\n";
    return ByteBuffer.allocate(total)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(MAGIC)
        .put((byte) 1)
        .put((byte) 0)
        .putShort((short) padded.length())
        .put(padded.getBytes(StandardCharsets.US_ASCII))
        .array();
  }

  private static String hex(ByteBuffer start) {
    StringBuilder hex = new StringBuilder();
    for (int i = 0; i < MAGIC.length; i++) {
      hex.append(i == 0 ? "" : " ").append("%02x".formatted(start.get(i)));
    }
    return hex.toString();
  }
}
