package dev.psm.core.io.numpy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * One array, row by row, for arrays that are too large to hold. A row is everything behind one
 * index of the first dimension; a scalar is one row, and an array without elements has no rows to
 * give, whatever its first dimension says.
 *
 * <p>Both kinds of target take every type. Widening is exact; an {@code f8} is rounded to the
 * nearest float; a value that the target cannot hold (a finite {@code f8} beyond the range of a
 * float, a whole number with more digits than a float or double has) is refused, and so is a truth
 * value other than 0 or 1.
 *
 * <p>The checksum of a compressed file stands at its end, so it is verified just before the last
 * row is handed out: what was made of the earlier rows is to be thrown away if the last read
 * refuses. Not for use by several threads at once.
 */
public final class NpyRows implements AutoCloseable {
  private static final int CHUNK_BYTES = 1 << 16;
  private static final int MAX_JAVA_ARRAY = Integer.MAX_VALUE - 8;

  private final ArrayBytes bytes;
  private final Place place;
  private final NpyHeader header;
  private final byte[] chunk;
  private final NpyDecoder decoder;
  private long remaining;
  private boolean broken;

  private NpyRows(ArrayBytes bytes, Place place) {
    this.bytes = bytes;
    this.place = place;
    this.header = NpyHeader.read(bytes, place);
    this.chunk = new byte[(int) Math.min(CHUNK_BYTES, header.dataBytes())];
    ByteBuffer view = ByteBuffer.wrap(chunk).order(ByteOrder.LITTLE_ENDIAN);
    this.decoder = new NpyDecoder(header.type(), view, place);
    this.remaining = header.elements() == 0 ? 0 : header.rows();
    if (remaining == 0) {
      bytes.finish();
    }
  }

  /** Closes {@code bytes} where the array is refused, and with itself otherwise. */
  static NpyRows open(ArrayBytes bytes, Place place) {
    boolean sound = false;
    try {
      NpyRows rows = new NpyRows(bytes, place);
      sound = true;
      return rows;
    } finally {
      if (!sound) {
        bytes.close();
      }
    }
  }

  /** Takes a run of decoded elements. */
  private interface Sink {
    void take(int at, int count);
  }

  public NpyHeader header() {
    return header;
  }

  /** The number of rows not yet read. */
  public long remaining() {
    return remaining;
  }

  /**
   * Reads the next rows, at most {@code rows}, into {@code into} from {@code offset}; returns how
   * many, 0 when none are left.
   */
  public int read(float[] into, int offset, int rows) {
    return read(into.length, offset, rows, (at, count) -> decoder.floats(into, at, count));
  }

  /** As {@link #read(float[], int, int)}. */
  public int read(double[] into, int offset, int rows) {
    return read(into.length, offset, rows, (at, count) -> decoder.doubles(into, at, count));
  }

  float[] floats(long limit) {
    float[] values = new float[room(Float.BYTES, limit)];
    all(values.length, (at, count) -> decoder.floats(values, at, count));
    return values;
  }

  double[] doubles(long limit) {
    double[] values = new double[room(Double.BYTES, limit)];
    all(values.length, (at, count) -> decoder.doubles(values, at, count));
    return values;
  }

  long[] longs(long limit) {
    decoder.longs(new long[0], 0, 0); // refuses the wrong type before memory is taken
    long[] values = new long[room(Long.BYTES, limit)];
    all(values.length, (at, count) -> decoder.longs(values, at, count));
    return values;
  }

  boolean[] booleans(long limit) {
    decoder.booleans(new boolean[0], 0, 0); // as above
    boolean[] values = new boolean[room(1, limit)];
    all(values.length, (at, count) -> decoder.booleans(values, at, count));
    return values;
  }

  private int room(int elementBytes, long limit) {
    long most = Math.min(limit / elementBytes, MAX_JAVA_ARRAY);
    if (header.elements() > most) {
      throw place.unsupported(
          "%s has %d elements; at most %d of %d bytes are read whole here, read it row by row or"
              + " raise the limit on arrays",
          header, header.elements(), most, elementBytes);
    }
    return (int) header.elements();
  }

  private void all(int elements, Sink sink) {
    pump(elements, 0, sink);
    remaining = 0;
    if (elements > 0) {
      bytes.finish();
    }
  }

  private int read(int capacity, int offset, int rows, Sink sink) {
    if (broken) {
      throw new IllegalStateException("read after a refusal");
    }
    int count = (int) Math.min(rows, remaining);
    if (count <= 0) {
      return 0;
    }
    long width = header.rowElements();
    if (width > MAX_JAVA_ARRAY) {
      throw place.unsupported(
          "a row of %s has %d elements; at most %d are read at once, save x.reshape(-1, n)",
          header, width, MAX_JAVA_ARRAY);
    }
    int elements = (int) Math.min(Integer.MAX_VALUE, count * width);
    Objects.checkFromIndexSize(offset, elements, capacity);
    broken = true;
    pump(elements, offset, sink);
    if (count == remaining) {
      bytes.finish();
    }
    broken = false;
    remaining -= count;
    return count;
  }

  private void pump(int elements, int offset, Sink sink) {
    int width = header.type().bytes();
    int done = 0;
    while (done < elements) {
      int count = Math.min(elements - done, chunk.length / width);
      bytes.fill(chunk, count * width);
      sink.take(offset + done, count);
      done += count;
    }
  }

  @Override
  public void close() {
    bytes.close();
  }
}
