package dev.psm.lab.collect;

import dev.psm.core.UserError;
import dev.psm.core.data.Episode;
import dev.psm.core.env.CheckedEnvironment;
import dev.psm.core.env.Environment;
import dev.psm.core.env.World;
import dev.psm.core.reward.Quantity;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.IntToDoubleFunction;
import java.util.random.RandomGenerator;

/**
 * An environment that writes down its own episodes, on the thread it lives on. Stored are the
 * observations and actions that the agent saw and chose, and the states behind them.
 */
final class Recorder implements Environment {
  private static final int LONGEST_ARRAY = Integer.MAX_VALUE - 8;

  private final Environment environment;
  private final World world;
  private final List<Quantity> quantities;
  private final List<Episode> finished = new ArrayList<>();
  private final float[] observations;
  private final float[] actions;
  private final double[] states;
  private int rows;
  private int roundSteps;
  private float[] last;
  private long divergences;

  Recorder(World world) {
    this.world = world;
    quantities = world.quantities();
    observations = new float[roomFor(world.observationSize())];
    actions = new float[roomFor(world.actionSize())];
    states = new double[roomFor(world.storedSize())];
    environment = CheckedEnvironment.open(world);
  }

  /** Numbers of the longest episode, so many a row. */
  private int roomFor(int width) {
    long numbers = (world.episodeSteps() + 1L) * width;
    if (numbers > LONGEST_ARRAY) {
      throw UserError.invalid(
          "world %s: episodes of %,d steps are too long to be recorded; expected episodeSteps() of at"
              + " most %,d where a row has %d numbers",
          world.name(), world.episodeSteps(), LONGEST_ARRAY / width - 1, width);
    }
    return (int) numbers;
  }

  /** The next reset begins a round: a number of steps in which episodes follow each other. */
  boolean beginRound() {
    roundSteps = 0;
    return true;
  }

  /** At the end of a round there is nothing to begin until the next one. */
  @Override
  public float[] reset(RandomGenerator random) {
    if (roundSteps == world.episodeSteps()) {
      return last;
    }
    float[] observation = environment.reset(random);
    rows = 0;
    row(observation, new float[world.actionSize()]);
    return observation;
  }

  /** A step that blew up is not stored: what it led to is not a state of this world. */
  @Override
  public Step step(float[] action) {
    Step step = environment.step(action);
    roundSteps++;
    last = step.observation();
    if (step.diverged()) {
      divergences++;
    } else {
      row(step.observation(), action);
    }
    if (step.ended()) {
      finish(step.terminated());
    }
    return step;
  }

  private void row(float[] observation, float[] action) {
    requireFinite("observation", observation.length, i -> observation[i]);
    System.arraycopy(observation, 0, observations, rows * observation.length, observation.length);
    System.arraycopy(action, 0, actions, rows * action.length, action.length);
    double[] state =
        world.stateSize() > 0
            ? environment.state()
            : quantities.stream().mapToDouble(environment::get).toArray();
    requireFinite("state", state.length, i -> state[i]);
    System.arraycopy(state, 0, states, rows * state.length, state.length);
    rows++;
  }

  private void requireFinite(String what, int count, IntToDoubleFunction numbers) {
    for (int i = 0; i < count; i++) {
      if (!Double.isFinite(numbers.applyAsDouble(i))) {
        throw UserError.failed(
            null,
            "%s: number %d (from 0) of the %s is %s after step %d of an episode; it must be finite,"
                + " or the step must say that the simulation has diverged",
            world.name(),
            i,
            what,
            numbers.applyAsDouble(i),
            rows);
      }
    }
  }

  /** Ends the recording here, though the episode might go on. */
  void finish() {
    finish(false);
  }

  private void finish(boolean terminated) {
    if (rows > 1) {
      float[] discounts = new float[rows];
      Arrays.fill(discounts, 1);
      if (terminated) {
        discounts[rows - 1] = 0;
      }
      finished.add(
          new Episode(
              Arrays.copyOf(observations, rows * world.observationSize()),
              Arrays.copyOf(actions, rows * world.actionSize()),
              discounts,
              Arrays.copyOf(states, rows * world.storedSize()),
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
    return divergences;
  }

  @Override
  public double get(Quantity quantity) {
    return environment.get(quantity);
  }

  @Override
  public void close() {
    environment.close();
  }
}
