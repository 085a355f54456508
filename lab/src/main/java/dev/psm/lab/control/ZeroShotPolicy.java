package dev.psm.lab.control;

import dev.psm.agents.control.ControlModel;
import dev.psm.core.env.ActionScaling;
import dev.psm.core.env.World;
import java.util.Optional;

/**
 * What a prompt became: a policy that acts on observations. For a reward its task vector is always
 * the same; for a demonstration it moves on with every step; and for an agent whose features are
 * distances, a goal's is the direction from where it is.
 *
 * <p>A policy is a single thread's property.
 */
public final class ZeroShotPolicy {
  private final ControlModel model;
  private final Optional<ActionScaling> units;
  private final float[][] tasks;
  private final boolean towards;
  private int step;

  private ZeroShotPolicy(ControlModel model, World world, float[][] tasks, boolean towards) {
    this.model = model;
    this.units = ActionScaling.of(world);
    this.tasks = tasks;
    this.towards = towards;
  }

  /** Pursues task vectors, one per step; the last one stays. */
  static ZeroShotPolicy pursuing(ControlModel model, World world, float[]... tasks) {
    return new ZeroShotPolicy(model, world, tasks, false);
  }

  /** Goes to states whose features are given, one per step; the last one stays. */
  static ZeroShotPolicy towards(ControlModel model, World world, float[]... goals) {
    return new ZeroShotPolicy(model, world, goals, true);
  }

  /** The action for an observation, in the world's {@link World#actionUnits}: usually [−1, 1]. */
  public float[] act(float[] observation) {
    float[] action = actUnscaled(observation);
    return units.map(scaling -> scaling.toUnits(action)).orElse(action);
  }

  /** The same in [−1, 1]. */
  float[] actUnscaled(float[] observation) {
    if (observation.length != model.observationSize()) {
      throw new IllegalArgumentException(
          "an observation has %d numbers, found %d"
              .formatted(model.observationSize(), observation.length));
    }
    requireFinite("observation", observation);
    float[] task = tasks[Math.min(step++, tasks.length - 1)];
    float[] action = model.act(observation, towards ? model.direction(task, observation) : task);
    // An observation may also be finite and too large for the networks.
    requireFinite("action", action);
    return action;
  }

  private static void requireFinite(String what, float[] numbers) {
    for (int i = 0; i < numbers.length; i++) {
      if (!Float.isFinite(numbers[i])) {
        throw new IllegalArgumentException(
            "number %d of the %s must be finite, found %s".formatted(i, what, numbers[i]));
      }
    }
  }

  /** Begins a demonstration anew; of no effect where there is none. */
  public void restart() {
    step = 0;
  }

  /**
   * The task vector in use, or the one a demonstration begins with; of a policy that goes towards
   * states, the features of the first.
   */
  public float[] taskVector() {
    return tasks[0].clone();
  }
}
