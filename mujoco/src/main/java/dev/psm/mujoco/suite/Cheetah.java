package dev.psm.mujoco.suite;

import static dev.psm.core.reward.Tolerance.tolerance;

import dev.psm.core.env.Plane;
import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.Task;
import dev.psm.core.reward.Tolerance.Sigmoid;
import dev.psm.core.scene.Camera;
import dev.psm.mujoco.suite.RobotWorld.Habits;
import dev.psm.mujoco.suite.RobotWorld.Sizes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** The cheetah of dm_control: a planar runner with a back and a front leg. */
final class Cheetah extends PlanarRobot {
  private static final int SETTLING_STEPS = 200;

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

  static final RobotWorld WORLD =
      new RobotWorld(
          "cheetah",
          "planar runner with a back and a front leg",
          new Sizes(17, 6, 0, 1, 0.01, 1000, 18),
          quantities(HINGES),
          List.of(),
          List.of(
              speed("run", "moving forward, in full at 10 m/s", 1, 10),
              speed("run_backward", "moving backward, in full at 10 m/s", -1, 10),
              speed("walk", "moving forward, in full at 2 m/s", 1, 2),
              speed("walk_backward", "moving backward, in full at 2 m/s", -1, 2)),
          new Habits(
              0.98,
              "clip(velocity_x / 10, 0, 1) - 0.1 * (torso_height > 0.7)",
              new Plane("velocity_x", -6, 6, "torso_height", 0, 1.2)),
          Cheetah::new);

  Cheetah() {
    super(WORLD, HINGES);
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
  public Optional<double[]> physicsFromObservation(float[] observations, int at) {
    double[] physics = new double[world().stateSize()];
    for (int i = 1; i < physics.length; i++) {
      physics[i] = observations[at + i - 1];
    }
    return Optional.of(physics);
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
