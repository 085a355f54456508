package org.example.mountaincar;

import dev.psm.core.env.Environment;
import dev.psm.core.env.Space;
import dev.psm.core.env.World;
import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.Task;
import dev.psm.core.reward.formula.Formula;
import dev.psm.core.reward.formula.Vocabulary;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * A car in a valley whose engine is too weak to climb the hill: it has to swing. Dynamics and starts
 * are those of Gymnasium's MountainCar-v0. The flag at position 0.5 ends nothing here: an episode
 * always lasts 200 steps, and what is paid, formulas say.
 */
public final class MountainCar implements World {
  static final Quantity POSITION =
      new Quantity("position", "1", "from -1.2 to 0.6; the valley is at -0.52, the flag at 0.5");
  static final Quantity VELOCITY = new Quantity("velocity", "1", "per step, at most ±0.07");
  static final Quantity HEIGHT = new Quantity("height", "1", "of the hill below the car, 0.1 to 1");

  private static final List<Quantity> QUANTITIES = List.of(POSITION, VELOCITY, HEIGHT);

  @Override
  public String name() {
    return "mountaincar";
  }

  @Override
  public String title() {
    return "a car in a valley that has to swing to climb the hill";
  }

  @Override
  public int observationSize() {
    return 2;
  }

  /** Push to the left, not at all, to the right. */
  @Override
  public Space actionSpace() {
    return new Space.Discrete(3);
  }

  @Override
  public int episodeSteps() {
    return 200;
  }

  @Override
  public double discount() {
    return 0.99;
  }

  @Override
  public List<Quantity> quantities() {
    return QUANTITIES;
  }

  @Override
  public List<Task> tasks() {
    return List.of(
        task("flag", "1 at the flag or beyond", "position >= 0.5 ? 1 : 0"),
        task("rest", "1 at the bottom, hardly moving", "height < 0.15 && abs(velocity) < 0.01"),
        task("left_hill", "1 near the left end", "position <= -1.1 ? 1 : 0"));
  }

  private static Task task(String name, String meaning, String formula) {
    return Formula.parse(formula, Vocabulary.of(QUANTITIES, List.of())).task(name, meaning);
  }

  /** A goal is a position, at any velocity. */
  @Override
  public int[] achievedGoal() {
    return new int[] {0};
  }

  @Override
  public int stateSize() {
    return 2;
  }

  @Override
  public Environment open() {
    return new Ride();
  }

  private static final class Ride implements Environment {
    private static final double FORCE = 0.001;
    private static final double GRAVITY = 0.0025;
    private static final double MAX_VELOCITY = 0.07;
    private static final double LEFT_END = -1.2;
    private static final double RIGHT_END = 0.6;

    private double position;
    private double velocity;
    private int steps;

    @Override
    public float[] reset(RandomGenerator random) {
      return start(new double[] {random.nextDouble(-0.6, -0.4), 0});
    }

    @Override
    public float[] start(double[] state) {
      recall(state, 0);
      steps = 0;
      return observation();
    }

    @Override
    public Step step(float[] action) {
      velocity += (action[0] - 1) * FORCE - GRAVITY * Math.cos(3 * position);
      velocity = Math.max(-MAX_VELOCITY, Math.min(MAX_VELOCITY, velocity));
      position = Math.max(LEFT_END, Math.min(RIGHT_END, position + velocity));
      // Only the left end is a wall, as in Gymnasium.
      if (position == LEFT_END && velocity < 0) {
        velocity = 0;
      }
      return new Step(observation(), false, ++steps >= 200);
    }

    @Override
    public double get(Quantity quantity) {
      double height = 0.55 + 0.45 * Math.sin(3 * position);
      return quantity.equals(POSITION) ? position : quantity.equals(VELOCITY) ? velocity : height;
    }

    @Override
    public double[] state() {
      return new double[] {position, velocity};
    }

    @Override
    public void recall(double[] states, int at) {
      position = states[at];
      velocity = states[at + 1];
    }

    /** Velocity in units of its bound: networks learn best from numbers around 1. */
    private float[] observation() {
      return new float[] {(float) position, (float) (velocity / MAX_VELOCITY)};
    }
  }
}
