package dev.psm.mujoco.suite;

import static dev.psm.core.reward.Tolerance.tolerance;

import dev.psm.core.env.Plane;
import dev.psm.core.env.Region;
import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.Task;
import dev.psm.core.reward.Tolerance.Sigmoid;
import dev.psm.core.scene.Camera;
import dev.psm.core.scene.Look;
import dev.psm.mujoco.View;
import dev.psm.mujoco.suite.RobotWorld.Habits;
import dev.psm.mujoco.suite.RobotWorld.Sizes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** ExoRL's point-mass maze: a ball pushed through four rooms around a plus-shaped wall. */
final class PointMassMaze extends Domain {
  private static final double GOAL_RADIUS = 0.015;
  private static final double GOAL_OFFSET = 0.15;

  static final Quantity X = new Quantity("x", "m", "the ball's place, growing to the right");
  static final Quantity Y = new Quantity("y", "m", "the ball's place, growing to the top");
  private static final Quantity VELOCITY_X =
      new Quantity("velocity_x", "m/s", "velocity to the right; at most 0.1 by its own force");
  private static final Quantity VELOCITY_Y =
      new Quantity("velocity_y", "m/s", "velocity to the top; at most 0.1 by its own force");
  private static final Quantity CONTROL_X =
      new Quantity("control_x", "1", "push to the right; 0 in a stored state");
  private static final Quantity CONTROL_Y =
      new Quantity("control_y", "1", "push to the top; 0 in a stored state");

  /** A task's place to reach. */
  private record Goal(String room, double x, double y) {
    String task() {
      return "reach_" + room;
    }

    /** The wall is a plus about the origin. */
    Region region() {
      return new Region(
          room.replace('_', ' '), q -> q.get(X) > 0 == x > 0 && q.get(Y) > 0 == y > 0);
    }

    Quantity distance() {
      return new Quantity(
          "distance_" + room, "m", "distance to the " + room.replace('_', ' ') + " goal");
    }
  }

  private static final List<Goal> GOALS =
      List.of(
          new Goal("top_left", -GOAL_OFFSET, GOAL_OFFSET),
          new Goal("top_right", GOAL_OFFSET, GOAL_OFFSET),
          new Goal("bottom_left", -GOAL_OFFSET, -GOAL_OFFSET),
          new Goal("bottom_right", GOAL_OFFSET, -GOAL_OFFSET));

  static final RobotWorld WORLD =
      new RobotWorld(
          "point_mass_maze",
          "ball in four rooms, seen from above",
          new Sizes(4, 2, 0, 1, 0.02, 1000, 4),
          quantities(),
          List.of(X, Y),
          GOALS.stream().map(PointMassMaze::reach).toList(),
          new Habits(
              0.99,
              List.of("exp(-10 * distance(0.2, -0.2))"),
              new Plane("x", -0.3, 0.3, "y", -0.3, 0.3),
              GOALS.stream().map(Goal::region).toList(),
              List.of("maze")),
          PointMassMaze::new);

  PointMassMaze() {
    super(WORLD, WORLD.name());
    View position = simulation.qpos();
    publish(X, () -> position.get(0));
    publish(Y, () -> position.get(1));
    publish(VELOCITY_X, () -> simulation.qvel().get(0));
    publish(VELOCITY_Y, () -> simulation.qvel().get(1));
    publish(CONTROL_X, () -> simulation.ctrl().get(0));
    publish(CONTROL_Y, () -> simulation.ctrl().get(1));
    for (Goal goal : GOALS) {
      publish(
          goal.distance(),
          () -> Math.sqrt(square(position.get(0) - goal.x) + square(position.get(1) - goal.y)));
    }
  }

  private static double square(double x) {
    return x * x;
  }

  private static Task reach(Goal goal) {
    Quantity distance = goal.distance();
    return new Task(
        goal.task(),
        "within 1.5 cm of (%s, %s), with a small push".formatted(goal.x, goal.y),
        "tolerance(distance(%s, %s), 0, %s, %s) * (("
                .formatted(goal.x, goal.y, GOAL_RADIUS, GOAL_RADIUS)
            + "(tolerance(control_x, 0, 0, 1, 0, quadratic)"
            + " + tolerance(control_y, 0, 0, 1, 0, quadratic)) / 2 + 4) / 5)",
        q -> {
          double near = tolerance(q.get(distance), 0, GOAL_RADIUS, GOAL_RADIUS);
          double idle = (idle(q.get(CONTROL_X)) + idle(q.get(CONTROL_Y))) / 2;
          return near * ((idle + 4) / 5);
        });
  }

  private static double idle(double control) {
    return tolerance(control, 0, 0, 1, 0, Sigmoid.QUADRATIC);
  }

  private static List<Quantity> quantities() {
    List<Quantity> all =
        new ArrayList<>(List.of(X, Y, VELOCITY_X, VELOCITY_Y, CONTROL_X, CONTROL_Y));
    GOALS.forEach(goal -> all.add(goal.distance()));
    return List.copyOf(all);
  }

  /** Always in the top left room. */
  @Override
  protected void randomize(RandomGenerator random) {
    simulation.qpos().set(0, uniform(random, -0.29, -0.15));
    simulation.qpos().set(1, uniform(random, 0.15, 0.29));
  }

  @Override
  public void observe(double[] observation) {
    simulation.qpos().copy(0, observation, 0, 2);
    simulation.qvel().copy(0, observation, 2, 2);
  }

  @Override
  public Optional<double[]> physicsFromObservation(float[] observations, int at) {
    double[] physics = new double[world().stateSize()];
    Arrays.setAll(physics, i -> observations[at + i]);
    return Optional.of(physics);
  }

  @Override
  public double[] focus() {
    return new double[] {0, 0, 0};
  }

  @Override
  public Camera camera(double[] focus) {
    return Camera.above(focus, 0.86);
  }

  @Override
  public Look look() {
    return super.look().withSquare(0.1);
  }

  @Override
  public double[] target(Task task) {
    return GOALS.stream()
        .filter(goal -> task.name().equals(goal.task()))
        .findFirst()
        .map(goal -> new double[] {goal.x, goal.y, 0.01})
        .orElse(null);
  }
}
