package dev.psm.core.io;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.zip.CRC32C;

/**
 * Scalars as TensorBoard event files. The few message types needed are encoded by hand: the format
 * has been stable for a decade, and a protocol-buffer library would outweigh everything else here.
 */
public final class TensorBoardWriter implements Closeable {
  private static final int CRC_MASK_DELTA = 0xa282ead8;
  private static final int WIRE_VARINT = 0;
  private static final int WIRE_FIXED64 = 1;
  private static final int WIRE_BYTES = 2;
  private static final int WIRE_FIXED32 = 5;

  private final Path file;
  private final FileChannel channel;
  private final Clock clock;

  private TensorBoardWriter(Path file, FileChannel channel, Clock clock) {
    this.file = file;
    this.channel = channel;
    this.clock = clock;
  }

  /** Starts a new event file in a run's directory; TensorBoard joins all that it finds there. */
  public static TensorBoardWriter create(Path directory) {
    return create(directory, Clock.systemUTC());
  }

  static TensorBoardWriter create(Path directory, Clock clock) {
    try {
      Files.createDirectories(directory);
      for (int attempt = 0; ; attempt++) {
        Path file =
            directory.resolve(
                "events.out.tfevents.%010d.psm.%d.%d"
                    .formatted(
                        clock.instant().getEpochSecond(), ProcessHandle.current().pid(), attempt));
        try {
          FileChannel channel =
              FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
          TensorBoardWriter writer = new TensorBoardWriter(file, channel, clock);
          Message event = writer.event().text(3, "brain.Event:2");
          writer.record(event.bytes());
          return writer;
        } catch (FileAlreadyExistsException taken) {
          // Another writer started within the same second.
        }
      }
    } catch (IOException e) {
      throw AtomicFiles.explain("write", directory, e);
    }
  }

  /** One point of a curve, on disk when this returns. */
  public synchronized void scalar(String tag, long step, double value) {
    Message point = new Message().text(1, tag).fixed32(2, Float.floatToIntBits((float) value));
    Message event = event().varint(2, step).bytes(5, new Message().bytes(1, point.bytes()).bytes());
    record(event.bytes());
  }

  public Path file() {
    return file;
  }

  @Override
  public synchronized void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw AtomicFiles.explain("write", file, e);
    }
  }

  private Message event() {
    return new Message().fixed64(1, Double.doubleToLongBits(clock.millis() / 1e3));
  }

  /** TFRecord framing: length, its checksum, the bytes, their checksum. */
  private void record(byte[] bytes) {
    ByteBuffer frame =
        ByteBuffer.allocate(Long.BYTES + 2 * Integer.BYTES + bytes.length)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putLong(bytes.length);
    frame.putInt(maskedCrc(frame.array(), Long.BYTES)).put(bytes);
    frame.putInt(maskedCrc(bytes, bytes.length)).flip();
    try {
      while (frame.hasRemaining()) {
        channel.write(frame);
      }
    } catch (IOException e) {
      throw AtomicFiles.explain("write", file, e);
    }
  }

  static int maskedCrc(byte[] bytes, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length);
    return Integer.rotateRight((int) crc.getValue(), 15) + CRC_MASK_DELTA;
  }

  /** A protocol-buffer message under construction. */
  private static final class Message {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    Message varint(int field, long value) {
      raw(field << 3 | WIRE_VARINT);
      raw(value);
      return this;
    }

    Message fixed64(int field, long bits) {
      raw(field << 3 | WIRE_FIXED64);
      out.writeBytes(ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(bits).array());
      return this;
    }

    Message fixed32(int field, int bits) {
      raw(field << 3 | WIRE_FIXED32);
      out.writeBytes(ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(bits).array());
      return this;
    }

    Message text(int field, String value) {
      return bytes(field, value.getBytes(StandardCharsets.UTF_8));
    }

    Message bytes(int field, byte[] value) {
      raw(field << 3 | WIRE_BYTES);
      raw(value.length);
      out.writeBytes(value);
      return this;
    }

    byte[] bytes() {
      return out.toByteArray();
    }

    private void raw(long value) {
      long rest = value;
      while ((rest & ~0x7fL) != 0) {
        out.write((int) ((rest & 0x7f) | 0x80));
        rest >>>= 7;
      }
      out.write((int) rest);
    }
  }
}
