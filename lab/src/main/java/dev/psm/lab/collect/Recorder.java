package dev.psm.lab.collect;

import dev.psm.core.data.Episode;
import dev.psm.core.env.Environment;
import dev.psm.core.env.Space;
import dev.psm.mujoco.suite.DomainFacts;
import dev.psm.mujoco.suite.PhysicsEnvironment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * An environment that writes down its own episodes, on the thread it lives on. Stored are the
 * observations and actions that the agent saw and chose, and the physics behind them.
 */
final class Recorder implements Environment<float[]> {
  private final PhysicsEnvironment environment;
  private final DomainFacts facts;
  private final List<Episode> finished = new ArrayList<>();
  private final float[] observations;
  private final float[] actions;
  private final double[] physics;
  private int rows;
  private int roundSteps;
  private float[] last;

  Recorder(DomainFacts facts) {
    this.facts = facts;
    environment = new PhysicsEnvironment(facts.open(), facts.tasks().get(0));
    int longest = facts.episodeSteps() + 1;
    observations = new float[longest * facts.observationSize()];
    actions = new float[longest * facts.actionSize()];
    physics = new double[longest * facts.physicsSize()];
  }

  /** Begins a round. */
  @Override
  public Start reset(long seed) {
    roundSteps = 0;
    return begin(environment.reset(seed));
  }

  /** After a blow-up; at the end of a round there is nothing to begin until the next one's seed. */
  @Override
  public Start reset() {
    return roundSteps == facts.episodeSteps()
        ? new Start(last, Map.of())
        : begin(environment.reset());
  }

  private Start begin(Start start) {
    rows = 0;
    row(start.observation(), new float[facts.actionSize()]);
    return start;
  }

  /** A step that blew up is not stored: what it led to is not a state of this world. */
  @Override
  public Step step(float[] action) {
    Step step = environment.step(action);
    roundSteps++;
    last = step.observation();
    if (!step.info().containsKey("diverged")) {
      row(step.observation(), action);
    }
    if (step.ended()) {
      finish();
    }
    return step;
  }

  private void row(float[] observation, float[] action) {
    System.arraycopy(observation, 0, observations, rows * observation.length, observation.length);
    System.arraycopy(action, 0, actions, rows * action.length, action.length);
    double[] state = environment.domain().physics();
    System.arraycopy(state, 0, physics, rows * state.length, state.length);
    rows++;
  }

  /** Ends the recording here, though the episode might go on. */
  void finish() {
    if (rows > 1) {
      float[] discounts = new float[rows];
      Arrays.fill(discounts, 1);
      finished.add(
          new Episode(
              Arrays.copyOf(observations, rows * facts.observationSize()),
              Arrays.copyOf(actions, rows * facts.actionSize()),
              discounts,
              Arrays.copyOf(physics, rows * facts.physicsSize()),
              Map.of()));
    }
    rows = 0;
  }

  /** The episodes since the last call, in order. */
  List<Episode> take() {
    List<Episode> taken = List.copyOf(finished);
    finished.clear();
    return taken;
  }

  long divergences() {
    return environment.divergences();
  }

  @Override
  public Space.Box observationSpace() {
    return environment.observationSpace();
  }

  @Override
  public Space.Box actionSpace() {
    return environment.actionSpace();
  }

  @Override
  public double[] state() {
    return environment.state();
  }

  @Override
  public void setState(double[] state) {
    environment.setState(state);
  }

  @Override
  public void close() {
    environment.close();
  }
}
