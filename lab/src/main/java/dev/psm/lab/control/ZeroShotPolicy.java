package dev.psm.lab.control;

import dev.psm.agents.control.ControlModel;

/**
 * What a prompt became: a policy that acts on observations. For a reward or a goal its task vector
 * is always the same; for a demonstration it moves on with every step.
 *
 * <p>A policy is a single thread's property.
 */
public final class ZeroShotPolicy {
  private final ControlModel model;
  private final float[][] tasks;
  private int step;

  ZeroShotPolicy(ControlModel model, float[]... tasks) {
    this.model = model;
    this.tasks = tasks;
  }

  /** The action for an observation, in [−1, 1]. */
  public float[] act(float[] observation) {
    if (observation.length != model.observationSize()) {
      throw new IllegalArgumentException(
          "an observation has %d numbers, found %d"
              .formatted(model.observationSize(), observation.length));
    }
    return model.act(observation, tasks[Math.min(step++, tasks.length - 1)]);
  }

  /** Begins a demonstration anew; of no effect where there is none. */
  public void restart() {
    step = 0;
  }

  /** The task vector in use, or the one a demonstration begins with. */
  public float[] taskVector() {
    return tasks[0].clone();
  }
}
