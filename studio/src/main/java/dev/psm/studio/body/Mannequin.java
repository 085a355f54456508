package dev.psm.studio.body;

import dev.psm.core.Seeds;
import dev.psm.core.UserError;
import dev.psm.core.env.CheckedEnvironment;
import dev.psm.core.env.Environment;
import dev.psm.core.env.PoseCoordinate;
import dev.psm.core.env.Scenery;
import dev.psm.core.env.World;
import dev.psm.core.reward.Task;
import dev.psm.core.scene.Placed;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A second body that nobody steps: it takes postures, to be looked at and to be observed as goals.
 * Opened when it is first needed; for one thread.
 */
final class Mannequin implements AutoCloseable {
  private final World world;
  private Environment environment;
  private Scenery scenery;
  private double[] rest;

  Mannequin(World world) {
    this.world = world;
  }

  private Environment environment() {
    if (environment == null) {
      environment = CheckedEnvironment.open(world);
      environment.reset(Seeds.generator(0));
      rest = environment.state();
      scenery = environment.scenery(Task.unpaid("pose")).orElse(null);
    }
    return environment;
  }

  /** The coordinates with which a body can be posed. */
  List<PoseCoordinate> pose() {
    return environment().pose();
  }

  /** Where the coordinates stand before anybody moves them: angles at 0, or as near as may be. */
  double[] initial() {
    List<PoseCoordinate> pose = pose();
    double[] values = new double[pose.size()];
    for (int i = 0; i < values.length; i++) {
      PoseCoordinate each = pose.get(i);
      double value = each.unit().equals("rad") ? 0 : rest[each.index()];
      values[i] = Math.max(each.low(), Math.min(each.high(), value));
    }
    return values;
  }

  /** A stored state in that posture. */
  double[] state(double[] values) {
    List<PoseCoordinate> pose = pose();
    if (pose.isEmpty()) {
      throw UserError.invalid("bodies of %s cannot be posed", world.name());
    }
    if (values.length != pose.size()) {
      throw UserError.invalid(
          "a pose of %s has %d numbers, found %d", world.name(), pose.size(), values.length);
    }
    double[] state = rest.clone();
    for (int i = 0; i < values.length; i++) {
      PoseCoordinate each = pose.get(i);
      if (!(values[i] >= each.low() - 1e-9 && values[i] <= each.high() + 1e-9)) {
        throw UserError.invalid(
            "%s must be from %.4g to %.4g, found %s",
            each.name(), each.low(), each.high(), values[i]);
      }
      state[each.index()] = values[i];
    }
    return state;
  }

  /** The coordinates of a stored state. */
  double[] values(double[] state) {
    return pose().stream().mapToDouble(each -> state[each.index()]).toArray();
  }

  /** What would be observed in a stored state. */
  float[] observe(double[] state) {
    return environment().start(state);
  }

  /** Stored states that would be observed like this; none where observations do not tell. */
  List<double[]> states(float[] observations) {
    int width = world.observationSize();
    if (world.stateSize() == 0 || observations.length % width != 0) {
      return List.of();
    }
    List<double[]> states = new ArrayList<>();
    for (int at = 0; at < observations.length; at += width) {
      Optional<double[]> state = environment().stateFromObservation(observations, at);
      if (state.isEmpty()) {
        return List.of();
      }
      states.add(state.get());
    }
    return states;
  }

  /** The pale body in a stored state, beside a robot where observations tell no places apart. */
  List<Placed> ghost(double[] state, Environment robot) {
    environment();
    if (scenery == null) {
      return List.of();
    }
    double[] beside = state.clone();
    robot.alignUnobserved(beside);
    environment.recall(beside, 0);
    return scenery.ghost();
  }

  @Override
  public void close() {
    if (environment != null) {
      environment.close();
    }
  }
}
