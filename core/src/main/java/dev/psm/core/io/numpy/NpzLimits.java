package dev.psm.core.io.numpy;

/**
 * How much a file may ask for. A small file can honestly inflate to a large array of zeros, so no
 * ratio tells a bomb from data; the caller knows what it came for and says so.
 *
 * @param arrayBytes the most memory for one array read whole, as a Java array; streams of rows have
 *     no such limit and keep about 128 KiB whatever the file says
 * @param totalBytes the most that all arrays of a file may inflate to
 * @param entries the most arrays in a file
 */
public record NpzLimits(long arrayBytes, long totalBytes, int entries) {
  public static final NpzLimits DEFAULT = new NpzLimits(1L << 30, 1L << 38, 4096);

  public NpzLimits {
    if (arrayBytes < 0 || totalBytes < 0 || entries < 0) {
      throw new IllegalArgumentException("limits are not negative");
    }
  }
}
