package dev.psm.core.env;

import java.util.Arrays;

/** The set an observation or an action comes from. */
public sealed interface Space {
  /** The integers 0 to {@code count} − 1. */
  record Discrete(int count) implements Space {
    public Discrete {
      if (count < 1) {
        throw new IllegalArgumentException("a discrete space needs at least one element");
      }
    }
  }

  /** Vectors bounded on each axis; a bound may be infinite. */
  @SuppressWarnings("ArrayRecordComponent")
  record Box(float[] low, float[] high) implements Space {
    public Box {
      if (low.length != high.length) {
        throw new IllegalArgumentException(
            "%d lower bounds but %d upper ones".formatted(low.length, high.length));
      }
      low = low.clone();
      high = high.clone();
    }

    /** The same bounds on every axis. */
    public static Box uniform(float low, float high, int size) {
      float[] lows = new float[size];
      float[] highs = new float[size];
      Arrays.fill(lows, low);
      Arrays.fill(highs, high);
      return new Box(lows, highs);
    }

    /** For sentences: an array by itself would say where it lies in memory. */
    @Override
    public String toString() {
      return "vectors from %s to %s".formatted(Arrays.toString(low), Arrays.toString(high));
    }

    /** Number of axes. */
    public int size() {
      return low.length;
    }

    public boolean contains(float[] vector) {
      if (vector.length != low.length) {
        return false;
      }
      for (int i = 0; i < vector.length; i++) {
        if (!(vector[i] >= low[i] && vector[i] <= high[i])) {
          return false;
        }
      }
      return true;
    }
  }
}
