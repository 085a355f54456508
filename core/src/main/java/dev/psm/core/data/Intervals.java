package dev.psm.core.data;

/**
 * Finds which of many consecutive intervals holds an index. Every sampled transition asks for its
 * episode and its chunk, so the answer for intervals of about one length takes a step or two: the
 * range is cut into equal buckets, and only the intervals that meet the bucket are searched. Some
 * intervals may be empty, but not all.
 */
public final class Intervals {
  private final long[] starts;
  private final int[] firstOfBucket;
  private final int shift;

  /**
   * @param starts where each interval begins, rising from 0, and then the end of the last
   */
  public Intervals(long[] starts) {
    this.starts = starts;
    long last = end() - 1;
    int bits = 0;
    while (last >>> bits >= 2L * count()) {
      bits++;
    }
    shift = bits;
    firstOfBucket = new int[(int) (last >>> shift) + 2];
    int interval = 0;
    for (int bucket = 0; bucket < firstOfBucket.length - 1; bucket++) {
      while (starts[interval + 1] <= (long) bucket << shift) {
        interval++;
      }
      firstOfBucket[bucket] = interval;
    }
    firstOfBucket[firstOfBucket.length - 1] = count() - 1;
  }

  public int count() {
    return starts.length - 1;
  }

  public long start(int interval) {
    return starts[interval];
  }

  /** The end of the last interval, which is the number of indices. */
  public long end() {
    return starts[starts.length - 1];
  }

  /** The one that holds an index. */
  public int of(long index) {
    int bucket = (int) (index >>> shift);
    int low = firstOfBucket[bucket];
    int high = firstOfBucket[bucket + 1];
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (starts[middle] <= index) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }
}
