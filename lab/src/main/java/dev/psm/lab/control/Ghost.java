package dev.psm.lab.control;

import dev.psm.core.render.Placed;
import dev.psm.core.reward.Task;
import dev.psm.lab.Film;
import dev.psm.mujoco.suite.Domain;
import dev.psm.mujoco.suite.DomainFacts;
import dev.psm.mujoco.suite.Stage;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A pale copy of the robot in the pose that a goal or a demonstration asks of it. It goes along
 * with the robot where observations do not tell places apart: nothing can pursue those.
 */
final class Ghost implements Film.Target, AutoCloseable {
  private final Domain domain;
  private final Stage stage;
  private final double[] poses;

  private Ghost(Domain domain, String title, double[] poses) {
    this.domain = domain;
    this.poses = poses;
    stage = new Stage(domain, Task.unpaid(title));
  }

  /** The ghost of a prompt; unknown where the prompt asks for no pose or does not determine it. */
  static Ghost of(Prompt prompt, DomainFacts facts) {
    Domain domain = facts.open();
    double[] poses = new double[0];
    if (prompt instanceof Prompt.Goal goal) {
      poses = poses(domain, goal.physics(), goal.observation());
    } else if (prompt instanceof Prompt.Demonstration shown) {
      poses = poses(domain, shown.physics(), shown.observations());
    }
    return new Ghost(domain, prompt.title(), poses);
  }

  private static double[] poses(Domain domain, Optional<double[]> physics, float[] observations) {
    if (physics.isPresent()) {
      return physics.get();
    }
    DomainFacts facts = domain.facts();
    int states = observations.length / facts.observationSize();
    double[] poses = new double[states * facts.physicsSize()];
    for (int state = 0; state < states; state++) {
      Optional<double[]> one =
          domain.physicsFromObservation(observations, state * facts.observationSize());
      if (one.isEmpty()) {
        return new double[0];
      }
      System.arraycopy(one.get(), 0, poses, state * facts.physicsSize(), facts.physicsSize());
    }
    return poses;
  }

  boolean isKnown() {
    return poses.length > 0;
  }

  /** The pose of that step; of a goal, and after a demonstration's end, the last one. */
  @Override
  public List<Placed> at(Domain robot, int step) {
    if (!isKnown()) {
      return List.of();
    }
    int size = domain.facts().physicsSize();
    int from = Math.min(step * size, poses.length - size);
    double[] pose = Arrays.copyOfRange(poses, from, from + size);
    robot.alignUnobserved(pose);
    domain.recall(pose, 0);
    return stage.ghost();
  }

  @Override
  public void close() {
    domain.close();
  }
}
