package dev.psm.spark;

import dev.psm.lab.Progress;
import java.util.function.DoubleConsumer;

/**
 * Progress that is told to somebody far away, as a share of the whole.
 *
 * @param told by whatever thread does the work
 */
record ShareOfProgress(DoubleConsumer told) implements Progress {
  @Override
  public Bar start(String label, long total) {
    return new Bar() {
      @Override
      public void update(long done, String note) {
        told.accept((double) done / Math.max(1, total));
      }

      @Override
      public void close() {}
    };
  }
}
