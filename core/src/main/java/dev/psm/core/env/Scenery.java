package dev.psm.core.env;

import dev.psm.core.scene.Camera;
import dev.psm.core.scene.Look;
import dev.psm.core.scene.Placed;
import java.util.List;

/** What there is to draw of an environment, where it is now, and where to take hold of it. */
public interface Scenery {
  /**
   * Everything, with the task's goal where it has one. The shapes stay the same, in the same order,
   * as long as this object is used: only where they are changes from step to step.
   */
  List<Placed> shapes();

  /**
   * Whether a shape belongs to something that a push could move.
   *
   * @param shape its index in {@link #shapes}
   */
  default boolean canBePushed(int shape) {
    return false;
  }

  /**
   * Applies an external force to the body that a shape belongs to, during the environment's coming
   * step only; several add up. Where a shape cannot be pushed, this has no effect.
   *
   * @param shape its index in {@link #shapes}
   * @param point where the force acts, in the world
   * @param force in newtons, in the world's axes
   * @throws IllegalArgumentException if the point or the force is not three finite numbers
   */
  default void push(int shape, double[] point, double[] force) {}

  /** What moves, as a pale copy for showing where something should be. */
  List<Placed> ghost();

  /** The point that a camera should follow. */
  double[] focus();

  /** Where to film from while looking at {@code focus}. */
  Camera camera(double[] focus);

  /** How the scene is dressed. */
  default Look look() {
    return Look.standard();
  }
}
