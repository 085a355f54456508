package dev.psm.mujoco.suite;

import dev.psm.mujoco.ModelFacts;
import dev.psm.mujoco.Simulation;

/**
 * Mass, momentum and angular momentum of a planar robot made of capsules, from the shapes alone:
 * masses and inertias by the textbook's formulas, velocities by differences of positions. The
 * engine's own sums are checked against it.
 */
final class Planar {
  private static final double STEP = 1e-3;

  private final double[] masses;
  private final double[] inertias;
  private final double[][] positions;
  private final double[][] velocities;
  private final double[] rotations;

  /** Measures {@code domain} in the state of {@code physics}, and leaves it there. */
  Planar(Domain domain, double[] physics, double totalMass) {
    Simulation simulation = domain.simulation();
    ModelFacts model = simulation.facts();
    int geoms = model.size("ngeom");
    int[] types = model.ints("geom_type", geoms);
    double[] sizes = model.doubles("geom_size", 3 * geoms);
    int capsule = model.constant("mjGEOM_CAPSULE");
    masses = new double[geoms];
    inertias = new double[geoms];
    double sum = 0;
    for (int g = 0; g < geoms; g++) {
      if (types[g] == capsule) {
        masses[g] = capsuleMass(sizes[3 * g], 2 * sizes[3 * g + 1]);
        sum += masses[g];
      }
    }
    for (int g = 0; g < geoms; g++) {
      if (types[g] == capsule) {
        inertias[g] = capsuleInertia(sizes[3 * g], 2 * sizes[3 * g + 1]) * (totalMass / sum);
        masses[g] *= totalMass / sum;
      }
    }
    // Every joint has one degree of freedom, so the state moves along its velocity.
    double[][] places = new double[4][];
    double[][] axes = new double[4][];
    double[] offsets = {-2, -1, 1, 2};
    for (int i = 0; i < 4; i++) {
      double[] moved = physics.clone();
      for (int q = 0; q < 9; q++) {
        moved[q] += offsets[i] * STEP * physics[9 + q];
      }
      domain.recall(moved, 0);
      places[i] = simulation.geomPositions().toArray();
      axes[i] = simulation.geomRotations().toArray();
    }
    domain.recall(physics, 0);
    positions = new double[geoms][];
    velocities = new double[geoms][3];
    rotations = new double[geoms];
    for (int g = 0; g < geoms; g++) {
      positions[g] = Checks.slice(simulation.geomPositions().toArray(), 3 * g, 3);
      for (int axis = 0; axis < 3; axis++) {
        velocities[g][axis] = derivative(places, 3 * g + axis);
      }
      double[] now = Checks.slice(simulation.geomRotations().toArray(), 9 * g, 9);
      // The rate of the rotation matrix times its transpose holds the angular velocity about y.
      for (int k = 0; k < 3; k++) {
        rotations[g] += derivative(axes, 9 * g + k) * now[6 + k];
      }
    }
  }

  /** With density 1000. */
  private static double capsuleMass(double radius, double length) {
    return 1000 * Math.PI * radius * radius * (length + 4.0 / 3 * radius);
  }

  /** About an axis across, through the middle: a cylinder and two half balls. */
  private static double capsuleInertia(double r, double length) {
    double cylinder = 1000 * Math.PI * r * r * length;
    double balls = 1000 * Math.PI * r * r * r * 4 / 3;
    return cylinder * (length * length / 12 + r * r / 4)
        + balls * (2 * r * r / 5 + length * length / 4 + 3 * length * r / 8);
  }

  /** Fourth order: its error is below what rounding leaves. */
  private static double derivative(double[][] at, int index) {
    return (at[0][index] - 8 * at[1][index] + 8 * at[2][index] - at[3][index]) / (12 * STEP);
  }

  static double massByDensity(Domain domain) {
    ModelFacts model = domain.simulation().facts();
    int geoms = model.size("ngeom");
    int[] types = model.ints("geom_type", geoms);
    double[] sizes = model.doubles("geom_size", 3 * geoms);
    double sum = 0;
    for (int g = 0; g < geoms; g++) {
      if (types[g] == model.constant("mjGEOM_CAPSULE")) {
        sum += capsuleMass(sizes[3 * g], 2 * sizes[3 * g + 1]);
      }
    }
    return sum;
  }

  double[] centre() {
    return mean(positions);
  }

  double[] velocity() {
    return mean(velocities);
  }

  private double[] mean(double[][] values) {
    double[] mean = new double[3];
    double sum = 0;
    for (int g = 0; g < masses.length; g++) {
      sum += masses[g];
      for (int axis = 0; axis < 3; axis++) {
        mean[axis] += masses[g] * values[g][axis];
      }
    }
    for (int axis = 0; axis < 3; axis++) {
      mean[axis] /= sum;
    }
    return mean;
  }

  /** About y, through the centre of mass. */
  double angularMomentum() {
    double[] centre = centre();
    double[] velocity = velocity();
    double sum = 0;
    for (int g = 0; g < masses.length; g++) {
      double x = positions[g][0] - centre[0];
      double z = positions[g][2] - centre[2];
      double vx = velocities[g][0] - velocity[0];
      double vz = velocities[g][2] - velocity[2];
      sum += inertias[g] * rotations[g] + masses[g] * (z * vx - x * vz);
    }
    return sum;
  }
}
