package dev.psm.core.io;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.zip.CRC32C;

/** Scalars as TensorBoard event files. */
public final class TensorBoardWriter implements Closeable {
  private static final int CRC_MASK_DELTA = 0xa282ead8;

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
          ProtobufMessage event = writer.event().text(3, "brain.Event:2");
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
    ProtobufMessage point =
        new ProtobufMessage().text(1, tag).fixed32(2, Float.floatToIntBits((float) value));
    ProtobufMessage event =
        event().varint(2, step).message(5, new ProtobufMessage().message(1, point));
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

  private ProtobufMessage event() {
    return new ProtobufMessage().fixed64(1, Double.doubleToLongBits(clock.millis() / 1e3));
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
}
