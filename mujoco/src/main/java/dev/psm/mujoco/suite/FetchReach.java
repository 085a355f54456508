package dev.psm.mujoco.suite;

import dev.psm.core.env.EpisodeGoal;
import dev.psm.core.env.Plane;
import dev.psm.core.env.PoseCoordinate;
import dev.psm.core.env.Space;
import dev.psm.core.env.Volume;
import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.Task;
import dev.psm.core.scene.Camera;
import dev.psm.mujoco.ModelFacts;
import dev.psm.mujoco.Simulation.Kind;
import dev.psm.mujoco.suite.RobotWorld.Habits;
import dev.psm.mujoco.suite.RobotWorld.Sizes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Gymnasium-Robotics' FetchReach without meshes: an arm whose gripper is pulled about by a moving
 * weld, and a goal to hold it at.
 *
 * <p>There are no actuators. An action moves the weld's target relative to where the gripper is
 * now, so a held action moves about 3.3 cm a step and not 5.
 */
public final class FetchReach extends Domain {
  /** The name of the arm with vectors as actions; the one with numbered actions begins with it. */
  public static final String NAME = "fetchreach";

  private static final double REACH = 0.05;
  private static final double ACTION_METRES = 0.05;
  private static final double GOAL_RANGE = 0.15;
  private static final int SET_UP_STEPS = 200;
  private static final double[] BASE = {0.4049, 0.48, 0};
  private static final double[] SET_UP_OFFSET = {-0.498, 0.005, -0.431 + 0.2};
  private static final double[] POINTING_DOWN = {1, 0, 1, 0};
  private static final int POSITIONS = 15;
  private static final List<String> FEET = List.of("foot0", "foot1", "foot2");

  /** How many numbered actions there are: +x, +y, +z, −x, −y, −z. */
  public static final int DIRECTION_COUNT = 6;

  private static final List<Quantity> GRIPPER = vector("gripper", "m", "place of the gripper");
  private static final List<Quantity> VELOCITY =
      vector("velocity", "m/s", "velocity of the gripper");
  private static final List<Quantity> GOAL = vector("goal", "m", "place of the episode's goal");

  /** Where goals lie. The middle is where {@link #home} is; engines differ in its last digits. */
  private static final Volume GOALS =
      new Volume(
          "the cube of goals",
          List.of(
              goals(GRIPPER.get(0), 1.3418550217),
              goals(GRIPPER.get(1), 0.7491005081),
              goals(GRIPPER.get(2), 0.5347069462)),
          0.05);

  static final Quantity DISTANCE =
      new Quantity("distance_to_goal", "m", "distance from the gripper to the episode's goal");

  private static final Map<String, List<Quantity>> HINGES = new LinkedHashMap<>();

  static {
    for (String joint :
        List.of(
            "shoulder_pan",
            "shoulder_lift",
            "upperarm_roll",
            "elbow_flex",
            "forearm_roll",
            "wrist_flex",
            "wrist_roll")) {
      HINGES.put(joint + "_joint", hinge(joint, joint.replace('_', ' ') + " joint"));
    }
  }

  static final RobotWorld WORLD =
      world(NAME, "robot arm reaching for a goal", 0, () -> standard(false));

  static final RobotWorld DISCRETE_WORLD =
      world(
          NAME + "_discrete",
          "the same arm with six numbered actions: +x, +y, +z, -x, -y, -z",
          DIRECTION_COUNT,
          () -> standard(true));

  private final int gripperLink = simulation.id(Kind.BODY, "gripper_link");
  private final int grip = simulation.id(Kind.SITE, "grip");
  private final int rightFinger = finger("r");
  private final int leftFinger = finger("l");
  private final double[] siteVelocity = new double[6];
  private final double[] home = new double[3];
  private final double[] goal = new double[3];
  private final double[] startPhysics;
  private final double startTime;

  /**
   * The arm of those facts.
   *
   * @param baseOnFloor whether the base stands on the floor as the original's does; without it, the
   *     start and all that follows differ by up to a millimetre
   */
  private FetchReach(RobotWorld world, boolean baseOnFloor) {
    super(world, NAME);
    if (!baseOnFloor) {
      FEET.forEach(foot -> simulation.ignoreCollisions(simulation.id(Kind.GEOM, foot)));
    }
    for (int axis = 0; axis < 3; axis++) {
      int i = axis;
      publish(GRIPPER.get(i), () -> simulation.sitePositions().get(3 * grip + i));
      publish(VELOCITY.get(i), () -> velocity()[i]);
      publish(GOAL.get(i), () -> goal[i]);
    }
    publish(DISTANCE, this::distanceToGoal);
    HINGES.forEach((joint, quantities) -> publishHinge(quantities, joint));
    startPhysics = setUp();
    startTime = simulation.time();
  }

  /** A numbered action as a vector. */
  public static double[] direction(int action) {
    double[] direction = new double[4];
    direction[action % 3] = action < 3 ? 1 : -1;
    return direction;
  }

  private static FetchReach standard(boolean discrete) {
    return new FetchReach(discrete ? DISCRETE_WORLD : WORLD, true);
  }

  /** The arm with no contact between base and floor: the original with its meshes left out. */
  public static FetchReach withoutBaseContacts() {
    return new FetchReach(WORLD, false);
  }

  private static RobotWorld world(
      String name, String title, int discreteActions, Supplier<Domain> maker) {
    List<Quantity> all = new ArrayList<>(GRIPPER);
    all.addAll(VELOCITY);
    all.addAll(GOAL);
    all.add(DISTANCE);
    HINGES.values().forEach(all::addAll);
    return new RobotWorld(
        name,
        title,
        new Sizes(10, 4, discreteActions, 20, 0.04, 50, 2 * POSITIONS + 3),
        List.copyOf(all),
        GRIPPER,
        List.of(
            new Task(
                "reach",
                "0 within 5 cm of the goal, else -1",
                "distance_to_goal <= " + REACH + " ? 0 : -1",
                q -> q.get(DISTANCE) <= REACH ? 0 : -1),
            new Task(
                "reach_dense",
                "minus the distance to the goal",
                "-distance_to_goal",
                q -> -q.get(DISTANCE))),
        new Habits(
                0.98,
                "exp(-5 * distance(1.4, 0.8, 0.6))",
                new Plane("gripper_x", 1.0, 1.7, "gripper_y", 0.4, 1.1))
            .with(GOALS)
            .towards(new EpisodeGoal(GOAL, DISTANCE, REACH)),
        maker);
  }

  private static List<Quantity> vector(String name, String unit, String meaning) {
    return List.of(
        new Quantity(name + "_x", unit, meaning + ", away from the robot"),
        new Quantity(name + "_y", unit, meaning + ", to the robot's left"),
        new Quantity(name + "_z", unit, meaning + ", upward"));
  }

  private static Volume.Axis goals(Quantity quantity, double middle) {
    return new Volume.Axis(quantity.name(), middle - GOAL_RANGE, middle + GOAL_RANGE);
  }

  private int finger(String side) {
    ModelFacts model = simulation.facts();
    int id = simulation.id(Kind.JOINT, side + "_gripper_finger_joint");
    return model.ints("jnt_qposadr", model.size("njnt"))[id];
  }

  /** Gymnasium's set-up: the weld drags the gripper from its nominal place to above the table. */
  private double[] setUp() {
    simulation.reset();
    for (int i = 0; i < 3; i++) {
      simulation.qpos().set(i, BASE[i]);
    }
    simulation.forward();
    for (int i = 0; i < 3; i++) {
      simulation
          .mocapPosition()
          .set(i, simulation.sitePositions().get(3 * grip + i) + SET_UP_OFFSET[i]);
    }
    simulation.mocapQuaternion().setAll(POINTING_DOWN, 0);
    simulation.step(SET_UP_STEPS);
    simulation.sitePositions().copy(3 * grip, home, 0, 3);
    System.arraycopy(home, 0, goal, 0, 3);
    return physics();
  }

  /** Always the same posture; only the goal is drawn, from a cube of 30 cm about the gripper. */
  @Override
  public void start(RandomGenerator random) {
    randomize(random);
    start(startPhysics);
    simulation.setTime(startTime);
  }

  @Override
  protected void randomize(RandomGenerator random) {
    for (int i = 0; i < 3; i++) {
      startPhysics[2 * POSITIONS + i] = home[i] + uniform(random, -GOAL_RANGE, GOAL_RANGE);
    }
  }

  /** Gymnasium makes one forward pass only. */
  @Override
  public void start(double[] physics) {
    recall(physics, 0);
  }

  @Override
  protected void write(double[] physics, int at) {
    super.write(physics, at);
    System.arraycopy(physics, at + 2 * POSITIONS, goal, 0, 3);
  }

  /** {@code qpos, qvel} and the goal. */
  @Override
  public double[] physics() {
    double[] physics = super.physics();
    System.arraycopy(goal, 0, physics, 2 * POSITIONS, 3);
    return physics;
  }

  /** The arm's hinges: the base stands still, and the fingers are blocked. */
  @Override
  public List<PoseCoordinate> pose() {
    return super.pose().stream().filter(each -> HINGES.containsKey(each.name())).toList();
  }

  /** Where the gripper is after set-up: the middle of the goals. */
  public double[] home() {
    return home.clone();
  }

  public double[] goal() {
    return goal.clone();
  }

  @Override
  public void replaceGoal(double[] wanted) {
    System.arraycopy(wanted, 0, goal, 0, goal.length);
  }

  /** Controls move the gripper's target, not actuators. */
  @Override
  public int controlSize() {
    return direction(0).length;
  }

  @Override
  public void toControls(float[] action, double[] controls) {
    if (world().actionSpace() instanceof Space.Discrete) {
      int number = (int) action[0];
      if (number != action[0] || number < 0 || number >= DIRECTION_COUNT) {
        throw new IllegalArgumentException(
            "actions are numbered from 0 to %d, found %s"
                .formatted(DIRECTION_COUNT - 1, action[0]));
      }
      System.arraycopy(direction(number), 0, controls, 0, controls.length);
      return;
    }
    for (int i = 0; i < controls.length; i++) {
      controls[i] = action[i];
    }
  }

  /** The fourth number would close the gripper, which is blocked for reaching. */
  @Override
  public boolean advance(double[] action) {
    for (int i = 0; i < 3; i++) {
      double clipped = Math.max(-1, Math.min(1, action[i]));
      simulation
          .mocapPosition()
          .set(i, simulation.bodyPositions().get(3 * gripperLink + i) + ACTION_METRES * clipped);
    }
    for (int i = 0; i < 4; i++) {
      // Not a rotation but a sum, as the original has it: it pulls the gripper back to pointing
      // down.
      simulation
          .mocapQuaternion()
          .set(i, simulation.bodyQuaternions().get(4 * gripperLink + i) + POINTING_DOWN[i]);
    }
    boolean stable = simulation.step(substeps());
    simulation.qpos().set(rightFinger, 0);
    simulation.qpos().set(leftFinger, 0);
    simulation.forward();
    return stable;
  }

  @Override
  public void observe(double[] observation) {
    double dt = world().stepSeconds();
    double[] velocity = velocity();
    simulation.sitePositions().copy(3 * grip, observation, 0, 3);
    observation[3] = simulation.qpos().get(rightFinger);
    observation[4] = simulation.qpos().get(leftFinger);
    for (int i = 0; i < 3; i++) {
      observation[5 + i] = velocity[i] * dt;
    }
    // Every joint has one degree of freedom, so positions and velocities share their addresses.
    observation[8] = simulation.qvel().get(rightFinger) * dt;
    observation[9] = simulation.qvel().get(leftFinger) * dt;
  }

  private double[] velocity() {
    simulation.siteVelocity(grip, siteVelocity);
    return new double[] {siteVelocity[3], siteVelocity[4], siteVelocity[5]};
  }

  private double distanceToGoal() {
    double squared = 0;
    for (int i = 0; i < 3; i++) {
      double difference = simulation.sitePositions().get(3 * grip + i) - goal[i];
      squared += difference * difference;
    }
    return Math.sqrt(squared);
  }

  @Override
  public double[] focus() {
    return new double[] {1.3, 0.75, 0.55};
  }

  @Override
  public Camera camera(double[] focus) {
    return Camera.free(focus, 2.5, 132, -14);
  }

  @Override
  public double[] target(Task task) {
    return goal();
  }
}
