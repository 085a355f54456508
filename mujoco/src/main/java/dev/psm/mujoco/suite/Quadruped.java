package dev.psm.mujoco.suite;

import static dev.psm.core.reward.Tolerance.tolerance;

import dev.psm.core.env.Plane;
import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.Readings;
import dev.psm.core.reward.Task;
import dev.psm.core.reward.Tolerance.Sigmoid;
import dev.psm.core.scene.Camera;
import dev.psm.mujoco.ModelFacts;
import dev.psm.mujoco.MujocoException;
import dev.psm.mujoco.Simulation.Kind;
import dev.psm.mujoco.View;
import dev.psm.mujoco.suite.RobotWorld.Habits;
import dev.psm.mujoco.suite.RobotWorld.Sizes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/** The quadruped of dm_control: a free body on four legs, driven through filtered servos. */
final class Quadruped extends Domain {
  private static final int ROOT_POSITIONS = 7;
  private static final int ROOT_VELOCITIES = 6;
  private static final int HEIGHT_ATTEMPTS = 10_000;
  private static final double HEIGHT_STEP = 0.01;

  static final Quantity UPRIGHT =
      new Quantity("upright", "1", "cosine of the torso's tilt: 1 upright, -1 upside down");
  static final Quantity VELOCITY_X =
      new Quantity("velocity_x", "m/s", "velocity of the torso along its own forward axis");
  private static final Quantity VELOCITY_Y =
      new Quantity("velocity_y", "m/s", "velocity of the torso along its own left axis");
  private static final Quantity VELOCITY_Z =
      new Quantity("velocity_z", "m/s", "velocity of the torso along its own up axis");
  static final Quantity COM_HEIGHT =
      new Quantity("com_height", "m", "height of the centre of mass");
  private static final Quantity TORSO_X = new Quantity("torso_x", "m", "the torso's place, x");
  private static final Quantity TORSO_Y = new Quantity("torso_y", "m", "the torso's place, y");
  private static final Quantity TORSO_HEIGHT =
      new Quantity("torso_height", "m", "height of the torso's centre; 0.57 in the nominal pose");
  private static final Quantity ROLL_VELOCITY =
      new Quantity("roll_velocity", "rad/s", "angular velocity about the torso's forward axis");
  private static final Quantity PITCH_VELOCITY =
      new Quantity("pitch_velocity", "rad/s", "angular velocity about the torso's left axis");
  private static final Quantity YAW_VELOCITY =
      new Quantity("yaw_velocity", "rad/s", "angular velocity about the torso's up axis");

  private static final Map<String, List<Quantity>> HINGES = new LinkedHashMap<>();
  private static final Map<String, Quantity> TOES = new LinkedHashMap<>();

  static {
    for (String leg : List.of("front_left", "front_right", "back_right", "back_left")) {
      String words = leg.replace('_', ' ');
      for (String joint : List.of("yaw", "pitch", "knee", "ankle")) {
        HINGES.put(joint + "_" + leg, hinge(joint + "_" + leg, words + " leg's " + joint));
      }
      TOES.put(
          "toe_" + leg,
          new Quantity("toe_" + leg + "_height", "m", "height of the " + words + " toe's centre"));
    }
  }

  private static final String STANDING = "tolerance(upright, 1, inf, 2, 0, linear)";

  static final RobotWorld WORLD =
      new RobotWorld(
          "quadruped",
          "four-legged body in three dimensions",
          new Sizes(78, 12, 0, 4, 0.02, 1000, 57),
          quantities(),
          List.of(TORSO_X, TORSO_Y),
          List.of(
              new Task("stand", "torso upright", STANDING, Quadruped::standing),
              new Task(
                  "walk",
                  "upright and moving forward, in full at 0.5 m/s",
                  STANDING + " * tolerance(velocity_x, 0.5, inf, 0.5, 0.5, linear)",
                  q -> standing(q) * moving(q, 0.5)),
              new Task(
                  "run",
                  "upright and moving forward, in full at 5 m/s",
                  STANDING + " * tolerance(velocity_x, 5, inf, 5, 0.5, linear)",
                  q -> standing(q) * moving(q, 5)),
              new Task(
                  "jump",
                  "upright with the centre of mass high, in full at 1 m",
                  STANDING + " * tolerance(com_height, 1, inf, 1, 0.5, linear)",
                  q ->
                      standing(q)
                          * tolerance(
                              q.get(COM_HEIGHT),
                              1,
                              Double.POSITIVE_INFINITY,
                              1,
                              0.5,
                              Sigmoid.LINEAR))),
          new Habits(
              0.98,
              "(1 + upright) / 2 * tolerance(distance(3, 0), 0, 0.5, 3)",
              new Plane("velocity_x", -2, 2, "upright", -1, 1)),
          Quadruped::new);

  private final int torso = simulation.id(Kind.BODY, "torso");
  private final View sensors = simulation.sensors();
  private final int accelerometer = sensor("imu_accel");
  private final int gyro = sensor("imu_gyro");
  private final int velocimeter = sensor("velocimeter");
  private final int toeForces = sensor("force_toe_front_left");

  Quadruped() {
    super(WORLD, WORLD.name());
    int centre = sensor("center_of_mass");
    publish(UPRIGHT, () -> simulation.bodyRotations().get(9 * torso + 8));
    publish(VELOCITY_X, () -> sensors.get(velocimeter));
    publish(VELOCITY_Y, () -> sensors.get(velocimeter + 1));
    publish(VELOCITY_Z, () -> sensors.get(velocimeter + 2));
    publish(COM_HEIGHT, () -> sensors.get(centre + 2));
    publish(TORSO_X, () -> simulation.bodyPositions().get(3 * torso));
    publish(TORSO_Y, () -> simulation.bodyPositions().get(3 * torso + 1));
    publish(TORSO_HEIGHT, () -> simulation.bodyPositions().get(3 * torso + 2));
    publish(ROLL_VELOCITY, () -> sensors.get(gyro));
    publish(PITCH_VELOCITY, () -> sensors.get(gyro + 1));
    publish(YAW_VELOCITY, () -> sensors.get(gyro + 2));
    HINGES.forEach((joint, quantities) -> publishHinge(quantities, joint));
    TOES.forEach(
        (body, quantity) -> {
          int id = simulation.id(Kind.BODY, body);
          publish(quantity, () -> simulation.bodyPositions().get(3 * id + 2));
        });
  }

  private int sensor(String name) {
    ModelFacts model = simulation.facts();
    return model.ints("sensor_adr", model.size("nsensor"))[simulation.id(Kind.SENSOR, name)];
  }

  private static List<Quantity> quantities() {
    List<Quantity> all =
        new ArrayList<>(
            List.of(
                UPRIGHT,
                VELOCITY_X,
                VELOCITY_Y,
                VELOCITY_Z,
                COM_HEIGHT,
                TORSO_X,
                TORSO_Y,
                TORSO_HEIGHT,
                ROLL_VELOCITY,
                PITCH_VELOCITY,
                YAW_VELOCITY));
    all.addAll(TOES.values());
    HINGES.values().forEach(all::addAll);
    return List.copyOf(all);
  }

  private static double standing(Readings q) {
    return tolerance(q.get(UPRIGHT), 1, Double.POSITIVE_INFINITY, 2, 0, Sigmoid.LINEAR);
  }

  private static double moving(Readings q, double full) {
    return tolerance(q.get(VELOCITY_X), full, Double.POSITIVE_INFINITY, full, 0.5, Sigmoid.LINEAR);
  }

  /** Any orientation, just high enough that nothing touches. */
  @Override
  protected void randomize(RandomGenerator random) {
    double[] quaternion = new double[4];
    double squared = 0;
    for (int i = 0; i < 4; i++) {
      quaternion[i] = random.nextGaussian();
      squared += quaternion[i] * quaternion[i];
    }
    for (int i = 0; i < 4; i++) {
      quaternion[i] /= Math.sqrt(squared);
    }
    findHeight(quaternion);
  }

  /** Lifts the body in steps of a centimetre, as dm_control does, until no contact is left. */
  void findHeight(double[] quaternion) {
    double height = 0;
    for (int attempt = 0; attempt < HEIGHT_ATTEMPTS; attempt++) {
      simulation.reset();
      simulation.forwardPassive();
      simulation.qpos().set(2, height);
      for (int i = 0; i < 4; i++) {
        simulation.qpos().set(3 + i, quaternion[i]);
      }
      simulation.forwardPassive();
      if (simulation.contacts() == 0) {
        return;
      }
      height += HEIGHT_STEP;
    }
    throw new MujocoException("no height without contact was found for the quadruped");
  }

  /** Angles, velocities, activations, then what the torso's and the toes' sensors feel. */
  @Override
  public void observe(double[] observation) {
    int hinges = simulation.qvel().size() - ROOT_VELOCITIES;
    int at = 0;
    simulation.qpos().copy(ROOT_POSITIONS, observation, at, hinges);
    at += hinges;
    simulation.qvel().copy(ROOT_VELOCITIES, observation, at, hinges);
    at += hinges;
    simulation.act().copy(0, observation, at, simulation.act().size());
    at += simulation.act().size();
    sensors.copy(velocimeter, observation, at, 3);
    at += 3;
    observation[at++] = simulation.bodyRotations().get(9 * torso + 8);
    sensors.copy(accelerometer, observation, at, 3);
    sensors.copy(gyro, observation, at + 3, 3);
    at += 6;
    // Forces of four toes, then their torques.
    for (int i = 0; i < 24; i++) {
      observation[at++] = asinh(sensors.get(toeForces + i));
    }
  }

  @Override
  public boolean observesState(int number) {
    // As observe writes them: 24 numbers of the toes come last, after accelerometer and gyro.
    int toes = world().observationSize() - 24;
    return number < toes - 6 || (number >= toes - 3 && number < toes);
  }

  private static double asinh(double x) {
    double size = Math.abs(x);
    // log1p keeps the digits of a small force, where log(x + sqrt(x² + 1)) loses them.
    return Math.copySign(Math.log1p(size + size * size / (1 + Math.sqrt(size * size + 1))), x);
  }

  /** Observations say nothing of its place and its heading. */
  @Override
  public void alignUnobserved(double[] physics) {
    double[] own = simulation.qpos().toArray();
    physics[0] = own[0];
    physics[1] = own[1];
    double half = (heading(own) - heading(physics)) / 2;
    double cos = Math.cos(half);
    double sin = Math.sin(half);
    double[] q = Arrays.copyOfRange(physics, 3, ROOT_POSITIONS);
    physics[3] = cos * q[0] - sin * q[3];
    physics[4] = cos * q[1] - sin * q[2];
    physics[5] = cos * q[2] + sin * q[1];
    physics[6] = cos * q[3] + sin * q[0];
  }

  private static double heading(double[] positions) {
    double w = positions[3];
    double x = positions[4];
    double y = positions[5];
    double z = positions[6];
    return Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z));
  }

  @Override
  public double[] focus() {
    return new double[] {get(TORSO_X), get(TORSO_Y), 0.4};
  }

  @Override
  public Camera camera(double[] focus) {
    return Camera.free(focus, 3.6, 140, -22);
  }
}
