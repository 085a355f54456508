package dev.psm.app.bundle;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Writes a tar archive (POSIX.1-1988, "ustar") of folders, files and symbolic links. */
final class TarWriter implements AutoCloseable {
  private static final int BLOCK = 512;
  private static final int NAME = 100;
  private static final int PREFIX = 155;
  private static final long LARGEST_FILE = (1L << 33) - 1;

  private final OutputStream out;

  TarWriter(OutputStream out) {
    this.out = out;
  }

  void folder(String name, long seconds) throws IOException {
    header(name + "/", "", '5', 0755, 0, seconds);
  }

  void link(String name, String target, long seconds) throws IOException {
    header(name, target, '2', 0777, 0, seconds);
  }

  /** The bytes are then written through {@link #content} and ended with {@link #endFile}. */
  void file(String name, boolean executable, long size, long seconds) throws IOException {
    header(name, "", '0', executable ? 0755 : 0644, size, seconds);
  }

  void content(byte[] bytes, int length) throws IOException {
    out.write(bytes, 0, length);
  }

  void endFile(long size) throws IOException {
    out.write(new byte[(int) (-size & (BLOCK - 1))]);
  }

  private void header(
      String name, String target, char type, int mode, long size, long modifiedSeconds)
      throws IOException {
    byte[] block = new byte[BLOCK];
    byte[] path = name.getBytes(StandardCharsets.UTF_8);
    byte[] linked = target.getBytes(StandardCharsets.UTF_8);
    int cut = cut(path);
    if (cut < 0 || linked.length > NAME || size > LARGEST_FILE) {
      throw new IOException(name + " is too large, or its name too long, for a tar archive");
    }
    if (cut > 0) {
      System.arraycopy(path, 0, block, 345, cut);
      path = Arrays.copyOfRange(path, cut + 1, path.length);
    }
    System.arraycopy(path, 0, block, 0, path.length);
    octal(block, 100, 8, mode);
    octal(block, 108, 8, 0);
    octal(block, 116, 8, 0);
    octal(block, 124, 12, size);
    octal(block, 136, 12, modifiedSeconds);
    block[156] = (byte) type;
    System.arraycopy(linked, 0, block, 157, linked.length);
    System.arraycopy("ustar\00000".getBytes(StandardCharsets.US_ASCII), 0, block, 257, 8);
    // The checksum is taken with spaces in its own place.
    Arrays.fill(block, 148, 156, (byte) ' ');
    int sum = 0;
    for (byte value : block) {
      sum += Byte.toUnsignedInt(value);
    }
    octal(block, 148, 7, sum);
    out.write(block);
  }

  /** Where a long name is cut into prefix and rest: 0 if it need not be, -1 if it cannot. */
  private static int cut(byte[] path) {
    if (path.length <= NAME) {
      return 0;
    }
    for (int i = Math.min(PREFIX, path.length - 2); i > 0; i--) {
      if (path[i] == '/' && path.length - i - 1 <= NAME) {
        return i;
      }
    }
    return -1;
  }

  private static void octal(byte[] block, int offset, int length, long value) {
    String digits = Long.toOctalString(value);
    Arrays.fill(block, offset, offset + length - 1, (byte) '0');
    System.arraycopy(
        digits.getBytes(StandardCharsets.US_ASCII),
        0,
        block,
        offset + length - 1 - digits.length(),
        digits.length());
    block[offset + length - 1] = 0;
  }

  @Override
  public void close() throws IOException {
    try (out) {
      out.write(new byte[2 * BLOCK]);
    }
  }
}
