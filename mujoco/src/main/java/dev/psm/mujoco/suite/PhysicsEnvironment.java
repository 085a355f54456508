package dev.psm.mujoco.suite;

import dev.psm.core.env.Environment;
import dev.psm.core.env.PoseCoordinate;
import dev.psm.core.env.Scenery;
import dev.psm.core.env.World;
import dev.psm.core.reward.Quantity;
import dev.psm.core.reward.Task;
import dev.psm.mujoco.Simulation;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Episodes in a {@link Domain}: actions in [−1, 1] or numbers, observations in float32, a fixed
 * number of steps and no early end.
 *
 * <p>When the simulation blows up the episode is truncated there: the last good observation is
 * given once more, the step says {@code diverged}, and {@link #divergences} counts it.
 */
public final class PhysicsEnvironment implements Environment {
  private final Domain domain;
  private final World world;
  private final double[] controls;
  private final double[] observation;

  private boolean running;

  /** Whether the simulation is where the episode is, or was when it ended. */
  private boolean inEpisode;

  private int elapsed;
  private long divergences;

  /** Takes the domain over and closes it with itself. */
  public PhysicsEnvironment(Domain domain) {
    this.domain = domain;
    this.world = domain.world();
    controls = new double[domain.controlSize()];
    observation = new double[world.observationSize()];
  }

  public Domain domain() {
    return domain;
  }

  /** Episodes so far that ended because the simulation blew up. */
  public long divergences() {
    return divergences;
  }

  @Override
  public float[] reset(RandomGenerator random) {
    domain.start(random);
    return begin();
  }

  @Override
  public float[] start(double[] physics) {
    if (physics.length != world.stateSize()) {
      throw new IllegalArgumentException(
          "%s: the physics of a state has %d numbers, found %d"
              .formatted(world.name(), world.stateSize(), physics.length));
    }
    domain.start(physics);
    return begin();
  }

  private float[] begin() {
    elapsed = 0;
    running = true;
    inEpisode = true;
    domain.observe(observation);
    return rounded();
  }

  /** {@inheritDoc} Nothing of the simulation is touched, so that motion goes on to the bit. */
  @Override
  public float[] startHere() {
    if (!inEpisode) {
      throw new IllegalStateException("%s: call reset before startHere".formatted(world.name()));
    }
    return begin();
  }

  @Override
  public List<PoseCoordinate> pose() {
    return domain.pose();
  }

  /** Actions beyond ±1 are taken as given; the engine clamps what it applies, as in dm_control. */
  @Override
  public Step step(float[] action) {
    check(action);
    domain.toControls(action, controls);
    elapsed++;
    if (!domain.advance(controls)) {
      divergences++;
      running = false;
      inEpisode = false;
      // A moment taken from here must not pass for the middle of an episode.
      elapsed = world.episodeSteps();
      return new Step(rounded(), false, true, true);
    }
    domain.observe(observation);
    boolean over = elapsed == world.episodeSteps();
    running = !over;
    return new Step(rounded(), false, over);
  }

  private void check(float[] action) {
    if (!running) {
      throw new IllegalStateException("%s: call reset before step".formatted(world.name()));
    }
    if (action == null) {
      throw new IllegalArgumentException("%s: there is no action".formatted(world.name()));
    }
    if (action.length != world.actionSize()) {
      throw new IllegalArgumentException(
          "%s: an action has %d numbers, found %d"
              .formatted(world.name(), world.actionSize(), action.length));
    }
    for (int i = 0; i < action.length; i++) {
      if (!Float.isFinite(action[i])) {
        throw new IllegalArgumentException(
            "%s: number %d of the action must be finite, found %s"
                .formatted(world.name(), i, action[i]));
      }
    }
  }

  private float[] rounded() {
    float[] rounded = new float[observation.length];
    for (int i = 0; i < rounded.length; i++) {
      rounded[i] = (float) observation[i];
    }
    return rounded;
  }

  @Override
  public double get(Quantity quantity) {
    return domain.get(quantity);
  }

  /** {@inheritDoc} Numbers as {@link Domain#physics} gives them. */
  @Override
  public double[] state() {
    return domain.physics();
  }

  @Override
  public void recall(double[] states, int at) {
    running = false;
    inEpisode = false;
    elapsed = world.episodeSteps();
    domain.recallQuantities(states, at);
  }

  @Override
  public Optional<double[]> recalledObservation() {
    double[] observed = new double[world.observationSize()];
    domain.observe(observed);
    for (int i = 0; i < observed.length; i++) {
      observed[i] = domain.observesState(i) ? observed[i] : Double.NaN;
    }
    return Optional.of(observed);
  }

  @Override
  public Optional<double[]> stateFromObservation(float[] observations, int at) {
    return domain.physicsFromObservation(observations, at);
  }

  @Override
  public void alignUnobserved(double[] state) {
    domain.alignUnobserved(state);
  }

  @Override
  public void replaceGoal(double[] goal) {
    domain.replaceGoal(goal);
  }

  @Override
  public Optional<Scenery> scenery(Task task) {
    return Optional.of(new Stage(domain, task));
  }

  /**
   * Everything {@link #restore} needs to come back to this very moment of the episode. Beside the
   * physics, that is what else the next step depends on: elapsed steps, time, controls, the
   * solver's warm start, and sensors that are older than the state.
   */
  public double[] moment() {
    Simulation simulation = domain.simulation();
    double[] physics = domain.physics();
    double[] control = simulation.ctrl().toArray();
    double[] warmStart = simulation.warmStart().toArray();
    double[] sensors = simulation.sensors().toArray();
    double[] moment =
        new double[2 + physics.length + control.length + warmStart.length + sensors.length];
    moment[0] = elapsed;
    moment[1] = simulation.time();
    int at = 2;
    for (double[] part : new double[][] {physics, control, warmStart, sensors}) {
      System.arraycopy(part, 0, moment, at, part.length);
      at += part.length;
    }
    return moment;
  }

  /** Returns to a moment taken by {@link #moment}. */
  public void restore(double[] moment) {
    Simulation simulation = domain.simulation();
    int physics = world.stateSize();
    int expected =
        2
            + physics
            + simulation.ctrl().size()
            + simulation.warmStart().size()
            + simulation.sensors().size();
    if (moment.length != expected) {
      throw new IllegalArgumentException(
          "%s: a moment has %d numbers, found %d".formatted(world.name(), expected, moment.length));
    }
    check(moment);
    domain.restore(moment, 2);
    int at = 2 + physics;
    simulation.ctrl().setAll(moment, at);
    at += simulation.ctrl().size();
    simulation.warmStart().setAll(moment, at);
    at += simulation.warmStart().size();
    simulation.sensors().setAll(moment, at);
    simulation.setTime(moment[1]);
    elapsed = (int) moment[0];
    running = elapsed < world.episodeSteps();
    inEpisode = true;
    domain.observe(observation);
  }

  private void check(double[] moment) {
    for (int i = 0; i < moment.length; i++) {
      if (!Double.isFinite(moment[i])) {
        throw new IllegalArgumentException(
            "%s: number %d of a moment must be finite, found %s"
                .formatted(world.name(), i, moment[i]));
      }
    }
    if (!(moment[0] >= 0 && moment[0] <= world.episodeSteps())) {
      throw new IllegalArgumentException(
          "%s: a moment is 0 to %d steps into an episode, found %s"
              .formatted(world.name(), world.episodeSteps(), moment[0]));
    }
  }

  @Override
  public void close() {
    domain.close();
  }
}
