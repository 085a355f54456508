package dev.psm.mujoco.suite;

import dev.psm.core.env.PoseCoordinate;
import dev.psm.core.env.World;
import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.Readings;
import dev.psm.core.reward.Task;
import dev.psm.core.scene.Camera;
import dev.psm.core.scene.Look;
import dev.psm.mujoco.ModelFacts;
import dev.psm.mujoco.Simulation;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * A robot in its world: how it starts, moves and is seen, and what can be measured in it.
 *
 * <p>The defaults are the control suite's protocol; a domain overrides what it does differently.
 * Like its simulation, a domain belongs to one thread.
 */
public abstract class Domain implements Readings, AutoCloseable {
  private final World world;
  private final int substeps;
  private final double[] controlRange;
  private final double[] noControls;
  private final int[] quaternions;
  private final Map<Quantity, DoubleSupplier> gauges = new HashMap<>();
  protected final Simulation simulation;

  /** Compiles the model of that name in {@code models/}. */
  protected Domain(RobotWorld world, String model) {
    this(world, world.sizes().substeps(), new Simulation(world.name(), resource(model)));
  }

  /**
   * Takes a simulation over, and closes it with itself.
   *
   * @param substeps engine steps per control step
   */
  protected Domain(World world, int substeps, Simulation simulation) {
    this.world = world;
    this.substeps = substeps;
    this.simulation = simulation;
    int actuators = simulation.facts().size("nu");
    this.quaternions = quaternions(simulation.facts());
    this.noControls = new double[actuators];
    this.controlRange = simulation.facts().doubles("actuator_ctrlrange", 2 * actuators);
  }

  private static String resource(String name) {
    try (InputStream in = Simulation.class.getResourceAsStream("models/" + name + ".xml")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the " + name + " model", e);
    }
  }

  public final World world() {
    return world;
  }

  /** Engine steps per control step. */
  public final int substeps() {
    return substeps;
  }

  public final Simulation simulation() {
    return simulation;
  }

  /** Draws a start state by the domain's own rule and makes it ready to observe. */
  public void start(RandomGenerator random) {
    simulation.reset();
    simulation.forwardPassive();
    randomize(random);
    simulation.forwardPassive();
  }

  /** Writes a random start state; the simulation was just reset. */
  protected abstract void randomize(RandomGenerator random);

  /** Starts from a given state, as if the domain's own rule had drawn it. */
  public void start(double[] physics) {
    simulation.reset();
    // Also where the constraint solver starts from depends on the order of these calls.
    simulation.forwardPassive();
    write(physics, 0);
    simulation.forwardPassive();
  }

  /**
   * Goes to a stored state to measure it, as relabelling does: controls are zero.
   *
   * @param physics numbers as {@link #physics} gives them, from {@code at} on
   */
  public final void recall(double[] physics, int at) {
    simulation.reset();
    write(physics, at);
    simulation.forwardPassive();
  }

  /**
   * {@link #recall} for states by the thousand: the quantities are the same to the last bit, the
   * rest is not. A reset clears megabytes, and the solver finds accelerations, from which no
   * quantity follows; together they cost ten times as much as this.
   */
  final void recallQuantities(double[] physics, int at) {
    write(physics, at);
    simulation.ctrl().setAll(noControls, 0);
    simulation.forwardKinematics();
  }

  /** {@link #recall} to the last bit, so that what follows is what followed before. */
  final void restore(double[] physics, int at) {
    recall(physics, at);
    double[] written = Arrays.copyOfRange(physics, at, at + world.stateSize());
    boolean changed = false;
    for (int quaternion : quaternions) {
      double[] found = new double[4];
      simulation.qpos().copy(quaternion, found, 0, 4);
      // From 3.2 on MuJoCo leaves positions alone.
      if (!Arrays.equals(found, 0, 4, written, quaternion, quaternion + 4)) {
        Quaternions.denormalise(written, quaternion);
        changed = true;
      }
    }
    if (changed) {
      recall(written, 0);
    }
  }

  private static int[] quaternions(ModelFacts model) {
    int joints = model.size("njnt");
    int[] type = model.ints("jnt_type", joints);
    int[] address = model.ints("jnt_qposadr", joints);
    int free = model.constant("mjJNT_FREE");
    int ball = model.constant("mjJNT_BALL");
    return IntStream.range(0, joints)
        .filter(joint -> type[joint] == free || type[joint] == ball)
        // A free joint's position comes first.
        .map(joint -> address[joint] + (type[joint] == free ? 3 : 0))
        .toArray();
  }

  /** Writes what {@link #physics} reads. */
  protected void write(double[] physics, int at) {
    simulation.qpos().setAll(physics, at);
    simulation.qvel().setAll(physics, at + simulation.qpos().size());
    simulation.act().setAll(physics, at + simulation.qpos().size() + simulation.qvel().size());
  }

  /** The state as ExoRL stores it: {@code qpos, qvel, act} one after the other. */
  public double[] physics() {
    int positions = simulation.qpos().size();
    int velocities = simulation.qvel().size();
    double[] physics = new double[world.stateSize()];
    simulation.qpos().copy(0, physics, 0, positions);
    simulation.qvel().copy(0, physics, positions, velocities);
    simulation.act().copy(0, physics, positions + velocities, simulation.act().size());
    return physics;
  }

  /**
   * A state that would be observed like this, as {@link #physics} gives it; empty where the
   * observation does not tell the pose.
   *
   * @param observations one or more of them, of which the one that begins at {@code at} is meant
   */
  public Optional<double[]> physicsFromObservation(float[] observations, int at) {
    return Optional.empty();
  }

  /**
   * Gives a stored state this robot's place and heading, as far as observations do not hold them.
   */
  public void alignUnobserved(double[] physics) {}

  /** Which numbers of {@link #physics} pose the body: the joints, by name. */
  public List<PoseCoordinate> pose() {
    return Pose.of(simulation);
  }

  /** Puts another goal in the place of the one that was drawn, where one is drawn. */
  public void replaceGoal(double[] goal) {
    throw new UnsupportedOperationException(world().name() + " draws no goal");
  }

  /** Numbers that {@link #advance} takes. */
  public int controlSize() {
    return noControls.length;
  }

  /** Turns an action in [−1, 1] into controls: each actuator's own range, linearly. */
  public void toControls(float[] action, double[] controls) {
    for (int i = 0; i < controls.length; i++) {
      double low = controlRange[2 * i];
      double high = controlRange[2 * i + 1];
      controls[i] = low + (high - low) / 2 * (action[i] + 1.0);
    }
  }

  /**
   * One control step under raw controls.
   *
   * @return false when the simulation blew up; the state is then the model's own start
   */
  public boolean advance(double[] controls) {
    simulation.ctrl().setAll(controls, 0);
    return simulation.controlStep(substeps);
  }

  /** Writes the observation, in full precision. */
  public abstract void observe(double[] observation);

  /**
   * Whether a number of the observation follows from the state alone. Sensors of forces and
   * accelerations do not: after a step they tell of its last substep.
   */
  public boolean observesState(int number) {
    return true;
  }

  /** The point that a camera should follow. */
  public abstract double[] focus();

  /** Where to film from while looking at {@code focus}. */
  public abstract Camera camera(double[] focus);

  /** How the scene is dressed. */
  public Look look() {
    return Look.standard();
  }

  /** The geom or site that is drawn only to mark a task's goal; null when there is none. */
  public String targetMarker() {
    return "target";
  }

  /** Where a task's goal is to be marked; null when it has none. */
  public double[] target(Task task) {
    return null;
  }

  /** Says how a published quantity is measured. */
  protected final void publish(Quantity quantity, DoubleSupplier gauge) {
    gauges.put(quantity, gauge);
  }

  @Override
  public final double get(Quantity quantity) {
    DoubleSupplier gauge = gauges.get(quantity);
    if (gauge == null) {
      throw new IllegalArgumentException(
          "%s has no quantity '%s'".formatted(world.name(), quantity.name()));
    }
    return gauge.getAsDouble();
  }

  /** The position and velocity of a joint as two quantities, {@code NAME_angle} and its rate. */
  static List<Quantity> hinge(String joint, String meaning) {
    return List.of(
        new Quantity(joint + "_angle", "rad", "angle of the " + meaning),
        new Quantity(joint + "_velocity", "rad/s", "angular velocity of the " + meaning));
  }

  /** Measures what {@link #hinge} names. */
  protected final void publishHinge(List<Quantity> hinge, String joint) {
    int id = simulation.id(Simulation.Kind.JOINT, joint);
    ModelFacts model = simulation.facts();
    int joints = model.size("njnt");
    int position = model.ints("jnt_qposadr", joints)[id];
    int velocity = model.ints("jnt_dofadr", joints)[id];
    publish(hinge.get(0), () -> simulation.qpos().get(position));
    publish(hinge.get(1), () -> simulation.qvel().get(velocity));
  }

  /** Draws every limited joint uniformly in its range, in the model's order. */
  protected final void randomizeLimitedJoints(RandomGenerator random, boolean turnUnlimitedHinges) {
    ModelFacts model = simulation.facts();
    int joints = model.size("njnt");
    boolean[] limited = model.flags("jnt_limited", joints);
    double[] range = model.doubles("jnt_range", 2 * joints);
    int[] type = model.ints("jnt_type", joints);
    int[] address = model.ints("jnt_qposadr", joints);
    int hinge = model.constant("mjJNT_HINGE");
    for (int joint = 0; joint < joints; joint++) {
      if (limited[joint]) {
        simulation
            .qpos()
            .set(address[joint], uniform(random, range[2 * joint], range[2 * joint + 1]));
      } else if (turnUnlimitedHinges && type[joint] == hinge) {
        simulation.qpos().set(address[joint], uniform(random, -Math.PI, Math.PI));
      }
    }
  }

  protected static double uniform(RandomGenerator random, double low, double high) {
    return low + (high - low) * random.nextDouble();
  }

  @Override
  public void close() {
    simulation.close();
  }
}
