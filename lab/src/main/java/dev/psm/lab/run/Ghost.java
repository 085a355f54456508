package dev.psm.lab.run;

import dev.psm.core.env.CheckedEnvironment;
import dev.psm.core.env.Environment;
import dev.psm.core.env.Scenery;
import dev.psm.core.env.World;
import dev.psm.core.reward.Task;
import dev.psm.core.scene.Placed;
import dev.psm.lab.Film;
import dev.psm.zeroshot.Prompt;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A pale copy of the robot in the pose that a goal or a demonstration asks of it. It goes along
 * with the robot where observations do not tell places apart: nothing can pursue those.
 */
final class Ghost implements Film.Target, AutoCloseable {
  private final World world;
  private final Environment environment;
  private final Optional<Scenery> scenery;
  private final double[] poses;

  private Ghost(World world, Environment environment, String title, double[] poses) {
    this.world = world;
    this.environment = environment;
    this.scenery = environment.scenery(Task.unpaid(title));
    this.poses = poses;
  }

  /** The ghost of a prompt; unknown where the prompt asks for no pose or does not determine it. */
  static Ghost of(Prompt prompt, World world) {
    Environment environment = CheckedEnvironment.open(world);
    double[] poses = new double[0];
    if (prompt instanceof Prompt.Goal goal) {
      poses = poses(world, environment, goal.physics(), goal.observation());
    } else if (prompt instanceof Prompt.Demonstration shown) {
      poses = poses(world, environment, shown.physics(), shown.observations());
    }
    return new Ghost(world, environment, prompt.title(), poses);
  }

  private static double[] poses(
      World world, Environment environment, Optional<double[]> physics, float[] observations) {
    if (physics.isPresent()) {
      return physics.get();
    }
    if (observations.length < world.observationSize()) {
      // A goal that speaks of a part of an observation only.
      return new double[0];
    }
    int states = observations.length / world.observationSize();
    double[] poses = new double[states * world.stateSize()];
    for (int state = 0; state < states; state++) {
      Optional<double[]> one =
          environment.stateFromObservation(observations, state * world.observationSize());
      if (one.isEmpty()) {
        return new double[0];
      }
      System.arraycopy(one.get(), 0, poses, state * world.stateSize(), world.stateSize());
    }
    return poses;
  }

  boolean isKnown() {
    return poses.length > 0;
  }

  /** The pose of that step; of a goal, and after a demonstration's end, the last one. */
  @Override
  public List<Placed> at(Environment robot, int step) {
    if (!isKnown()) {
      return List.of();
    }
    int size = world.stateSize();
    int from = Math.min(step * size, poses.length - size);
    double[] pose = Arrays.copyOfRange(poses, from, from + size);
    robot.alignUnobserved(pose);
    environment.recall(pose, 0);
    return scenery.map(Scenery::ghost).orElse(List.of());
  }

  @Override
  public void close() {
    environment.close();
  }
}
