package dev.psm.mujoco.mjcf;

import dev.psm.mujoco.ModelFacts;
import dev.psm.mujoco.Simulation;

/**
 * A sphere about all that moves in a model, at the model's own start. MuJoCo's {@code stat.extent}
 * also counts the floor and whatever else stands around.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Bounds(double[] centre, double radius) {
  private static final double LEAST_RADIUS = 1e-3;

  static Bounds of(Simulation simulation) {
    simulation.reset();
    simulation.forward();
    ModelFacts model = simulation.facts();
    int bodies = model.size("nbody");
    int geoms = model.size("ngeom");
    int[] fixedTo = model.ints("body_weldid", bodies);
    int[] bodyOf = model.ints("geom_bodyid", geoms);
    double[] radii = model.doubles("geom_rbound", geoms);
    double[] bodyPositions = simulation.bodyPositions().toArray();
    double[] geomPositions = simulation.geomPositions().toArray();
    double[] low = {Double.MAX_VALUE, Double.MAX_VALUE, Double.MAX_VALUE};
    double[] high = {-Double.MAX_VALUE, -Double.MAX_VALUE, -Double.MAX_VALUE};
    // Bodies too, because they need not have a shape.
    for (int body = 1; body < bodies; body++) {
      if (fixedTo[body] != 0) {
        include(bodyPositions, body, 0, low, high);
      }
    }
    for (int geom = 0; geom < geoms; geom++) {
      if (fixedTo[bodyOf[geom]] != 0) {
        include(geomPositions, geom, radii[geom], low, high);
      }
    }
    double[] centre = new double[3];
    double squared = 0;
    for (int axis = 0; axis < 3; axis++) {
      centre[axis] = (low[axis] + high[axis]) / 2;
      squared += Math.pow((high[axis] - low[axis]) / 2, 2);
    }
    return new Bounds(centre, Math.max(LEAST_RADIUS, Math.sqrt(squared)));
  }

  private static void include(
      double[] positions, int index, double radius, double[] low, double[] high) {
    for (int axis = 0; axis < 3; axis++) {
      low[axis] = Math.min(low[axis], positions[3 * index + axis] - radius);
      high[axis] = Math.max(high[axis], positions[3 * index + axis] + radius);
    }
  }
}
