package dev.psm.core.io.numpy;

import dev.psm.core.UserError;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * The bytes of one {@code .npy}, from a file of its own or from an archive, delivered once and in
 * order. Never more are inflated than the archive announced, plus one to see that there are more;
 * {@link #finish} then checks that the stream ended there and that the checksum agrees.
 */
final class ArrayBytes implements AutoCloseable {
  private static final int BUFFER_BYTES = 1 << 16;

  private final ByteSource source;
  private final Place place;
  private final long size;
  private final CRC32 crc;
  private final long expectedCrc;
  private final Inflater inflater;
  private final byte[] buffer;
  private long position;
  private long storedLeft;
  private long delivered;
  private boolean closed;

  private ArrayBytes(
      ByteSource source, Place place, long position, long stored, long size, ZipMember member) {
    this.source = source;
    this.place = place;
    this.position = position;
    this.storedLeft = stored;
    this.size = size;
    this.crc = member == null ? null : new CRC32();
    this.expectedCrc = member == null ? 0 : member.crc();
    boolean deflated = member != null && member.isDeflated();
    this.inflater = deflated ? new Inflater(true) : null;
    this.buffer = deflated ? new byte[(int) Math.min(BUFFER_BYTES, stored)] : null;
  }

  static ArrayBytes ofFile(ByteSource source, Place place) {
    return new ArrayBytes(source, place, 0, source.size(), source.size(), null);
  }

  static ArrayBytes ofMember(ByteSource source, Place place, ZipMember member) {
    return new ArrayBytes(source, place, member.data(), member.compressed(), member.size(), member);
  }

  long remaining() {
    return size - delivered;
  }

  /** The next bytes in a buffer of their own. */
  ByteBuffer next(int length, String what) {
    if (length > remaining()) {
      throw place.damaged(
          "it is truncated: %s needs %d bytes and %d are left of %d",
          what, length, remaining(), size);
    }
    byte[] bytes = new byte[length];
    fill(bytes, length);
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Exactly that many bytes, which must not be more than {@link #remaining}. */
  void fill(byte[] into, int length) {
    if (closed) {
      throw new IllegalStateException("read after close");
    }
    if (length > remaining()) {
      throw new IllegalArgumentException(length + " bytes asked for of " + remaining());
    }
    if (inflater == null) {
      source.fill(position, into, 0, length, place);
      position += length;
      storedLeft -= length;
    } else {
      for (int done = 0; done < length; ) {
        int got = inflate(into, done, length - done);
        if (got < 0) {
          throw place.damaged(
              "it inflates to only %d bytes of the %d announced", delivered + done, size);
        }
        done += got;
      }
    }
    if (crc != null) {
      crc.update(into, 0, length);
    }
    delivered += length;
  }

  /** To be called when nothing remains: the last ways in which an entry can lie. */
  void finish() {
    if (inflater != null) {
      if (inflate(new byte[1], 0, 1) >= 0) {
        throw place.damaged("it inflates to more than the %d bytes announced", size);
      }
      long unused = storedLeft + inflater.getRemaining();
      if (unused > 0) {
        throw place.damaged("%d bytes follow the end of its compressed data", unused);
      }
    }
    if (crc != null && crc.getValue() != expectedCrc) {
      throw place.damaged("its checksum is %08x; expected %08x", crc.getValue(), expectedCrc);
    }
  }

  /** At least one byte, or -1 where the compressed stream says that it ends. */
  private int inflate(byte[] into, int offset, int length) {
    while (true) {
      int got;
      try {
        got = inflater.inflate(into, offset, length);
      } catch (DataFormatException e) {
        throw corrupt(e.getMessage());
      }
      if (got > 0) {
        return got;
      }
      if (inflater.finished()) {
        return -1;
      }
      if (!inflater.needsInput()) {
        throw corrupt("it asks for a dictionary");
      }
      if (storedLeft == 0) {
        throw place.damaged("its compressed data stops before its end");
      }
      int more = (int) Math.min(buffer.length, storedLeft);
      source.fill(position, buffer, 0, more, place);
      position += more;
      storedLeft -= more;
      inflater.setInput(buffer, 0, more);
    }
  }

  private UserError corrupt(String reason) {
    return place.damaged("its compressed data is corrupt (%s)", reason);
  }

  @Override
  public void close() {
    closed = true;
    if (inflater != null) {
      inflater.end();
    }
  }
}
