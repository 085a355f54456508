package dev.psm.mujoco;

/**
 * The functions of MuJoCo that we call, bound directly by JNA: addresses travel as {@code long}, so
 * that a call costs no object. {@link MujocoLibrary} binds them before the first use.
 */
@SuppressWarnings("checkstyle:MethodName") // The names are MuJoCo's.
final class Mujoco {
  private Mujoco() {}

  static native int mj_version();

  static native long mj_loadXML(String file, long virtualFiles, byte[] error, int errorSize);

  static native long mj_copyModel(long destination, long source);

  static native int mj_sizeModel(long model);

  static native void mj_saveModel(long model, String file, byte[] buffer, int bufferSize);

  static native void mj_deleteModel(long model);

  static native long mj_makeData(long model);

  static native void mj_deleteData(long data);

  static native void mj_resetData(long model, long data);

  static native void mj_forward(long model, long data);

  static native void mj_step(long model, long data);

  static native void mj_step1(long model, long data);

  static native void mj_step2(long model, long data);

  static native int mj_name2id(long model, int type, String name);

  static native String mj_id2name(long model, int type, int id);

  static native void mj_objectVelocity(
      long model, long data, int type, int id, double[] rotationThenTranslation, int local);
}
