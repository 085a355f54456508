package dev.psm.core.io.numpy;

/**
 * One entry of an archive as its central directory tells it.
 *
 * @param name the array's, without {@code .npy}
 * @param rawName the entry's, as bytes
 * @param offset where its local header starts
 * @param data where its bytes start; -1 until the local header has been read
 */
record ZipMember(
    String name,
    byte[] rawName,
    int flags,
    int method,
    long crc,
    long compressed,
    long size,
    long offset,
    long data) {
  static final int STORED = 0;
  static final int DEFLATED = 8;

  private static final int HAS_DESCRIPTOR = 1 << 3;

  boolean isDeflated() {
    return method == DEFLATED;
  }

  /** Whether its sizes and checksum stand behind its data, as for archives written to a pipe. */
  boolean hasDescriptor() {
    return (flags & HAS_DESCRIPTOR) != 0;
  }

  ZipMember located(long start) {
    return new ZipMember(name, rawName, flags, method, crc, compressed, size, offset, start);
  }
}
