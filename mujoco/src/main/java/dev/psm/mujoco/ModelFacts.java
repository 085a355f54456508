package dev.psm.mujoco;

import com.sun.jna.Pointer;

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
    owner.check();
    return model.getInt(layout.model(field));
  }

  /** An array of doubles, such as {@code body_mass}. */
  public double[] doubles(String field, int length) {
    return length == 0 ? new double[0] : array(field).getDoubleArray(0, length);
  }

  public float[] floats(String field, int length) {
    return length == 0 ? new float[0] : array(field).getFloatArray(0, length);
  }

  public int[] ints(String field, int length) {
    return length == 0 ? new int[0] : array(field).getIntArray(0, length);
  }

  /** An array of truth values, which MuJoCo keeps as bytes, such as {@code jnt_limited}. */
  public boolean[] flags(String field, int length) {
    boolean[] flags = new boolean[length];
    for (int i = 0; i < length; i++) {
      flags[i] = array(field).getByte(i) != 0;
    }
    return flags;
  }

  /** Seconds per step of the engine. */
  public double timestep() {
    owner.check();
    return model.getDouble(layout.model("opt.timestep"));
  }

  /** The value of one of MuJoCo's constants, such as {@code mjJNT_HINGE}. */
  public int constant(String name) {
    return layout.constant(name);
  }

  private Pointer array(String field) {
    owner.check();
    return model.getPointer(layout.model(field));
  }
}
