package dev.psm.mujoco.suite;

import java.util.Arrays;

/**
 * Undoes the engine's normalising of quaternions, so that a stored state can be restored exactly.
 *
 * <p>Before 3.2 the engine normalises them in place whenever it looks at them, and twice is not the
 * same as once: of quaternions that it has normalised, every sixth would move by a bit if it did so
 * again.
 */
final class Quaternions {
  private static final int SCALES = 20_000;
  private static final double GOLDEN = (Math.sqrt(5) - 1) / 2;

  private Quaternions() {}

  /**
   * Replaces four numbers from {@code at} on by others that the engine normalises to exactly them;
   * leaves them alone if it finds none, as when they never were normalised.
   *
   * <p>Many multiples of a quaternion are tried, each mended by single bits towards its aim. The
   * first few do for most; one in some hundred thousand has none among all.
   */
  static void denormalise(double[] numbers, int at) {
    double[] aim = Arrays.copyOfRange(numbers, at, at + 4);
    double[] found = aim.clone();
    for (int k = 1; !normalisesTo(found, aim); k++) {
      if (k == SCALES || Math.abs(norm(aim) - 1) > 1e-12) {
        return;
      }
      double scale = 1 + k * GOLDEN % 1;
      for (int i = 0; i < 4; i++) {
        found[i] = aim[i] * scale;
      }
      mend(found, aim);
      mend(found, aim);
    }
    System.arraycopy(found, 0, numbers, at, 4);
  }

  private static boolean normalisesTo(double[] quaternion, double[] aim) {
    double inverse = 1 / norm(quaternion);
    boolean same = true;
    for (int i = 0; i < 4; i++) {
      same &= quaternion[i] * inverse == aim[i];
    }
    return same;
  }

  private static void mend(double[] quaternion, double[] aim) {
    double inverse = 1 / norm(quaternion);
    for (int i = 0; i < 4; i++) {
      double missing = aim[i] - quaternion[i] * inverse;
      quaternion[i] += Math.signum(missing) * Math.ulp(quaternion[i]);
    }
  }

  /** In the engine's own order of operations. */
  private static double norm(double[] q) {
    return Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  }
}
