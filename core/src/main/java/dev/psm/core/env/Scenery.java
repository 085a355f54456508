package dev.psm.core.env;

import dev.psm.core.scene.Camera;
import dev.psm.core.scene.Look;
import dev.psm.core.scene.Placed;
import java.util.List;

/** What there is to draw of an environment, where it is now. */
public interface Scenery {
  /** Everything, with the task's goal where it has one. */
  List<Placed> shapes();

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
