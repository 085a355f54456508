package dev.psm.mujoco;

import java.lang.ref.Reference;
import java.nio.DoubleBuffer;

/**
 * One of MuJoCo's arrays, read and written in place.
 *
 * <p>It looks straight at native memory, so every access first asks the simulation whether that
 * memory is still there and this thread may touch it.
 */
public final class View {
  private final Simulation owner;
  private final DoubleBuffer memory;

  View(Simulation owner, DoubleBuffer memory) {
    this.owner = owner;
    this.memory = memory;
  }

  public int size() {
    return memory.capacity();
  }

  public double get(int index) {
    owner.check();
    try {
      return memory.get(index);
    } finally {
      Reference.reachabilityFence(owner);
    }
  }

  public void set(int index, double value) {
    owner.check();
    try {
      memory.put(index, value);
    } finally {
      Reference.reachabilityFence(owner);
    }
  }

  /** Copies {@code length} numbers from {@code from} on into {@code target}. */
  public void copy(int from, double[] target, int at, int length) {
    owner.check();
    try {
      memory.get(from, target, at, length);
    } finally {
      Reference.reachabilityFence(owner);
    }
  }

  /** Copies {@code length} numbers from {@code from} on, rounded to float32. */
  public void copy(int from, float[] target, int at, int length) {
    owner.check();
    try {
      for (int i = 0; i < length; i++) {
        target[at + i] = (float) memory.get(from + i);
      }
    } finally {
      Reference.reachabilityFence(owner);
    }
  }

  public double[] toArray() {
    double[] copy = new double[size()];
    copy(0, copy, 0, copy.length);
    return copy;
  }

  /** Overwrites the whole array with {@code values} from {@code at} on. */
  public void setAll(double[] values, int at) {
    owner.check();
    try {
      memory.put(0, values, at, size());
    } finally {
      Reference.reachabilityFence(owner);
    }
  }
}
