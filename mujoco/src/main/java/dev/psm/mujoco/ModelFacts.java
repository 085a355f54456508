package dev.psm.mujoco;

import com.sun.jna.Pointer;
import java.lang.ref.Reference;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What a compiled model fixes once: sizes, ranges, masses, shapes. Copies, taken when asked for;
 * the fields' names are {@code mjModel}'s own.
 */
public final class ModelFacts {
  private final Simulation owner;
  private final Layout layout;
  private final Pointer model;

  ModelFacts(Simulation owner, Layout layout, long model) {
    this.owner = owner;
    this.layout = layout;
    this.model = new Pointer(model);
  }

  /** A size, such as {@code nq}. */
  public int size(String field) {
    return read(() -> Math.toIntExact(layout.modelCount(model, field)));
  }

  /** An array of doubles, such as {@code body_mass}. */
  public double[] doubles(String field, int length) {
    return read(field, length, Double.BYTES, array -> array.getDoubleArray(0, length));
  }

  public float[] floats(String field, int length) {
    return read(field, length, Float.BYTES, array -> array.getFloatArray(0, length));
  }

  public int[] ints(String field, int length) {
    return read(field, length, Integer.BYTES, array -> array.getIntArray(0, length));
  }

  /** An array of truth values, which MuJoCo keeps as bytes, such as {@code jnt_limited}. */
  public boolean[] flags(String field, int length) {
    byte[] bytes = read(field, length, Byte.BYTES, array -> array.getByteArray(0, length));
    boolean[] flags = new boolean[length];
    for (int i = 0; i < length; i++) {
      flags[i] = bytes[i] != 0;
    }
    return flags;
  }

  /** Seconds per step of the engine. */
  public double timestep() {
    return read(() -> model.getDouble(layout.model("opt.timestep")));
  }

  /** Whether one of MuJoCo's optional features, such as {@code mjENBL_ENERGY}, is switched on. */
  public boolean enabled(String feature) {
    return read(() -> model.getInt(layout.model("opt.enableflags")) & constant(feature)) != 0;
  }

  /** The whole model as MuJoCo stores it in a file: the same bytes for the same model. */
  public byte[] bytes() {
    return read(
        () -> {
          long address = Pointer.nativeValue(model);
          byte[] bytes = new byte[Mujoco.mj_sizeModel(address)];
          Mujoco.mj_saveModel(address, null, bytes, bytes.length);
          return bytes;
        });
  }

  /** The value of one of MuJoCo's constants, such as {@code mjJNT_HINGE}. */
  public int constant(String name) {
    return layout.constant(name);
  }

  /** A wrong length is an error of the caller, and must not become one of memory. */
  private <T> T read(String field, int length, int width, Function<Pointer, T> array) {
    return read(
        () -> {
          long address = model.getLong(layout.model(field));
          if (!EngineMemory.holds(
              model.getLong(layout.model("buffer")),
              layout.modelCount(model, "nbuffer"),
              address,
              (long) length * width)) {
            throw new IllegalArgumentException(
                "mjModel.%s is no array of %d numbers".formatted(field, length));
          }
          return array.apply(new Pointer(address));
        });
  }

  private <T> T read(Supplier<T> facts) {
    owner.check();
    try {
      return facts.get();
    } finally {
      Reference.reachabilityFence(owner);
    }
  }
}
