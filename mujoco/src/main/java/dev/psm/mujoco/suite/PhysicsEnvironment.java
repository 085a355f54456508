package dev.psm.mujoco.suite;

import dev.psm.core.Seeds;
import dev.psm.core.env.Environment;
import dev.psm.core.env.Space;
import dev.psm.core.reward.Task;
import dev.psm.mujoco.Simulation;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Episodes in a {@link Domain}, paid for one of its tasks: actions in [−1, 1], observations in
 * float32, a fixed number of steps and no early end.
 *
 * <p>When the simulation blows up the episode is truncated there: the last good observation is
 * given once more with reward 0, {@code info} says {@code diverged}, and {@link #divergences}
 * counts it.
 */
public final class PhysicsEnvironment implements Environment<float[]> {
  private static final Map<String, Object> DIVERGED = Map.of("diverged", true);

  private final Domain domain;
  private final Task task;
  private final Space.Box observationSpace;
  private final Space.Box actionSpace;
  private final double[] controls;
  private final double[] observation;

  private RandomGenerator random = Seeds.generator(0);
  private boolean running;
  private int elapsed;
  private long divergences;

  /**
   * A new environment of that name, for one of its tasks, both as {@link DomainFacts} lists them,
   * or for a formula.
   */
  public static PhysicsEnvironment open(String name, String task) {
    DomainFacts facts = DomainFacts.named(name);
    Task wanted = facts.taskOrFormula(task);
    return new PhysicsEnvironment(facts.open(), wanted);
  }

  /** Takes the domain over and closes it with itself. */
  public PhysicsEnvironment(Domain domain, Task task) {
    this.domain = domain;
    this.task = task;
    DomainFacts facts = domain.facts();
    observationSpace =
        Space.Box.uniform(
            Float.NEGATIVE_INFINITY, Float.POSITIVE_INFINITY, facts.observationSize());
    actionSpace = facts.actionSpace();
    controls = new double[facts.actionSize()];
    observation = new double[facts.observationSize()];
  }

  public Domain domain() {
    return domain;
  }

  public Task task() {
    return task;
  }

  /** Episodes so far that ended because the simulation blew up. */
  public long divergences() {
    return divergences;
  }

  @Override
  public Start reset(long seed) {
    random = Seeds.generator(seed);
    return reset();
  }

  @Override
  public Start reset() {
    domain.start(random);
    return begin();
  }

  /** Begins an episode in a given state: numbers as {@link Domain#physics} gives them. */
  public Start start(double[] physics) {
    DomainFacts facts = domain.facts();
    if (physics.length != facts.physicsSize()) {
      throw new IllegalArgumentException(
          "%s: the physics of a state has %d numbers, found %d"
              .formatted(facts.name(), facts.physicsSize(), physics.length));
    }
    domain.start(physics);
    return begin();
  }

  private Start begin() {
    elapsed = 0;
    running = true;
    domain.observe(observation);
    return new Start(rounded(), Map.of());
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
      // A state taken from here must not pass for the middle of an episode.
      elapsed = domain.facts().episodeSteps();
      return new Step(rounded(), 0, false, true, DIVERGED);
    }
    domain.observe(observation);
    boolean over = elapsed == domain.facts().episodeSteps();
    running = !over;
    return new Step(rounded(), task.reward(domain), false, over, Map.of());
  }

  private void check(float[] action) {
    String name = domain.facts().name();
    if (!running) {
      throw new IllegalStateException("%s: call reset before step".formatted(name));
    }
    if (action == null) {
      throw new IllegalArgumentException("%s: there is no action".formatted(name));
    }
    if (action.length != controls.length) {
      throw new IllegalArgumentException(
          "%s: an action has %d numbers, found %d".formatted(name, controls.length, action.length));
    }
    for (int i = 0; i < action.length; i++) {
      if (!Float.isFinite(action[i])) {
        throw new IllegalArgumentException(
            "%s: number %d of the action must be finite, found %s".formatted(name, i, action[i]));
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
  public Space.Box observationSpace() {
    return observationSpace;
  }

  @Override
  public Space.Box actionSpace() {
    return actionSpace;
  }

  /**
   * Beside the physics, what else the next step depends on: elapsed steps, time, controls, the
   * solver's warm start, and sensors that are older than the state.
   */
  @Override
  public double[] state() {
    Simulation simulation = domain.simulation();
    double[] physics = domain.physics();
    double[] control = simulation.ctrl().toArray();
    double[] warmStart = simulation.warmStart().toArray();
    double[] sensors = simulation.sensors().toArray();
    double[] state =
        new double[2 + physics.length + control.length + warmStart.length + sensors.length];
    state[0] = elapsed;
    state[1] = simulation.time();
    int at = 2;
    for (double[] part : new double[][] {physics, control, warmStart, sensors}) {
      System.arraycopy(part, 0, state, at, part.length);
      at += part.length;
    }
    return state;
  }

  @Override
  public void setState(double[] state) {
    Simulation simulation = domain.simulation();
    int physics = domain.facts().physicsSize();
    int expected =
        2
            + physics
            + simulation.ctrl().size()
            + simulation.warmStart().size()
            + simulation.sensors().size();
    if (state.length != expected) {
      throw new IllegalArgumentException(
          "%s: a state has %d numbers, found %d"
              .formatted(domain.facts().name(), expected, state.length));
    }
    check(state);
    domain.restore(state, 2);
    int at = 2 + physics;
    simulation.ctrl().setAll(state, at);
    at += simulation.ctrl().size();
    simulation.warmStart().setAll(state, at);
    at += simulation.warmStart().size();
    simulation.sensors().setAll(state, at);
    simulation.setTime(state[1]);
    elapsed = (int) state[0];
    running = elapsed < domain.facts().episodeSteps();
    domain.observe(observation);
  }

  private void check(double[] state) {
    DomainFacts facts = domain.facts();
    for (int i = 0; i < state.length; i++) {
      if (!Double.isFinite(state[i])) {
        throw new IllegalArgumentException(
            "%s: number %d of a state must be finite, found %s"
                .formatted(facts.name(), i, state[i]));
      }
    }
    if (!(state[0] >= 0 && state[0] <= facts.episodeSteps())) {
      throw new IllegalArgumentException(
          "%s: a state is 0 to %d steps into an episode, found %s"
              .formatted(facts.name(), facts.episodeSteps(), state[0]));
    }
  }

  @Override
  public void close() {
    domain.close();
  }
}
