package dev.psm.core.io;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A protocol-buffer message under construction. The few message types that psm writes are encoded
 * by hand: their formats have been stable for years, and a protocol-buffer library would outweigh
 * everything else here.
 *
 * <p>Bytes and nested messages are shared, not copied, so that a network's weights are in memory
 * once.
 */
public final class ProtobufMessage {
  private static final int WIRE_VARINT = 0;
  private static final int WIRE_FIXED64 = 1;
  private static final int WIRE_BYTES = 2;
  private static final int WIRE_FIXED32 = 5;

  private final List<ByteBuffer> parts = new ArrayList<>();
  private long size;

  public ProtobufMessage varint(int field, long value) {
    return raw(field << 3 | WIRE_VARINT).raw(value);
  }

  public ProtobufMessage fixed64(int field, long bits) {
    raw(field << 3 | WIRE_FIXED64);
    return add(ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(bits).flip());
  }

  public ProtobufMessage fixed32(int field, int bits) {
    raw(field << 3 | WIRE_FIXED32);
    return add(ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(bits).flip());
  }

  public ProtobufMessage text(int field, String value) {
    return bytes(field, ByteBuffer.wrap(value.getBytes(StandardCharsets.UTF_8)));
  }

  /** The remaining bytes, which must not change afterwards. */
  public ProtobufMessage bytes(int field, ByteBuffer value) {
    return raw(field << 3 | WIRE_BYTES).raw(value.remaining()).add(value);
  }

  /** A nested message, which is complete. */
  public ProtobufMessage message(int field, ProtobufMessage value) {
    raw(field << 3 | WIRE_BYTES).raw(value.size);
    value.parts.forEach(this::add);
    return this;
  }

  /** Number of bytes. */
  public long size() {
    return size;
  }

  public void writeTo(OutputStream out) throws IOException {
    // Not closed: the stream is the caller's.
    WritableByteChannel channel = Channels.newChannel(out);
    for (ByteBuffer part : parts) {
      ByteBuffer rest = part.duplicate();
      while (rest.hasRemaining()) {
        channel.write(rest);
      }
    }
  }

  public byte[] bytes() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    parts.forEach(
        part -> {
          byte[] copy = new byte[part.remaining()];
          part.duplicate().get(copy);
          out.writeBytes(copy);
        });
    return out.toByteArray();
  }

  private ProtobufMessage raw(long value) {
    ByteBuffer bytes = ByteBuffer.allocate(10);
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      bytes.put((byte) ((rest & 0x7f) | 0x80));
      rest >>>= 7;
    }
    return add(bytes.put((byte) rest).flip());
  }

  private ProtobufMessage add(ByteBuffer part) {
    parts.add(part);
    size += part.remaining();
    return this;
  }
}
