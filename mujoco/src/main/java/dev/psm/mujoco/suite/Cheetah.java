package dev.psm.mujoco.suite;

import static dev.psm.core.reward.Tolerance.tolerance;

import dev.psm.core.render.Camera;
import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.Task;
import dev.psm.core.reward.Tolerance.Sigmoid;
import dev.psm.mujoco.Simulation.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/** The cheetah of dm_control: a planar runner with a back and a front leg. */
final class Cheetah extends Domain {
  private static final int SETTLING_STEPS = 200;

  static final Quantity VELOCITY_X =
      new Quantity("velocity_x", "m/s", "forward velocity of the centre of mass");
  private static final Quantity VELOCITY_Z =
      new Quantity("velocity_z", "m/s", "upward velocity of the centre of mass");
  private static final Quantity ANGULAR_MOMENTUM =
      new Quantity(
          "angular_momentum",
          "kg m^2/s",
          "angular momentum about the centre of mass; positive when its nose goes down");
  private static final Quantity TORSO_HEIGHT =
      new Quantity("torso_height", "m", "height of the torso's centre; starts near 0.6");
  private static final Quantity UPRIGHT =
      new Quantity("upright", "1", "cosine of the torso's tilt: 1 on its feet, -1 on its back");
  private static final Quantity COM_X =
      new Quantity("com_x", "m", "how far forward the centre of mass is");
  private static final Quantity COM_HEIGHT =
      new Quantity("com_height", "m", "height of the centre of mass");
  private static final Quantity PITCH =
      new Quantity(
          "pitch", "rad", "angle of the torso, growing as its nose goes down; not wrapped");
  private static final Quantity PITCH_VELOCITY =
      new Quantity("pitch_velocity", "rad/s", "angular velocity of the torso");

  private static final Map<String, List<Quantity>> HINGES = new LinkedHashMap<>();

  static {
    Map<String, String> legs = new LinkedHashMap<>();
    legs.put("b", "back");
    legs.put("f", "front");
    legs.forEach(
        (letter, leg) -> {
          for (String part : List.of("thigh", "shin", "foot")) {
            HINGES.put(letter + part, hinge(letter + part, leg + " " + part));
          }
        });
  }

  static final DomainFacts FACTS =
      new DomainFacts(
          "cheetah",
          "planar runner with a back and a front leg",
          17,
          6,
          0,
          1,
          0.01,
          1000,
          18,
          quantities(),
          List.of(),
          List.of(
              speed("run", "moving forward, in full at 10 m/s", 1, 10),
              speed("run_backward", "moving backward, in full at 10 m/s", -1, 10),
              speed("walk", "moving forward, in full at 2 m/s", 1, 2),
              speed("walk_backward", "moving backward, in full at 2 m/s", -1, 2)),
          Cheetah::new);

  Cheetah() {
    super(FACTS, FACTS.name());
    int torso = simulation.id(Kind.BODY, "torso");
    publish(VELOCITY_X, () -> simulation.subtreeVelocities().get(3 * torso));
    publish(VELOCITY_Z, () -> simulation.subtreeVelocities().get(3 * torso + 2));
    publish(ANGULAR_MOMENTUM, () -> simulation.subtreeAngularMomenta().get(3 * torso + 1));
    publish(TORSO_HEIGHT, () -> simulation.bodyPositions().get(3 * torso + 2));
    publish(UPRIGHT, () -> simulation.bodyRotations().get(9 * torso + 8));
    publish(COM_X, () -> simulation.subtreeCentres().get(3 * torso));
    publish(COM_HEIGHT, () -> simulation.subtreeCentres().get(3 * torso + 2));
    publish(PITCH, () -> simulation.qpos().get(2));
    publish(PITCH_VELOCITY, () -> simulation.qvel().get(2));
    HINGES.forEach((joint, quantities) -> publishHinge(quantities, joint));
  }

  private static Task speed(String name, String meaning, int direction, double full) {
    return new Task(
        name,
        meaning,
        "tolerance(%svelocity_x, %.0f, inf, %.0f, 0, linear)"
            .formatted(direction < 0 ? "-" : "", full, full),
        q ->
            tolerance(
                direction * q.get(VELOCITY_X),
                full,
                Double.POSITIVE_INFINITY,
                full,
                0,
                Sigmoid.LINEAR));
  }

  private static List<Quantity> quantities() {
    List<Quantity> all =
        new ArrayList<>(
            List.of(
                VELOCITY_X,
                VELOCITY_Z,
                ANGULAR_MOMENTUM,
                TORSO_HEIGHT,
                UPRIGHT,
                COM_X,
                COM_HEIGHT,
                PITCH,
                PITCH_VELOCITY));
    HINGES.values().forEach(all::addAll);
    return List.copyOf(all);
  }

  /**
   * A random posture, dropped and left to settle. No forward pass comes before the first step, as
   * in dm_control: that step still sees the nominal pose, which shows in the third digit.
   */
  @Override
  protected void randomize(RandomGenerator random) {
    randomizeLimitedJoints(random, false);
    settle();
  }

  void settle() {
    for (int i = 0; i < SETTLING_STEPS; i++) {
      simulation.controlStep(1);
    }
    simulation.setTime(0);
  }

  /** Everything but how far it ran. */
  @Override
  public void observe(double[] observation) {
    int positions = simulation.qpos().size() - 1;
    simulation.qpos().copy(1, observation, 0, positions);
    simulation.qvel().copy(0, observation, positions, simulation.qvel().size());
  }

  @Override
  public double[] focus() {
    return new double[] {get(COM_X), 0, 0.5};
  }

  @Override
  public Camera camera(double[] focus) {
    return Camera.free(focus, 3, 75, -12);
  }
}
