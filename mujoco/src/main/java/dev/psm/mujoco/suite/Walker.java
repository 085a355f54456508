package dev.psm.mujoco.suite;

import static dev.psm.core.reward.Tolerance.tolerance;

import dev.psm.core.env.Plane;
import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.Readings;
import dev.psm.core.reward.Task;
import dev.psm.core.reward.Tolerance.Sigmoid;
import dev.psm.core.scene.Camera;
import dev.psm.mujoco.Simulation.Kind;
import dev.psm.mujoco.suite.RobotWorld.Habits;
import dev.psm.mujoco.suite.RobotWorld.Sizes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** The planar walker of dm_control: two legs and a torso in the vertical plane. */
final class Walker extends PlanarRobot {
  private static final List<String> BODIES =
      List.of(
          "torso", "right_thigh", "right_leg", "right_foot", "left_thigh", "left_leg", "left_foot");

  private static final int JOINTS_PER_LEG = 3;

  /** Where the torso's height and its pitch stand among positions; the joints come after. */
  private static final int HEIGHT = 0;

  private static final int PITCHED = 2;

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

  static final RobotWorld WORLD =
      new RobotWorld(
          "walker",
          "planar walker with two legs",
          new Sizes(24, 6, 0, 10, 0.025, 1000, 18),
          quantities(HINGES),
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
          new Habits(
              0.98,
              "upright * clip(velocity_x / 4, 0, 1)",
              new Plane("velocity_x", -3, 3, "torso_height", 0, 1.6)),
          Walker::new);

  private final int[] bodies =
      BODIES.stream().mapToInt(body -> simulation.id(Kind.BODY, body)).toArray();

  private final double standingHeight =
      simulation.facts().doubles("body_pos", 3 * simulation.facts().size("nbody"))[3 * torso + 2];

  Walker() {
    super(WORLD, HINGES);
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

  /** Joints turn against the pitch: each by as much as its body is pitched beyond the parent. */
  @Override
  public Optional<double[]> physicsFromObservation(float[] observations, int at) {
    int positions = simulation.qpos().size();
    double[] physics = new double[world().stateSize()];
    physics[HEIGHT] = observations[at + 2 * BODIES.size()] - standingHeight;
    physics[PITCHED] = pitch(observations, at, 0);
    for (int body = 1; body < BODIES.size(); body++) {
      int parent = (body - 1) % JOINTS_PER_LEG == 0 ? 0 : body - 1;
      double turned = pitch(observations, at, parent) - pitch(observations, at, body);
      physics[PITCHED + body] = Math.IEEEremainder(turned, 2 * Math.PI);
    }
    for (int i = 0; i < simulation.qvel().size(); i++) {
      physics[positions + i] = observations[at + 2 * BODIES.size() + 1 + i];
    }
    return Optional.of(physics);
  }

  private static double pitch(float[] observations, int at, int body) {
    return Math.atan2(observations[at + 2 * body + 1], observations[at + 2 * body]);
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
