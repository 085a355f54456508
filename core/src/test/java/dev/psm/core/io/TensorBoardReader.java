package dev.psm.core.io;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Reads event files back, checksums included. */
final class TensorBoardReader {
  record Event(double wallTime, long step, String fileVersion, String tag, float value) {}

  private TensorBoardReader() {}

  static List<Event> read(Path file) throws IOException {
    ByteBuffer in = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    List<Event> events = new ArrayList<>();
    while (in.hasRemaining()) {
      byte[] length = Arrays.copyOfRange(in.array(), in.position(), in.position() + 8);
      byte[] data = new byte[(int) in.getLong()];
      check(length, in.getInt());
      in.get(data);
      check(data, in.getInt());
      events.add(event(ByteBuffer.wrap(data).order(ByteOrder.LITTLE_ENDIAN)));
    }
    return events;
  }

  private static void check(byte[] bytes, int crc) throws IOException {
    if (TensorBoardWriter.maskedCrc(bytes, bytes.length) != crc) {
      throw new IOException("checksum differs");
    }
  }

  private static Event event(ByteBuffer in) throws IOException {
    double wallTime = 0;
    long step = 0;
    String version = null;
    String tag = null;
    float value = Float.NaN;
    while (in.hasRemaining()) {
      int key = (int) varint(in);
      switch (key) {
        case 1 << 3 | 1 -> wallTime = in.getDouble();
        case 2 << 3 -> step = varint(in);
        case 3 << 3 | 2 -> version = text(in);
        case 5 << 3 | 2 -> {
          ByteBuffer summary = message(in);
          require((int) varint(summary) == (1 << 3 | 2));
          ByteBuffer point = message(summary);
          require((int) varint(point) == (1 << 3 | 2));
          tag = text(point);
          require((int) varint(point) == (2 << 3 | 5));
          value = point.getFloat();
          require(!point.hasRemaining() && !summary.hasRemaining());
        }
        default -> throw new IOException("unknown field key " + key);
      }
    }
    return new Event(wallTime, step, version, tag, value);
  }

  private static void require(boolean condition) throws IOException {
    if (!condition) {
      throw new IOException("unexpected field");
    }
  }

  private static long varint(ByteBuffer in) {
    long value = 0;
    for (int shift = 0; ; shift += 7) {
      byte next = in.get();
      value |= (next & 0x7fL) << shift;
      if (next >= 0) {
        return value;
      }
    }
  }

  private static ByteBuffer message(ByteBuffer in) {
    int length = (int) varint(in);
    ByteBuffer part = in.slice(in.position(), length).order(ByteOrder.LITTLE_ENDIAN);
    in.position(in.position() + length);
    return part;
  }

  private static String text(ByteBuffer in) {
    return StandardCharsets.UTF_8.decode(message(in)).toString();
  }
}
