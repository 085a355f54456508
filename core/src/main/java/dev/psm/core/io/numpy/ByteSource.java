package dev.psm.core.io.numpy;

import dev.psm.core.UserError;
import dev.psm.core.io.AtomicFiles;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Bytes by position. Positions, not a stream, because a zip archive is read from its end; and an
 * interface, so that millions of damaged files can be tried without a disk.
 */
interface ByteSource extends Closeable {
  /** Fixed when the source is opened. */
  long size();

  /** Reads some bytes, at most {@code length}; -1 at the end. */
  int read(long position, byte[] into, int offset, int length) throws IOException;

  static ByteSource open(Path file) {
    if (Files.isDirectory(file)) {
      throw UserError.invalid("cannot read %s: it is a directory, give a file", file);
    }
    // A pipe would block for ever and has no end to start from.
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      throw UserError.invalid("cannot read %s: it is not a regular file, copy it to one", file);
    }
    try {
      FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
      return new OfFile(channel, channel.size());
    } catch (IOException e) {
      throw AtomicFiles.explain("read", file, e);
    }
  }

  /** All of the given range, which the caller has checked to lie inside. */
  default void fill(long position, byte[] into, int offset, int length, Place place) {
    int done = 0;
    while (done < length) {
      int got;
      try {
        got = read(position + done, into, offset + done, length - done);
      } catch (IOException e) {
        throw AtomicFiles.explain("read", place.file(), e);
      }
      if (got < 0) {
        throw place.damaged(
            "it became shorter while it was read: byte %d of %d is gone", position + done, size());
      }
      done += got;
    }
  }

  /** A little-endian buffer of that range. */
  default ByteBuffer range(long position, int length, Place place) {
    byte[] bytes = new byte[length];
    fill(position, bytes, 0, length, place);
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** A file; positional reads make it safe to share between threads. */
  record OfFile(FileChannel channel, long size) implements ByteSource {
    @Override
    public int read(long position, byte[] into, int offset, int length) throws IOException {
      return channel.read(ByteBuffer.wrap(into, offset, length), position);
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
