package dev.psm.core.io.numpy;

import java.nio.file.Path;

/** A file that is only bytes in memory, and counts how many are asked for. */
final class Memory implements ByteSource {
  static final Path FILE = Path.of("memory.npz");

  private final byte[] bytes;
  private long served;
  private boolean closed;

  Memory(byte[] bytes) {
    this.bytes = bytes;
  }

  static Npz npz(byte[] bytes) {
    return Npz.open(FILE, new Memory(bytes), NpzLimits.DEFAULT);
  }

  static Npy npy(byte[] bytes) {
    return Npy.open(FILE, new Memory(bytes), NpzLimits.DEFAULT);
  }

  long served() {
    return served;
  }

  boolean isClosed() {
    return closed;
  }

  @Override
  public long size() {
    return bytes.length;
  }

  @Override
  public int read(long position, byte[] into, int offset, int length) {
    if (position >= bytes.length) {
      return -1;
    }
    int count = (int) Math.min(length, bytes.length - position);
    System.arraycopy(bytes, (int) position, into, offset, count);
    served += count;
    return count;
  }

  @Override
  public void close() {
    closed = true;
  }
}
