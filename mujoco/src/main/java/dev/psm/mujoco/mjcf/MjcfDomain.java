package dev.psm.mujoco.mjcf;

import dev.psm.core.scene.Camera;
import dev.psm.mujoco.ModelFacts;
import dev.psm.mujoco.Simulation;
import dev.psm.mujoco.suite.Domain;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** A user's model in motion. */
final class MjcfDomain extends Domain {
  /** In radii of what is filmed; with less than 2.6 it would not fit into the picture. */
  private static final double CAMERA_DISTANCE = 3;

  private static final double CAMERA_AZIMUTH = 75;
  private static final double CAMERA_ELEVATION = -20;
  private static final int NOTHING = -1;

  private final MjcfWorld world;
  private final ResetRule reset;
  private final int[] unrecalled;
  private final int clock;
  private final int followed;

  MjcfDomain(MjcfWorld world, Simulation simulation) {
    super(world, world.settings().substeps(), simulation);
    this.world = world;
    this.reset = new ResetRule(world.settings(), simulation);
    this.unrecalled = unrecalled(simulation);
    this.clock = clock(simulation);
    this.followed = root(simulation.facts());
    world.gauges().forEach(gauge -> publish(gauge.quantity(), () -> gauge.read(simulation)));
  }

  /**
   * Addresses of the sensors that positions, velocities and activations do not tell: accelerations
   * and forces depend on the controls too, and the time on nothing. They are stored with the state.
   */
  static int[] unrecalled(Simulation simulation) {
    ModelFacts model = simulation.facts();
    int count = model.size("nsensor");
    int[] stages = model.ints("sensor_needstage", count);
    int[] types = model.ints("sensor_type", count);
    int[] addresses = model.ints("sensor_adr", count);
    int[] sizes = model.ints("sensor_dim", count);
    int acceleration = model.constant("mjSTAGE_ACC");
    int time = model.constant("mjSENS_CLOCK");
    return IntStream.range(0, count)
        .filter(i -> stages[i] == acceleration || types[i] == time)
        .flatMap(i -> IntStream.range(addresses[i], addresses[i] + sizes[i]))
        .toArray();
  }

  /** The address of a sensor that shows the time. */
  private static int clock(Simulation simulation) {
    ModelFacts model = simulation.facts();
    int count = model.size("nsensor");
    int[] types = model.ints("sensor_type", count);
    int[] addresses = model.ints("sensor_adr", count);
    return IntStream.range(0, count)
        .filter(i -> types[i] == model.constant("mjSENS_CLOCK"))
        .map(i -> addresses[i])
        .findFirst()
        .orElse(NOTHING);
  }

  /** The first body that stands in the world and can leave its place. */
  private static int root(ModelFacts model) {
    int joints = model.size("njnt");
    int[] types = model.ints("jnt_type", joints);
    int[] bodies = model.ints("jnt_bodyid", joints);
    int[] parents = model.ints("body_parentid", model.size("nbody"));
    int free = model.constant("mjJNT_FREE");
    int slide = model.constant("mjJNT_SLIDE");
    return IntStream.range(0, joints)
        .filter(joint -> types[joint] == free || types[joint] == slide)
        .map(joint -> bodies[joint])
        .filter(body -> parents[body] == 0)
        .findFirst()
        .orElse(NOTHING);
  }

  @Override
  protected void randomize(RandomGenerator random) {
    reset.draw(random);
  }

  /** {@code qpos, qvel, act} and the sensors that do not follow from them. */
  @Override
  public double[] physics() {
    double[] physics = super.physics();
    int at = physics.length - unrecalled.length;
    for (int i = 0; i < unrecalled.length; i++) {
      physics[at + i] = simulation.sensors().get(unrecalled[i]);
    }
    return physics;
  }

  @Override
  protected void write(double[] physics, int at) {
    super.write(physics, at);
    int from = at + world.stateSize() - unrecalled.length;
    for (int i = 0; i < unrecalled.length; i++) {
      simulation.sensors().set(unrecalled[i], physics[from + i]);
    }
    if (clock != NOTHING) {
      // The engine fills that sensor anew from its time.
      simulation.setTime(simulation.sensors().get(clock));
    }
  }

  @Override
  public void observe(double[] observation) {
    Arrays.setAll(observation, i -> world.settings().observation().get(i).read(simulation));
  }

  /** Whatever a user calls a target stays where the user put it. */
  @Override
  public String targetMarker() {
    return null;
  }

  @Override
  public double[] focus() {
    if (followed == NOTHING) {
      return world.bounds().centre();
    }
    double[] focus = new double[3];
    simulation.subtreeCentres().copy(3 * followed, focus, 0, 3);
    return focus;
  }

  @Override
  public Camera camera(double[] focus) {
    return Camera.free(
        focus, CAMERA_DISTANCE * world.bounds().radius(), CAMERA_AZIMUTH, CAMERA_ELEVATION);
  }
}
