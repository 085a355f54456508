package dev.psm.mujoco.suite;

import static dev.psm.core.reward.Tolerance.tolerance;

import dev.psm.core.env.Plane;
import dev.psm.core.env.Region;
import dev.psm.core.env.World;
import dev.psm.core.reward.Milestone;
import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.Task;
import dev.psm.core.reward.Tolerance.Sigmoid;
import dev.psm.core.reward.formula.Formula;
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

  /** How far beyond the radius a tenth is paid still: the paper's, and TD-JEPA's. */
  private enum Margin {
    NARROW(0.015, "", "3 cm"),
    WIDE(0.09, "_wide", "10.5 cm");

    private final double metres;
    private final String suffix;
    private final String tenth;

    Margin(double metres, String suffix, String tenth) {
      this.metres = metres;
      this.suffix = suffix;
      this.tenth = tenth;
    }
  }

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
    String task(Margin margin) {
      return "reach_" + room + margin.suffix;
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
          tasks(Margin.NARROW),
          new Habits(
                  0.99,
                  List.of("exp(-10 * distance(0.2, -0.2))"),
                  new Plane("x", -0.3, 0.3, "y", -0.3, 0.3),
                  GOALS.stream().map(Goal::region).toList(),
                  List.of("maze"))
              .withFurtherTasks(tasks(Margin.WIDE)),
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

  private static List<Task> tasks(Margin margin) {
    return GOALS.stream().map(goal -> reach(goal, margin)).toList();
  }

  private static Task reach(Goal goal, Margin margin) {
    Quantity distance = goal.distance();
    return new Task(
        goal.task(margin),
        "within 1.5 cm of (%s, %s), with a small push; a tenth of that %s off"
            .formatted(goal.x, goal.y, margin.tenth),
        "tolerance(distance(%s, %s), 0, %s, %s) * (("
                .formatted(goal.x, goal.y, GOAL_RADIUS, margin.metres)
            + "(tolerance(control_x, 0, 0, 1, 0, quadratic)"
            + " + tolerance(control_y, 0, 0, 1, 0, quadratic)) / 2 + 4) / 5)",
        q -> {
          double near = tolerance(q.get(distance), 0, GOAL_RADIUS, margin.metres);
          double idle = (idle(q.get(CONTROL_X)) + idle(q.get(CONTROL_Y))) / 2;
          return near * ((idle + 4) / 5);
        },
        List.of(
            milestone(
                "in its room",
                "x %s 0 && y %s 0".formatted(goal.x > 0 ? ">" : "<", goal.y > 0 ? ">" : "<")),
            milestone("within 3 cm", "distance(%s, %s) < 0.03".formatted(goal.x, goal.y))));
  }

  private static Milestone milestone(String name, String condition) {
    return Formula.parse(condition, World.vocabulary(List.of(X, Y), List.of(), List.of(X, Y)))
        .milestone(name);
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
        .filter(
            goal ->
                Arrays.stream(Margin.values())
                    .anyMatch(margin -> task.name().equals(goal.task(margin))))
        .findFirst()
        .map(goal -> new double[] {goal.x, goal.y, 0.01})
        .orElse(null);
  }
}
