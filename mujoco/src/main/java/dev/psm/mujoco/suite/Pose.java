package dev.psm.mujoco.suite;

import dev.psm.core.env.PoseCoordinate;
import dev.psm.mujoco.ModelFacts;
import dev.psm.mujoco.Simulation;
import java.util.ArrayList;
import java.util.List;

/** The joints of a model as coordinates that pose it. Of free joints it takes the height alone. */
final class Pose {
  /** How far a slide without limits goes to either side, and how high a free body may be. */
  private static final double METRES = 2;

  private Pose() {}

  static List<PoseCoordinate> of(Simulation simulation) {
    ModelFacts model = simulation.facts();
    int joints = model.size("njnt");
    int[] types = model.ints("jnt_type", joints);
    int[] addresses = model.ints("jnt_qposadr", joints);
    boolean[] limited = model.flags("jnt_limited", joints);
    double[] ranges = model.doubles("jnt_range", 2 * joints);
    double[] start = model.doubles("qpos0", model.size("nq"));
    List<PoseCoordinate> pose = new ArrayList<>();
    for (int joint = 0; joint < joints; joint++) {
      int type = types[joint];
      int at = addresses[joint];
      String named = simulation.nameOf(Simulation.Kind.JOINT, joint);
      String name = named.isEmpty() ? "joint_" + joint : named;
      if (type == model.constant("mjJNT_FREE")) {
        int height = at + 2;
        pose.add(
            new PoseCoordinate(
                name + "_height",
                height,
                Math.min(0, start[height]),
                Math.max(METRES, 2 * start[height]),
                "m"));
      } else if (type != model.constant("mjJNT_BALL")) {
        boolean hinge = type == model.constant("mjJNT_HINGE");
        double reach = hinge ? Math.PI : METRES;
        double low = limited[joint] ? ranges[2 * joint] : -reach;
        double high = limited[joint] ? ranges[2 * joint + 1] : reach;
        pose.add(new PoseCoordinate(name, at, low, high, hinge ? "rad" : "m"));
      }
    }
    return List.copyOf(pose);
  }
}
