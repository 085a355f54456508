package dev.psm.mujoco.suite;

import static dev.psm.core.reward.Tolerance.tolerance;

import dev.psm.core.render.Camera;
import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.Readings;
import dev.psm.core.reward.Task;
import dev.psm.core.reward.Tolerance.Sigmoid;
import dev.psm.mujoco.Simulation.Kind;
import dev.psm.mujoco.View;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/** The planar walker of dm_control: two legs and a torso in the vertical plane. */
final class Walker extends Domain {
  private static final List<String> BODIES =
      List.of(
          "torso", "right_thigh", "right_leg", "right_foot", "left_thigh", "left_leg", "left_foot");

  static final Quantity TORSO_HEIGHT =
      new Quantity(
          "torso_height", "m", "height of the torso's centre; 1.3 when it stands straight");
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
  private static final Quantity COM_X =
      new Quantity("com_x", "m", "how far forward the centre of mass is");
  private static final Quantity COM_HEIGHT =
      new Quantity("com_height", "m", "height of the centre of mass");
  private static final Quantity PITCH =
      new Quantity("pitch", "rad", "angle of the torso, growing as it tips forward; not wrapped");
  private static final Quantity PITCH_VELOCITY =
      new Quantity("pitch_velocity", "rad/s", "angular velocity of the torso");

  private static final Map<String, List<Quantity>> HINGES = new LinkedHashMap<>();

  static {
    for (String side : List.of("right", "left")) {
      for (String joint : List.of("hip", "knee", "ankle")) {
        HINGES.put(side + "_" + joint, hinge(side + "_" + joint, side + " " + joint));
      }
    }
  }

  private static final String STANDING =
      "(3 * tolerance(torso_height, 1.2, inf, 0.6) + (1 + upright) / 2) / 4";

  static final DomainFacts FACTS =
      new DomainFacts(
          "walker",
          "planar walker with two legs",
          24,
          6,
          0,
          10,
          0.025,
          1000,
          18,
          quantities(),
          List.of(),
          List.of(
              new Task("stand", "torso high and upright", STANDING, Walker::standing),
              new Task(
                  "walk",
                  "stand while moving forward at 1 m/s or more",
                  STANDING + " * ((5 * tolerance(velocity_x, 1, inf, 0.5, 0.5, linear) + 1) / 6)",
                  q ->
                      standing(q)
                          * mostly(
                              tolerance(q.get(VELOCITY_X), 1, inf(), 0.5, 0.5, Sigmoid.LINEAR))),
              new Task(
                  "run",
                  "stand while moving forward at 8 m/s or more",
                  STANDING + " * ((5 * tolerance(velocity_x, 8, inf, 4, 0.5, linear) + 1) / 6)",
                  q ->
                      standing(q)
                          * mostly(tolerance(q.get(VELOCITY_X), 8, inf(), 4, 0.5, Sigmoid.LINEAR))),
              new Task(
                  "flip",
                  "stand while tipping forward with angular momentum 5 or more",
                  STANDING + " * ((5 * tolerance(angular_momentum, 5, inf, 5, 0, linear) + 1) / 6)",
                  q ->
                      standing(q)
                          * mostly(
                              tolerance(q.get(ANGULAR_MOMENTUM), 5, inf(), 5, 0, Sigmoid.LINEAR)))),
          Walker::new);

  private final int torso = simulation.id(Kind.BODY, "torso");
  private final int[] bodies =
      BODIES.stream().mapToInt(body -> simulation.id(Kind.BODY, body)).toArray();

  Walker() {
    super(FACTS, FACTS.name());
    View position = simulation.bodyPositions();
    View rotation = simulation.bodyRotations();
    publish(TORSO_HEIGHT, () -> position.get(3 * torso + 2));
    publish(UPRIGHT, () -> rotation.get(9 * torso + 8));
    // A subtree sensor in the model makes the engine fill both of these at every step.
    publish(VELOCITY_X, () -> simulation.subtreeVelocities().get(3 * torso));
    publish(VELOCITY_Z, () -> simulation.subtreeVelocities().get(3 * torso + 2));
    publish(ANGULAR_MOMENTUM, () -> simulation.subtreeAngularMomenta().get(3 * torso + 1));
    publish(COM_X, () -> simulation.subtreeCentres().get(3 * torso));
    publish(COM_HEIGHT, () -> simulation.subtreeCentres().get(3 * torso + 2));
    publish(PITCH, () -> simulation.qpos().get(2));
    publish(PITCH_VELOCITY, () -> simulation.qvel().get(2));
    HINGES.forEach((joint, quantities) -> publishHinge(quantities, joint));
  }

  private static List<Quantity> quantities() {
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
    HINGES.values().forEach(all::addAll);
    return List.copyOf(all);
  }

  private static double standing(Readings q) {
    double high = tolerance(q.get(TORSO_HEIGHT), 1.2, inf(), 0.6);
    double upright = (1 + q.get(UPRIGHT)) / 2;
    return (3 * high + upright) / 4;
  }

  /** A sixth is paid for standing alone, the rest for moving. */
  private static double mostly(double moving) {
    return (5 * moving + 1) / 6;
  }

  private static double inf() {
    return Double.POSITIVE_INFINITY;
  }

  /**
   * Any posture the joints allow, turned by any angle, at the nominal height; may touch the floor.
   */
  @Override
  protected void randomize(RandomGenerator random) {
    randomizeLimitedJoints(random, true);
  }

  /** Each body's pitch as cosine and sine, the torso's height, all velocities. */
  @Override
  public void observe(double[] observation) {
    int at = 0;
    for (int body : bodies) {
      observation[at++] = simulation.bodyRotations().get(9 * body);
      observation[at++] = simulation.bodyRotations().get(9 * body + 2);
    }
    observation[at++] = simulation.bodyPositions().get(3 * torso + 2);
    simulation.qvel().copy(0, observation, at, simulation.qvel().size());
  }

  @Override
  public double[] focus() {
    return new double[] {simulation.bodyPositions().get(3 * torso), 0, 0.95};
  }

  @Override
  public Camera camera(double[] focus) {
    return Camera.free(focus, 4.2, 75, -8);
  }
}
