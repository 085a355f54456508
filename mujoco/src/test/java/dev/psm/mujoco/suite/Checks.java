package dev.psm.mujoco.suite;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.psm.core.env.World;
import dev.psm.mujoco.ModelFacts;
import dev.psm.mujoco.Simulation;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/** What the domains' tests share. */
final class Checks {
  /** Draws the middle of every uniform range. */
  static final RandomGenerator MIDDLE = () -> Long.MIN_VALUE;

  private Checks() {}

  /** The facts that fix a model's shape, by MuJoCo's names. */
  record Sizes(int nq, int nv, int nu, int na, int njnt, int nsensordata, int neq) {}

  static void assertSizes(Sizes expected, Domain domain) {
    ModelFacts model = domain.simulation().facts();
    assertEquals(
        expected,
        new Sizes(
            model.size("nq"),
            model.size("nv"),
            model.size("nu"),
            model.size("na"),
            model.size("njnt"),
            model.size("nsensordata"),
            model.size("neq")));
    World facts = domain.world();
    assertEquals(facts.stepSeconds(), domain.substeps() * model.timestep(), 1e-15);
    assertEquals(facts.stateSize(), domain.physics().length);
  }

  static double mass(Domain domain) {
    ModelFacts model = domain.simulation().facts();
    return Arrays.stream(model.doubles("body_mass", model.size("nbody"))).sum();
  }

  static double[] observation(Domain domain) {
    double[] observation = new double[domain.world().observationSize()];
    domain.observe(observation);
    return observation;
  }

  static double reward(Domain domain, String task) {
    return domain.world().task(task).reward(domain);
  }

  static double quantity(Domain domain, String name) {
    return domain.get(domain.world().quantity(name));
  }

  static double[] centreOfMass(Domain domain) {
    Simulation simulation = domain.simulation();
    return slice(
        simulation.subtreeCentres().toArray(), 3 * simulation.id(Simulation.Kind.BODY, "torso"), 3);
  }

  static double[] slice(double[] values, int from, int length) {
    return Arrays.copyOfRange(values, from, from + length);
  }

  static double clamp(double x) {
    return Math.max(0, Math.min(1, x));
  }

  static double radians(double degrees) {
    return degrees / 180 * Math.PI;
  }

  /** Action 0 and ±1 land in the middle and at the ends of each actuator's range. */
  static void assertControls(double[] low, double[] high, Domain domain) {
    int size = domain.world().actionSize();
    float[] action = new float[size];
    double[] controls = new double[size];
    double[] middle = new double[size];
    for (int i = 0; i < size; i++) {
      middle[i] = low[i] + (high[i] - low[i]) / 2;
    }
    domain.toControls(action, controls);
    assertArrayEquals(middle, controls, 1e-15);
    Arrays.fill(action, -1);
    domain.toControls(action, controls);
    assertArrayEquals(low, controls, 1e-15);
    Arrays.fill(action, 1);
    domain.toControls(action, controls);
    assertArrayEquals(high, controls, 1e-15);
  }

  static double[] filled(int size, double value) {
    double[] values = new double[size];
    Arrays.fill(values, value);
    return values;
  }
}
