package dev.psm.core.io;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Metrics as one JSON object per line, handed to the operating system line by line so that a run
 * can be watched while it trains and a crash costs at most the line being written.
 */
public final class JsonLinesWriter implements Closeable {
  private final Path file;
  private final FileChannel channel;

  private JsonLinesWriter(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /** Continues after the last complete line; one torn by a crash is cut off. */
  public static JsonLinesWriter append(Path file) {
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      FileChannel channel =
          FileChannel.open(
              file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
      try {
        long end = endOfLastLine(channel);
        channel.truncate(end).position(end);
      } catch (IOException e) {
        channel.close();
        throw e;
      }
      return new JsonLinesWriter(file, channel);
    } catch (IOException e) {
      throw AtomicFiles.explain("write", file, e);
    }
  }

  /** Appends one line. */
  public synchronized void write(ObjectNode line) {
    ByteBuffer bytes = ByteBuffer.wrap((Json.line(line) + "\n").getBytes(StandardCharsets.UTF_8));
    try {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    } catch (IOException e) {
      throw AtomicFiles.explain("write", file, e);
    }
  }

  @Override
  public synchronized void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw AtomicFiles.explain("write", file, e);
    }
  }

  private static long endOfLastLine(FileChannel channel) throws IOException {
    ByteBuffer block = ByteBuffer.allocate(1 << 13);
    long end = channel.size();
    while (end > 0) {
      long start = Math.max(0, end - block.capacity());
      block.clear().limit((int) (end - start));
      while (block.hasRemaining() && channel.read(block, start + block.position()) >= 0) {}
      for (int i = block.position() - 1; i >= 0; i--) {
        if (block.get(i) == '\n') {
          return start + i + 1;
        }
      }
      end = start;
    }
    return 0;
  }
}
