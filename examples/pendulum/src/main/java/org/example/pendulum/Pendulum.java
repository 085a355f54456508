package org.example.pendulum;

import dev.psm.core.env.Environment;
import dev.psm.core.env.Plane;
import dev.psm.core.env.Space;
import dev.psm.core.env.World;
import dev.psm.core.reward.Quantity;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * A rod on a motor that is too weak to lift it: it hangs, and has to be swung up. Mass, length and
 * gravity are those of Gymnasium's Pendulum-v1. The motor has 60 % of the torque that would hold the
 * rod level, and is told ten times a second what to do.
 */
public final class Pendulum implements World {
  static final Quantity ANGLE =
      new Quantity("angle", "rad", "from upright, in (−π, π]; ±π is hanging");
  static final Quantity VELOCITY = new Quantity("velocity", "rad/s", "of the angle, at most ±8");

  private static final int EPISODE_STEPS = 200;
  private static final double STEP_SECONDS = 0.1;

  @Override
  public String name() {
    return "pendulum";
  }

  @Override
  public String title() {
    return "a pendulum to swing up with a weak motor";
  }

  @Override
  public int observationSize() {
    return 3;
  }

  @Override
  public Space actionSpace() {
    return Space.Box.uniform(-1, 1, 1);
  }

  @Override
  public int episodeSteps() {
    return EPISODE_STEPS;
  }

  @Override
  public double stepSeconds() {
    return STEP_SECONDS;
  }

  @Override
  public List<Quantity> quantities() {
    return List.of(ANGLE, VELOCITY);
  }

  @Override
  public List<String> examples() {
    return List.of("abs(angle) < 0.3", "abs(velocity) / 8");
  }

  @Override
  public Optional<Plane> plane() {
    return Optional.of(new Plane("angle", -Math.PI, Math.PI, "velocity", -8, 8));
  }

  /** Angle and velocity: data keeps both, and episodes can begin in any of its states. */
  @Override
  public int stateSize() {
    return 2;
  }

  @Override
  public Environment open() {
    return new Swing();
  }

  private static final class Swing implements Environment {
    private static final double GRAVITY = 10;
    private static final double MAX_TORQUE = 3;
    private static final double MAX_VELOCITY = 8;
    private static final int SUBSTEPS = 4;

    private double angle;
    private double velocity;
    private int steps;

    @Override
    public float[] reset(RandomGenerator random) {
      return start(new double[] {Math.PI + random.nextDouble(-0.1, 0.1), 0});
    }

    @Override
    public float[] start(double[] state) {
      recall(state, 0);
      steps = 0;
      return observation();
    }

    @Override
    public Step step(float[] action) {
      double seconds = STEP_SECONDS / SUBSTEPS;
      for (int i = 0; i < SUBSTEPS; i++) {
        // Mass 1, length 1: gravity acts half way along it, and its moment of inertia is 1/3.
        double torque = GRAVITY / 2 * Math.sin(angle) + MAX_TORQUE * action[0];
        velocity += seconds * 3 * torque;
        velocity = Math.max(-MAX_VELOCITY, Math.min(MAX_VELOCITY, velocity));
        angle = Math.IEEEremainder(angle + seconds * velocity, 2 * Math.PI);
      }
      steps++;
      return new Step(observation(), false, steps >= EPISODE_STEPS);
    }

    @Override
    public double get(Quantity quantity) {
      return quantity.equals(ANGLE) ? angle : velocity;
    }

    @Override
    public double[] state() {
      return new double[] {angle, velocity};
    }

    @Override
    public void recall(double[] states, int at) {
      angle = Math.IEEEremainder(states[at], 2 * Math.PI);
      velocity = states[at + 1];
    }

    private float[] observation() {
      return new float[] {(float) Math.cos(angle), (float) Math.sin(angle), (float) (velocity / MAX_VELOCITY)};
    }
  }
}
