package dev.psm.mujoco.mjcf;

import dev.psm.mujoco.ModelFacts;
import java.util.ArrayList;
import java.util.List;

/**
 * How far a hinge or slide goes.
 *
 * @param address of its position
 * @param low infinite, as {@code high} is, where the joint has no limits
 */
record JointLimits(int address, double low, double high) {

  static List<JointLimits> of(ModelFacts model) {
    int count = model.size("njnt");
    int[] types = model.ints("jnt_type", count);
    int[] addresses = model.ints("jnt_qposadr", count);
    boolean[] limited = model.flags("jnt_limited", count);
    double[] ranges = model.doubles("jnt_range", 2 * count);
    List<JointLimits> limits = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      if (types[i] == model.constant("mjJNT_HINGE") || types[i] == model.constant("mjJNT_SLIDE")) {
        limits.add(
            limited[i]
                ? new JointLimits(addresses[i], ranges[2 * i], ranges[2 * i + 1])
                : new JointLimits(
                    addresses[i], Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY));
      }
    }
    return limits;
  }
}
