package dev.psm.mujoco.suite;

import dev.psm.core.reward.Quantity;
import dev.psm.mujoco.Simulation.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A robot that lives in the vertical plane: its torso slides along x and z and turns about y, and
 * what can be measured in it is the same for every such robot.
 */
abstract class PlanarRobot extends Domain {
  static final Quantity TORSO_HEIGHT =
      new Quantity("torso_height", "m", "height of the torso's centre");
  static final Quantity UPRIGHT =
      new Quantity("upright", "1", "cosine of the torso's tilt: 1 upright, -1 upside down");
  static final Quantity VELOCITY_X =
      new Quantity("velocity_x", "m/s", "forward velocity of the centre of mass");
  static final Quantity VELOCITY_Z =
      new Quantity("velocity_z", "m/s", "upward velocity of the centre of mass");
  static final Quantity ANGULAR_MOMENTUM =
      new Quantity(
          "angular_momentum",
          "kg m^2/s",
          "angular momentum about the centre of mass; positive when it tips forward");
  static final Quantity COM_X = new Quantity("com_x", "m", "how far forward the centre of mass is");
  static final Quantity COM_HEIGHT =
      new Quantity("com_height", "m", "height of the centre of mass");
  static final Quantity PITCH =
      new Quantity("pitch", "rad", "angle of the torso, growing as it tips forward; not wrapped");
  static final Quantity PITCH_VELOCITY =
      new Quantity("pitch_velocity", "rad/s", "angular velocity of the torso");

  /** Where the torso's turn stands among positions and among velocities; slides come first. */
  private static final int TURN = 2;

  protected final int torso = simulation.id(Kind.BODY, "torso");
  private final int run = simulation.id(Kind.JOINT, "rootx");

  /**
   * Compiles the model.
   *
   * @param hinges the quantities of each joint, by the joint's name
   */
  PlanarRobot(RobotWorld world, Map<String, List<Quantity>> hinges) {
    super(world, world.name());
    publish(TORSO_HEIGHT, () -> simulation.bodyPositions().get(3 * torso + 2));
    publish(UPRIGHT, () -> simulation.bodyRotations().get(9 * torso + 8));
    // A subtree sensor in the model makes the engine fill velocities and momenta at every step.
    publish(VELOCITY_X, () -> simulation.subtreeVelocities().get(3 * torso));
    publish(VELOCITY_Z, () -> simulation.subtreeVelocities().get(3 * torso + 2));
    publish(ANGULAR_MOMENTUM, () -> simulation.subtreeAngularMomenta().get(3 * torso + 1));
    publish(COM_X, () -> simulation.subtreeCentres().get(3 * torso));
    publish(COM_HEIGHT, () -> simulation.subtreeCentres().get(3 * torso + 2));
    publish(PITCH, () -> simulation.qpos().get(TURN));
    publish(PITCH_VELOCITY, () -> simulation.qvel().get(TURN));
    hinges.forEach((joint, quantities) -> publishHinge(quantities, joint));
  }

  /** Observations say nothing of how far it ran. */
  @Override
  public final void alignUnobserved(double[] physics) {
    physics[run] = simulation.qpos().get(run);
  }

  /** What every such robot publishes, and its joints. */
  static List<Quantity> quantities(Map<String, List<Quantity>> hinges) {
    List<Quantity> all =
        new ArrayList<>(
            List.of(
                TORSO_HEIGHT,
                UPRIGHT,
                VELOCITY_X,
                VELOCITY_Z,
                ANGULAR_MOMENTUM,
                COM_X,
                COM_HEIGHT,
                PITCH,
                PITCH_VELOCITY));
    hinges.values().forEach(all::addAll);
    return List.copyOf(all);
  }
}
