package dev.psm.core.env;

import dev.psm.core.UserError;
import dev.psm.core.Wording;
import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.Task;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * An environment that is held to what its world says of it. Rows of data are cut out by those
 * lengths: an observation or a state of another one would shift all that follow, or fail where
 * nobody could tell whose mistake it is.
 */
public final class CheckedEnvironment implements Environment {
  private final World world;
  private final Environment environment;
  private final int observationSize;
  private final int stateSize;

  private CheckedEnvironment(World world, Environment environment) {
    this.world = world;
    this.environment = environment;
    observationSize = world.observationSize();
    stateSize = world.stateSize();
  }

  /** A new environment of a world, for the thread that asks. */
  public static Environment open(World world) {
    Environment opened = world.open();
    if (opened == null) {
      throw refusal(world, "an environment", "open", world, "null");
    }
    return new CheckedEnvironment(world, opened);
  }

  @Override
  public float[] reset(RandomGenerator random) {
    return observation("reset", environment.reset(random));
  }

  @Override
  public Step step(float[] action) {
    Step step = present("step", environment.step(action));
    observation("step", step.observation());
    return step;
  }

  @Override
  public double get(Quantity quantity) {
    return environment.get(quantity);
  }

  @Override
  public double[] state() {
    return state("state", environment.state());
  }

  @Override
  public float[] start(double[] state) {
    return observation("start", environment.start(state));
  }

  @Override
  public float[] startHere() {
    return observation("startHere", environment.startHere());
  }

  @Override
  public List<PoseCoordinate> pose() {
    return present("pose", environment.pose());
  }

  @Override
  public void recall(double[] states, int at) {
    environment.recall(states, at);
  }

  @Override
  public Optional<double[]> recalledObservation() {
    Optional<double[]> recalled = present("recalledObservation", environment.recalledObservation());
    recalled.ifPresent(
        numbers -> requireLength("recalledObservation", observationSize, numbers.length));
    return recalled;
  }

  @Override
  public Optional<double[]> stateFromObservation(float[] observations, int at) {
    Optional<double[]> told =
        present("stateFromObservation", environment.stateFromObservation(observations, at));
    told.ifPresent(numbers -> state("stateFromObservation", numbers));
    return told;
  }

  @Override
  public void alignUnobserved(double[] state) {
    environment.alignUnobserved(state);
  }

  @Override
  public void replaceGoal(double[] goal) {
    environment.replaceGoal(goal);
  }

  @Override
  public Optional<Scenery> scenery(Task task) {
    return present("scenery", environment.scenery(task));
  }

  @Override
  public void close() {
    environment.close();
  }

  private float[] observation(String method, float[] found) {
    if (found == null) {
      throw wrongLength(method, observationSize, "null");
    }
    requireLength(method, observationSize, found.length);
    return found;
  }

  private double[] state(String method, double[] found) {
    if (found == null) {
      throw wrongLength(method, stateSize, "null");
    }
    requireLength(method, stateSize, found.length);
    return found;
  }

  private void requireLength(String method, int expected, int found) {
    if (found != expected) {
      throw wrongLength(method, expected, found);
    }
  }

  private UserError wrongLength(String method, int expected, Object found) {
    return refusal(world, Wording.count(expected, "number"), method, environment, found);
  }

  private <T> T present(String method, T found) {
    if (found == null) {
      throw refusal(world, "something", method, environment, "null");
    }
    return found;
  }

  private static UserError refusal(
      World world, String expected, String method, Object of, Object found) {
    return UserError.invalid(
        "world %s: expected %s from %s() of %s, found %s; correct its class",
        world.name(), expected, method, of.getClass().getName(), found);
  }
}
